import { isDeepStrictEqual } from 'node:util';
import type { ConsentFacts } from '@assay/contracts';
import { archivedIdentity } from './archived.ts';
import { isGiven, isPortrait } from './client/consenting.ts';
import type { ConsentLog } from './client/ledger.ts';
import { notDeleted, type Suspect, shownEvidence, shownIdentity } from './suspect.ts';

/*
 * What the specification promises of consents that are deleted and given anew, against what their
 * clients know.
 */

const idsOf = (consents: readonly { consentId: string }[]): string[] => consents.map(({ consentId }) => consentId);

const openLogs = ({ ledger }: Suspect): [identityId: string, log: ConsentLog][] =>
  [...ledger.consents].filter(([identityId]) => !ledger.ended.has(identityId));

interface StoredCase {
  consents: ConsentFacts;
  comparisons: { portraitId: string; referenceId: string }[];
}

const caseOf = ({ stage }: Suspect, identityId: string): StoredCase | undefined =>
  stage.store.collection('verification-worker', 'cases').matching({ _id: identityId })[0] as StoredCase | undefined;

/** Consents that the gateway, the worker or a proof knows otherwise than the client. */
export const unlikeConsents = (suspect: Suspect): string[] => [
  ...unheardWithdrawals(suspect),
  ...openLogs(suspect).flatMap(([identityId, { onRecord }]) => {
    const wanted = idsOf(onRecord);
    const shown = idsOf(shownIdentity(suspect.stage, identityId)?.consents ?? []);
    const known = idsOf(caseOf(suspect, identityId)?.consents.known ?? []);
    return [
      ...(isDeepStrictEqual(shown, wanted) ? [] : [`${identityId} shows other consents than are on record`]),
      ...(isDeepStrictEqual(known, wanted) ? [] : [`the case of ${identityId} has other consents than are on record`]),
    ];
  }),
  ...unlikeWithoutPortrait(suspect),
  ...restoredConfirmations(suspect),
  ...unlikeArchives(suspect),
];

/** The issuing source adapter knows of each consent that was withdrawn. */
const unheardWithdrawals = (suspect: Suspect): string[] =>
  openLogs(suspect).flatMap(([identityId, log]) => {
    const [heard] = suspect.stage.store
      .collection('issuing-source-adapter', 'withdrawals')
      .matching({ _id: identityId });
    const { known = [], revision = 0 } = (heard?.consents ?? {}) as Partial<ConsentFacts>;
    return isGiven(log, 'GIV') || (revision > 0 && !isGiven({ onRecord: known }, 'GIV'))
      ? []
      : [`the adapter does not know that ${identityId} has no consent`];
  });

/** What an issuer confirmed is VERIFIED again once the consent is given anew. */
const restoredConfirmations = (suspect: Suspect): string[] =>
  openLogs(suspect).flatMap(([identityId, log]) =>
    [...log.verified]
      .filter((evidenceId) => !suspect.ledger.deleted.has(evidenceId) && isGiven(log, 'GIV'))
      .filter((evidenceId) => shownEvidence(suspect.stage, identityId, evidenceId)?.status !== 'VERIFIED')
      .map((evidenceId) => `evidence ${evidenceId} is not VERIFIED any more, with the consent`),
  );

/** A proof has an element of each consent that was ever given, and no level over a deleted one. */
const unlikeArchives = ({ ledger }: Suspect): string[] =>
  [...ledger.consents].flatMap(([identityId, { answered, onRecord, before = onRecord }]) => {
    const archive = ledger.archives.get(identityId);
    if (!archive) return [];
    const { consents = [], idDocuments = [], portrait = [] } = archivedIdentity(archive);
    const isKnown = [onRecord, before].some((one) => isDeepStrictEqual(idsOf(consents), idsOf(one)));
    const rests = ledger.accepted.filter(
      (one) =>
        (one.number !== undefined && !isGiven({ onRecord: consents }, 'GIV')) ||
        (isPortrait(one) && !isGiven({ onRecord: consents }, 'PORTRAIT')),
    );
    const verified = [...idDocuments, portrait]
      .flat()
      .filter(
        ({ evidenceId, evidenceStatus }) =>
          evidenceStatus.status === 'VERIFIED' && rests.some((one) => one.evidenceId === evidenceId),
      );
    return [
      ...(isKnown ? [] : [`the proof of ${identityId} has other consents than are on record`]),
      ...answered.filter((id) => !archive.includes(id)).map((id) => `the proof of ${identityId} lacks consent ${id}`),
      ...verified.map(({ evidenceId }) => `a proof has ${evidenceId} VERIFIED without its consent`),
    ];
  });

/** A result that was set aside is announced. */
export const unannouncedWithdrawals = (suspect: Suspect): string[] =>
  openLogs(suspect).flatMap(([, log]) =>
    [...log.verified]
      .filter((evidenceId) => !suspect.ledger.deleted.has(evidenceId) && !isGiven(log, 'GIV'))
      .filter((evidenceId) =>
        suspect.outsiders.webhooks.every(
          ({ body: { evidence } }) => evidence?.evidenceId !== evidenceId || evidence.evidenceOperation !== 'UPDATED',
        ),
      )
      .map((evidenceId) => `the withdrawal of evidence ${evidenceId} was not announced`),
  );

/** By then a comparison that was under way is stored. */
const ON_ITS_WAY_MS = 10_000;

/** Faces that are compared though the worker knows that the consent was withdrawn. */
export const comparedInSpite = (suspect: Suspect): string[] => {
  const { stage, barred } = suspect;
  return openLogs(suspect).flatMap(([identityId]) => {
    const { consents, comparisons = [] } = caseOf(suspect, identityId) ?? {};
    if (!consents || consents.revision === 0 || isGiven({ onRecord: consents.known }, 'PORTRAIT')) {
      barred.delete(identityId);
      return [];
    }
    const now = stage.world.now();
    const { since, comparisons: before } = barred.get(identityId) ?? { since: now, comparisons: Infinity };
    const isLate = now - since > ON_ITS_WAY_MS;
    barred.set(identityId, { since, comparisons: comparisons.length });
    return isLate && comparisons.length > before ? [`a portrait of ${identityId} was compared without consent`] : [];
  });
};

/** What a portrait without its consent may not be: VERIFIED, or refused beside nothing. */
const unlikeWithoutPortrait = (suspect: Suspect): string[] =>
  notDeleted(suspect).flatMap(({ identityId, evidenceId, shows }) => {
    const log = suspect.ledger.consents.get(identityId);
    if (!log || !isPortrait({ shows }) || isGiven(log, 'PORTRAIT')) return [];
    const status = shownEvidence(suspect.stage, identityId, evidenceId)?.status;
    const hasPage = notDeleted(suspect).some((one) => one.identityId === identityId && one.shows === 'page');
    const mayBeRefused = shows === 'other' && hasPage;
    return status === 'NOT_VERIFIED' || (mayBeRefused && status === 'INVALID')
      ? []
      : [`portrait ${evidenceId} is ${status} without consent`];
  });
