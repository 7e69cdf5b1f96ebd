import { shippedPolicies } from '@assay/policy';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type AssuranceScores, assuranceOf, isMet, type Measures, rankOf } from './assurance.ts';

const evidence = (score: number, more: Partial<Measures> = {}): Measures => ({
  score,
  strength: score,
  ownership: 0,
  ...more,
});
const policy = shippedPolicies().named('default')!;
const levelOf = (scores: number[], portrait = 0) =>
  assuranceOf(policy, { evidence: scores.map((score) => evidence(score)), portrait }).level;

describe('a profile', () => {
  const profile = { level: 'LOA2' as const, name: 'two', evidence: [{ score: 2 }, { score: 1, ownership: 1 }] };

  test('needs an evidence of its own for each of its minima', () => {
    expect(isMet(profile, { evidence: [evidence(3, { ownership: 1 })], portrait: 0 })).toBe(false);
    expect(isMet(profile, { evidence: [evidence(3, { ownership: 1 }), evidence(1)], portrait: 0 })).toBe(false);
    expect(isMet(profile, { evidence: [evidence(3, { ownership: 1 }), evidence(2)], portrait: 0 })).toBe(true);
  });

  test('is met if some order of the evidence meets its minima, one by one', () => {
    const level = fc.integer({ min: 0, max: 2 });
    const measures = fc.record({ score: level, strength: level, ownership: fc.integer({ min: 0, max: 1 }) });
    const orders = <T>(list: readonly T[]): T[][] =>
      list.length === 0
        ? [[]]
        : list.flatMap((one, at) => orders(list.filter((_, place) => place !== at)).map((rest) => [one, ...rest]));
    const reaches = (one: Measures | undefined, least: Measures): boolean =>
      one !== undefined &&
      one.score >= least.score &&
      one.strength >= least.strength &&
      one.ownership >= least.ownership;
    fc.assert(
      fc.property(fc.array(measures, { maxLength: 4 }), fc.array(measures, { maxLength: 5 }), (minima, brought) => {
        const isSome = orders(brought).some((order) => minima.every((least, at) => reaches(order[at], least)));
        expect(isMet({ ...profile, evidence: minima }, { evidence: brought, portrait: 0 })).toBe(isSome);
      }),
      { numRuns: 500 },
    );
  });

  test('of very many minima, all met except one, is not tried in every order', () => {
    const minima = [...Array.from({ length: 60 }, () => ({ score: 1 })), { score: 5 }];
    const brought = Array.from({ length: 100 }, () => evidence(2));
    expect(isMet({ ...profile, evidence: minima }, { evidence: brought, portrait: 0 })).toBe(false);
  });

  test('is met whichever evidence was named first', () => {
    const [owned, other] = [evidence(2, { ownership: 1 }), evidence(2)];
    expect(isMet(profile, { evidence: [owned, other], portrait: 0 })).toBe(true);
    expect(isMet(profile, { evidence: [other, owned], portrait: 0 })).toBe(true);
  });

  test.each([
    ['the portrait is too weak', { ...profile, portrait: 2 }, { portrait: 1 }, false],
    ['the portrait suffices', { ...profile, portrait: 2 }, { portrait: 2 }, true],
    ['a check of the person was not made', { ...profile, person: { fraud: 1 } }, { portrait: 0 }, false],
    [
      'a check of the person is too weak',
      { ...profile, person: { fraud: 2 } },
      { portrait: 0, person: { fraud: 1 } },
      false,
    ],
    [
      'a check of the person suffices',
      { ...profile, person: { fraud: 1 } },
      { portrait: 0, person: { fraud: 1 } },
      true,
    ],
  ])('when %s', (_, asked, reached, met) => {
    expect(isMet(asked, { evidence: [evidence(2, { ownership: 1 }), evidence(2)], ...reached })).toBe(met);
  });
});

describe('the level under the default policy', () => {
  test.each<[number[], number, string]>([
    [[], 0, 'LOA0'],
    [[], 5, 'LOA0'],
    [[1], 0, 'LOA0'],
    [[2], 0, 'LOA1'],
    [[1], 1, 'LOA1'],
    [[2], 2, 'LOA2'],
    [[2, 2], 0, 'LOA2'],
    [[3, 1], 1, 'LOA2'],
    [[3], 3, 'LOA3'],
  ])('of scores %j with a portrait of %d is %s', (scores, portrait, level) => {
    expect(levelOf(scores, portrait)).toBe(level);
  });

  test('never falls when an evidence is added or improves', () => {
    const measures = fc.record({
      score: fc.integer({ min: 1, max: 4 }),
      strength: fc.integer({ min: 1, max: 4 }),
      ownership: fc.integer({ min: 0, max: 1 }),
    });
    const scores: fc.Arbitrary<AssuranceScores> = fc.record({
      evidence: fc.array(measures, { maxLength: 4 }),
      portrait: fc.integer({ min: 0, max: 4 }),
    });
    fc.assert(
      fc.property(scores, measures, (before, more) => {
        const rank = (one: AssuranceScores) => rankOf(assuranceOf(policy, one).level);
        const better = before.evidence.map((one) => ({ ...one, score: one.score + 1 }));
        expect(rank({ ...before, evidence: [...before.evidence, more] })).toBeGreaterThanOrEqual(rank(before));
        expect(rank({ ...before, evidence: better })).toBeGreaterThanOrEqual(rank(before));
        expect(rank({ ...before, portrait: before.portrait + 1 })).toBeGreaterThanOrEqual(rank(before));
      }),
    );
  });

  test('names the profile that was met, and none at LOA0', () => {
    expect(assuranceOf(policy, { evidence: [evidence(2)], portrait: 2 }).profile?.name).toBe('L2 + portrait L2');
    expect(assuranceOf(policy, { evidence: [], portrait: 0 })).toEqual({ level: 'LOA0' });
  });
});
