import { todayAt } from '@assay/contracts';
import { expect, test } from '@jest/globals';
import { AT, consentTo, documentImage, portrait } from '../testing/case-builders.ts';
import type { Case, CaseEvidence } from './case.ts';
import { openPairs } from './face-pairs.ts';

const today = todayAt(new Date(`${AT}Z`));
const withFace = (facts: ReturnType<typeof portrait>): CaseEvidence => ({
  ...facts,
  face: { width: 300 },
  sealed: { face: 'sealed' },
  crops: [],
  media: [],
});

test('a selfie is compared with a document while the consent to it is in force, and not after its withdrawal', () => {
  const evidences = [withFace(documentImage('d')), withFace(portrait('p'))];
  const pairs = (consents: Case['consents']) =>
    openPairs({ evidences, comparisons: [], consents }, today).map((pair) => pair.map(({ evidenceId }) => evidenceId));
  const given = consentTo('GIV', 'PORTRAIT');
  const refused = { consentId: 'refusal', type: 'PORTRAIT' as const, approved: false };
  const over = { ...refused, approved: true, validityPeriod: { to: '2026-04-01' } };
  expect(pairs({ known: given, revision: 1, deleted: [] })).toEqual([['p', 'd']]);
  expect(pairs({ known: [...given, refused], revision: 2, deleted: [] })).toEqual([]);
  expect(pairs({ known: [...given, over], revision: 2, deleted: [] })).toEqual([]);
  expect(pairs({ known: consentTo('GIV'), revision: 2, deleted: [given[1]!.consentId] })).toEqual([]);
  expect(pairs({ known: [...given, refused, given[1]!], revision: 3, deleted: [] })).toEqual([['p', 'd']]);
});
