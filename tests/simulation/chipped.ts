import type { Fields } from './store/paths.ts';
import { notDeleted, type Suspect, shownEvidence } from './suspect.ts';

/*
 * Chips: a check is OK only if the chip answered, no secret of a session outlives it, and nothing
 * of a deleted evidence is left.
 */

const intakeOf = ({ stage }: Suspect, name: string): Fields[] => stage.store.collection('evidence-intake', name).all();

interface StoredSession {
  state: string;
  sealedChip?: string;
}

const sessionsOf = (suspect: Suspect): StoredSession[] =>
  intakeOf(suspect, 'evidences').flatMap(({ session }) => (session ? [session as StoredSession] : []));

/** What may never be true of chips. */
export const brokenChips = (suspect: Suspect): string[] => [
  ...[...suspect.ledger.chips].flatMap(([evidenceId, { isActive, isChip }]) => {
    const { identityId = '' } = suspect.ledger.accepted.find((one) => one.evidenceId === evidenceId) ?? {};
    const raised = shownEvidence(suspect.stage, identityId, evidenceId)?.positiveIndicators ?? [];
    const wrong = [
      ...(!isActive && raised.includes('ACTIVE_AUTHENTICATION_CHECK_OK') ? ['active'] : []),
      ...(!isChip && raised.includes('CHIP_AUTHENTICATION_CHECK_OK') ? ['chip'] : []),
    ];
    return wrong.map((which) => `${evidenceId} passed ${which} authentication, and its chip gave no such answer`);
  }),
  ...sessionsOf(suspect)
    .filter(({ state, sealedChip }) => state !== 'OPEN' && sealedChip !== undefined)
    .map(() => 'a chip session has ended, and its secret is left'),
];

/** Chips of which not yet is shown or removed what must be. */
export const unlikeChips = (suspect: Suspect): string[] => {
  const { ledger } = suspect;
  const media = intakeOf(suspect, 'media').filter(({ identityId }) => !ledger.ended.has(String(identityId)));
  const namesIn = ({ files }: Fields): string[] => ((files ?? []) as { name?: string }[]).map(({ name = '' }) => name);
  return [
    ...notDeleted(suspect).flatMap(({ identityId, evidenceId }) => {
      const wanted = ledger.chips.get(evidenceId)?.wanted;
      const status = shownEvidence(suspect.stage, identityId, evidenceId)?.status;
      return wanted === undefined || status === wanted ? [] : [`chip ${evidenceId} is ${status}, not ${wanted}`];
    }),
    ...sessionsOf(suspect)
      .filter(({ sealedChip }) => sealedChip !== undefined)
      .map(() => 'the secret of a chip session is left'),
    ...media
      .filter(({ evidenceId }) => ledger.deleted.has(String(evidenceId)))
      .map(({ evidenceId }) => `media of the deleted evidence ${evidenceId} are left`),
    ...media
      .filter((one) => ledger.withoutPortrait.has(String(one.identityId)) && namesIn(one).includes('dg2.bin'))
      .map(({ evidenceId }) => `the portrait of chip ${evidenceId} is stored without consent`),
  ];
};
