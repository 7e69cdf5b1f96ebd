import type { Ledger } from './client/ledger.ts';
import type { Suspect } from './suspect.ts';

/*
 * After a person withdraws something, no issuer is asked about it and no question about it is
 * stored.
 */

const ADAPTER = 'issuing-source-adapter';
/** By then a question that was on its way has arrived. */
const ON_ITS_WAY_MS = 10_000;

interface GivConsent {
  consentId: string;
  type: string;
  approved: boolean;
}

interface Withdrawn {
  deletedEvidences: string[];
  consents: { known: GivConsent[]; revision: number; deleted: string[] };
}

const withdrawnOf = ({ stage }: Suspect, identityId: string): Withdrawn | undefined =>
  stage.store.collection(ADAPTER, 'withdrawals').matching({ _id: identityId })[0] as Withdrawn | undefined;

/** Whether a question was requested under a consent that the adapter has not heard of otherwise. */
const isGivenAnew = ({ stage }: Suspect, evidenceId: string, { consents: { known, deleted } }: Withdrawn): boolean => {
  const [check] = stage.store.collection(ADAPTER, 'checks').matching({ evidenceId });
  const { consents = [] } = (check ?? {}) as { consents?: GivConsent[] };
  const newest = consents.findLast(({ type }) => type === 'GIV');
  const isKnown = known.some(({ consentId }) => consentId === newest?.consentId);
  return newest?.approved === true && !isKnown && !deleted.includes(newest.consentId);
};

/** Whether issuing-source-adapter knows that an evidence, or its consent, was taken back. */
const isTakenBack = (suspect: Suspect, { identityId, evidenceId }: Ledger['accepted'][number]): boolean => {
  const withdrawn = withdrawnOf(suspect, identityId);
  if (!withdrawn) return false;
  const { known, revision } = withdrawn.consents;
  const isRefused = revision > 0 && known.at(-1)?.approved !== true && !isGivenAnew(suspect, evidenceId, withdrawn);
  return isRefused || withdrawn.deletedEvidences.includes(evidenceId);
};

/**
 * Records since when the issuing source adapter knows of withdrawals. Of a consent that is given
 * anew it knows none any more.
 */
export const heardWithdrawals = (suspect: Suspect): void => {
  const { stage, ledger, heardAt } = suspect;
  for (const accepted of ledger.accepted) {
    if (!isTakenBack(suspect, accepted)) heardAt.delete(accepted.evidenceId);
    else if (!heardAt.has(accepted.evidenceId)) heardAt.set(accepted.evidenceId, stage.world.now());
  }
};

/** Whether a source is asked about something withdrawn, at the moment of the question. */
export const askedInSpite = (suspect: Suspect, number: string): string[] => {
  const { stage, ledger, heardAt } = suspect;
  return ledger.accepted.flatMap((one) => {
    const since = one.number === number ? heardAt.get(one.evidenceId) : undefined;
    return since !== undefined && isTakenBack(suspect, one) && stage.world.now() - since > ON_ITS_WAY_MS
      ? [`an issuer was asked about evidence ${one.evidenceId}, which was taken back`]
      : [];
  });
};

/** Checks that are still to be made or stored, though the person withdrew them. */
export const storedInSpite = ({ stage, ledger }: Suspect): string[] => {
  const checks = stage.store.collection(ADAPTER, 'checks').all();
  return checks.flatMap(({ _id, identityId, evidenceId, state, recheckAt, sealedDocument }) => {
    if (ledger.ended.has(String(identityId))) return [];
    const isStored = state !== 'ENDED' || recheckAt !== undefined || sealedDocument !== undefined;
    if (ledger.deleted.has(String(evidenceId))) return [`check ${_id} of a deleted evidence is left`];
    return isStored && ledger.withoutConsent.has(String(identityId)) ? [`check ${_id} is kept without consent`] : [];
  });
};
