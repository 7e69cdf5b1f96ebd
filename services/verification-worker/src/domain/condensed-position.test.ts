import assert from 'node:assert/strict';
import { shippedPolicies } from '@assay/policy';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { settingsWith } from '../testing/case-builders.ts';
import { condensed } from './condensed-position.ts';
import { possibleSubmissions } from './possible-submissions.ts';
import { type Position, upgradePathsOf } from './upgrade-paths.ts';

const policies = shippedPolicies();
const policy = policies.named('default')!;
const document = { kind: 'documentImage', face: true } as const;
const measures = { score: 2, strength: 2, ownership: 0 };

/** So many passports, and identity cards that the portrait matches. */
const positionOf = (passports: number, cards: number, at?: number): Position => ({
  scores: {
    evidence: [
      ...Array.from({ length: passports }, () => measures),
      ...Array.from({ length: cards }, () => ({ ...measures, ownership: 1 })),
    ],
    portrait: 0,
  },
  counted: [
    ...Array.from({ length: passports }, () => ({ ...document, type: 'PASSPORT' as const })),
    ...Array.from({ length: cards }, () => ({ ...document, type: 'IDENTITY_CARD' as const })),
  ],
  hasDocument: true,
  portrait: false,
  ...(at === undefined ? {} : { reference: { score: 2, counted: true, at } }),
});

test('a hundred documents of two types are as few as can matter', () => {
  expect(condensed(policy, positionOf(60, 40)).counted.length).toBeLessThan(20);
  expect(condensed(policy, positionOf(2, 3))).toEqual(positionOf(2, 3));
});

test('the document that the portrait is compared with stays, at its new place', () => {
  const { reference, counted, scores } = condensed(policy, positionOf(30, 30, 59));
  expect(reference?.at).toBe(counted.length - 1);
  expect(counted[reference!.at!]?.type).toBe('IDENTITY_CARD');
  expect(scores.evidence).toHaveLength(counted.length);
});

test.each(policies.list().map(({ name }) => name))('under %s, the upgrade paths stay the same', (name) => {
  const current = policies.named(name)!;
  const submissions = possibleSubmissions(current, settingsWith());
  const few = fc.integer({ min: 0, max: 3 });
  const many = fc.integer({ min: 8, max: 10 });
  fc.assert(
    fc.property(many, few, fc.boolean(), fc.nat(), (passports, cards, isCompared, place) => {
      const position = positionOf(passports, cards, isCompared ? place % (passports + cards) : undefined);
      assert.deepEqual(
        upgradePathsOf(current, condensed(current, position), submissions),
        upgradePathsOf(current, position, submissions),
      );
    }),
    { numRuns: 8 },
  );
});
