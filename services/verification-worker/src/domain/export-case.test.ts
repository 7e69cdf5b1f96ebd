import { todayAt } from '@assay/contracts';
import { shippedPolicies } from '@assay/policy';
import { expect, test } from '@jest/globals';
import { caseOf, compared, documentImage, portrait } from '../testing/case-builders.ts';
import { type ExportedCase, evaluateExported } from './export-case.ts';

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
