import type { Suspect } from './invariants.ts';

/*
 * After a person withdraws something, no issuer is asked about it and no question about it is
 * stored.
 */

const ADAPTER = 'issuing-source-adapter';
/** By then a question that was on its way has arrived. */
const ON_ITS_WAY_MS = 10_000;

interface Withdrawn {
  deletedEvidences: string[];
  consents: { known: { approved: boolean }[] };
}

const withdrawnOf = ({ stage }: Suspect, identityId: string): Withdrawn | undefined =>
  stage.store.collection(ADAPTER, 'withdrawals').matching({ _id: identityId })[0] as Withdrawn | undefined;

/**
 * Records which withdrawals the issuing source adapter knows by now. Of a consent that is given
 * anew it knows no withdrawal any more.
 */
export const heardWithdrawals = (suspect: Suspect): void => {
  const { stage, ledger, heardAt } = suspect;
  for (const { identityId, evidenceId } of ledger.accepted) {
    const withdrawn = withdrawnOf(suspect, identityId);
    const isRefused = withdrawn?.consents.known.at(-1)?.approved === false;
    const isTakenBack = isRefused || withdrawn?.deletedEvidences.includes(evidenceId);
    if (!isTakenBack) heardAt.delete(evidenceId);
    else if (!heardAt.has(evidenceId)) heardAt.set(evidenceId, stage.world.now());
  }
};

/** Whether a source is asked about something withdrawn, at the moment of the question. */
export const askedInSpite = ({ stage, ledger, heardAt }: Suspect, number: string): string[] =>
  ledger.accepted.flatMap((one) => {
    const since = one.number === number ? heardAt.get(one.evidenceId) : undefined;
    return since !== undefined && stage.world.now() - since > ON_ITS_WAY_MS
      ? [`an issuer was asked about evidence ${one.evidenceId}, which was taken back`]
      : [];
  });

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
