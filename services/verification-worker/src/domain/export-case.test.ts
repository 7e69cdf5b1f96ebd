import { todayAt } from '@assay/contracts';
import { shippedPolicies } from '@assay/policy';
import { expect, test } from '@jest/globals';
import { agreement, caseOf, compared, documentChip, documentImage, portrait } from '../testing/case-builders.ts';
import type { Case, CaseEvidence } from './case.ts';
import { evaluateCase } from './evaluate-case.ts';
import { type ExportedCase, evaluateExported, exportCase } from './export-case.ts';
import type { CaseFacts } from './facts.ts';

const named = (name: string) => shippedPolicies().named(name)!;
/**
 * A portrait that was INVALID against the document, and would be VERIFIED in a first evaluation.
 */
const exported = (references: Record<string, string>): ExportedCase => ({
  identityId: 'i',
  revision: 3,
  policy: { name: 'default' },
  statuses: { d: 'VERIFIED', p: 'INVALID' },
  references,
  facts: caseOf([documentImage('d'), portrait('p')], { comparisons: [compared('p', 'd', 0.3)] }),
});
const statusOf = (current: ExportedCase, policy: string) =>
  evaluateExported(current, named(policy), todayAt(new Date('2026-05-01'))).evidences.find(
    ({ facts }) => facts.evidenceId === 'p',
  )?.status;

test('under its own policy an INVALID portrait stays so while its reference is the same', () => {
  expect(statusOf(exported({ p: 'd' }), 'default')).toBe('INVALID');
  expect(statusOf(exported({ p: 'another' }), 'default')).toBe('VERIFIED');
});

test('under another policy it is evaluated as if for the first time', () => {
  expect(statusOf(exported({ p: 'd' }), 'strict')).toBe('NOT_VERIFIED');
});

const storedWith = (facts: CaseFacts): Case => ({
  _id: 'i',
  tenantId: 't',
  revision: 1,
  ...facts,
  evidences: facts.evidences.map((one): CaseEvidence => ({ ...one, sealed: {}, crops: [], media: [] })),
  deleted: [],
});

test.each([
  [
    'the image that gave the key to a chip',
    caseOf([documentImage('d'), documentChip('c', { imageEvidenceId: 'd' })], {
      agreements: [agreement('c', 'd', 'AGREE', { zone: 'DISAGREE' })],
    }),
    { c: 'NOT_VERIFIED' },
  ],
  [
    'the comparison that a sandbox plays',
    caseOf([documentImage('d'), portrait('p', { playedMatching: ['BIOMETRIC_MATCHING_CHECK_OK'] })], {
      comparisons: [],
    }),
    { p: 'VERIFIED' },
  ],
])('an exported case has %s, and is evaluated as the stored one', (_what, facts, wanted) => {
  const question = { policy: named('default'), today: todayAt(new Date('2026-05-01')) };
  const exportedCase = exportCase(storedWith(facts), { name: 'default' });
  const statuses = ({ evidences }: ReturnType<typeof evaluateCase>) =>
    Object.fromEntries(evidences.map((one) => [one.facts.evidenceId, one.status]));
  expect(statuses(evaluateCase({ ...question, facts }))).toMatchObject(wanted);
  expect(statuses(evaluateExported(exportedCase, question.policy, question.today))).toMatchObject(wanted);
});
