import { todayAt } from '@assay/contracts';
import { shippedPolicies } from '@assay/policy';
import { describe, expect, test } from '@jest/globals';
import {
  agreement,
  caseOf,
  compared,
  consentTo,
  documentImage,
  documentText,
  participant,
  portrait,
} from '../testing/case-builders.ts';
import { type AssuranceScores, assuranceOf, isMet, type Measures } from './assurance.ts';
import { evaluateCase } from './evaluate-case.ts';
import type { EvidenceFacts } from './facts.ts';

const policies = shippedPolicies();
const gpg45 = policies.named('gpg45')!;
const nist = policies.named('nist-800-63a-4')!;

/**
 * Reads `4/3+2/2 1 2 3`: evidence as strength/validity, then activity, fraud and verification, as
 * in the tables of the guide.
 */
const guide = (combination: string): AssuranceScores => {
  const [evidence = '', activity, fraud, verification] = combination.split(' ');
  return {
    evidence: evidence.split('+').map((one): Measures => {
      const [strength, score] = one.split('/').map(Number);
      return { strength: strength!, score: score!, ownership: 1 };
    }),
    portrait: Number(verification),
    person: { activity: Number(activity), fraud: Number(fraud) },
  };
};

describe('UK GPG 45', () => {
  // The 32 profiles of "Identity profiles", each with exactly its scores. Each must fail when one
  // score is lower.
  test.each([
    ['2/2 0 1 1', 'LOA1', 'L1A'],
    ['3/2 0 0 1', 'LOA1', 'L1B'],
    ['1/1 3 2 2', 'LOA1', 'L1C'],
    ['1/1+1/1 2 1 2', 'LOA1', 'L2A'],
    ['1/1+1/1 2 2 1', 'LOA1', 'L2B'],
    ['1/1+1/1+1/1 2 1 1', 'LOA1', 'L3A'],
    ['4/2 0 1 2', 'LOA2', 'M1A'],
    ['3/2 1 2 2', 'LOA2', 'M1B'],
    ['3/3 0 0 3', 'LOA2', 'M1C'],
    ['2/2 2 1 3', 'LOA2', 'M1D'],
    ['2/2+2/2 3 2 2', 'LOA2', 'M2A'],
    ['3/2+2/2 1 1 2', 'LOA2', 'M2B'],
    ['3/2+2/2 0 1 3', 'LOA2', 'M2C'],
    ['2/2+2/2+2/2 2 2 2', 'LOA2', 'M3A'],
    ['4/3 0 1 3', 'LOA3', 'H1A'],
    ['3/3 2 1 3', 'LOA3', 'H1B'],
    ['4/3 0 0 4', 'LOA3', 'H1C'],
    ['2/2+2/2 3 2 3', 'LOA3', 'H2A'],
    ['4/2+3/2 0 2 3', 'LOA3', 'H2B'],
    ['3/3+2/2 1 1 3', 'LOA3', 'H2C'],
    ['3/3+2/2 0 1 3', 'LOA3', 'H2D'],
    ['4/3+3/3 0 0 3', 'LOA3', 'H2E'],
    ['2/2+2/2+2/2 2 2 3', 'LOA3', 'H3A'],
    ['4/3 0 3 3', 'LOA4', 'V1A'],
    ['4/4 0 1 3', 'LOA4', 'V1B'],
    ['4/3 1 1 4', 'LOA4', 'V1C'],
    ['4/4 0 0 4', 'LOA4', 'V1D'],
    ['3/3+3/3 3 2 3', 'LOA4', 'V2A'],
    ['4/3+3/3 0 2 3', 'LOA4', 'V2B'],
    ['4/3+2/2 2 2 3', 'LOA4', 'V2C'],
    ['4/4+4/4 0 0 3', 'LOA4', 'V2D'],
    ['3/3+2/2+2/2 3 3 3', 'LOA4', 'V3A'],
  ])('%s has %s confidence by profile %s', (combination, level, name) => {
    expect(assuranceOf(gpg45, guide(combination)).level).toBe(level);
    const profile = gpg45.profiles.find((one) => one.name === name)!;
    expect([profile.level, isMet(profile, guide(combination))]).toEqual([level, true]);
    const scores = guide(combination);
    const less: AssuranceScores[] = [
      { ...scores, portrait: scores.portrait - 1 },
      ...Object.entries(scores.person!).map(([what, level]) => ({
        ...scores,
        person: { ...scores.person, [what]: level - 1 },
      })),
      ...scores.evidence.flatMap((_, at) =>
        (['strength', 'score'] as const).map((part) => ({
          ...scores,
          evidence: scores.evidence.map((one, index) => (index === at ? { ...one, [part]: one[part] - 1 } : one)),
        })),
      ),
    ];
    for (const one of less) {
      // A score of which the profile requires nothing may fall below zero.
      if (Object.values(one.person!).some((level) => level < 0)) continue;
      expect(isMet(profile, one)).toBe(false);
    }
  });

  test.each([
    ['4/4 4 4 0', 'LOA0'],
    ['1/1 0 0 4', 'LOA0'],
    ['2/2 0 0 3', 'LOA0'],
    ['4/1 0 3 3', 'LOA0'],
    ['3/2 0 0 4', 'LOA1'],
    ['4/2 0 0 4', 'LOA1'],
    ['4/2 0 1 1', 'LOA1'],
    ['3/2 1 1 2', 'LOA1'],
    ['3/3 0 0 2', 'LOA1'],
    ['2/2+3/2 1 1 2', 'LOA2'],
    ['2/2+3/3 0 1 3', 'LOA3'],
    ['3/3+4/3 0 0 3', 'LOA3'],
    ['2/2+2/2 2 2 3', 'LOA2'],
    ['4/3+1/1 0 3 3', 'LOA4'],
    ['2/2+2/2+3/3 3 3 3', 'LOA4'],
  ])('%s has %s confidence: each threshold separately, in any order, never added', (combination, level) => {
    expect(assuranceOf(gpg45, guide(combination)).level).toBe(level);
  });

  test('the suite makes no activity or fraud check, so only profiles that require none are met', () => {
    const facts = caseOf([documentImage('a', { issuer: 'VERIFIED' }), portrait('p')]);
    expect(evaluateCase({ facts, policy: gpg45, today: todayAt(new Date('2026-05-01')) })).toMatchObject({
      level: 'LOA1',
      profile: { name: 'L1B' },
    });
    const passport = caseOf([documentImage('a', { type: 'PASSPORT', issuer: 'VERIFIED' }), portrait('p')]);
    expect(evaluateCase({ facts: passport, policy: gpg45, today: todayAt(new Date('2026-05-01')) }).level).toBe('LOA1');
  });

  test.each([documentImage('a', { type: 'PASSPORT' }), documentText('a', { type: 'PASSPORT' })])(
    'a passport without its chip, as $kind, has strength 3: that it carries biometrics is not seen',
    (passport) => {
      const { evidences } = evaluateCase({
        facts: caseOf([passport]),
        policy: gpg45,
        today: todayAt(new Date('2026-05-01')),
      });
      expect(evidences[0]?.ruleResult.strength).toBe('LEVEL3');
    },
  );
});

const STRENGTHS: Readonly<Record<string, number>> = { W: 1, F: 2, S: 3, X: 4 };

/**
 * Reads `F.s.o S.s.o`: WEAK, FAIR, STRONG or SUPERIOR (X); not validated (-), validated by scan
 * (v), or also by a source (s); owned (o) or not (-). `@` at the end: onsite and attended.
 */
const collected = (combination: string): AssuranceScores => ({
  evidence: combination
    .replace('@', '')
    .split(' ')
    .filter(Boolean)
    .map((one): Measures => {
      const [strength = '', validated = '', owned] = one.split('.');
      return {
        strength: STRENGTHS[strength]!,
        score: { '-': 0, v: 1, s: 2 }[validated]!,
        ownership: owned === 'o' ? 1 : 0,
      };
    }),
  portrait: 0,
  person: { onsiteAttended: combination.endsWith('@') ? 1 : 0 },
});

describe('NIST SP 800-63A-4', () => {
  test.each([
    ['', 'LOA0'],
    ['W.s.o', 'LOA0'],
    ['W.s.o W.s.o', 'LOA0'],
    ['F.-.o', 'LOA0'],
    ['F.v.-', 'LOA0'],
    ['F.v.o', 'LOA0'],
    ['F.s.-', 'LOA0'],
    ['F.s.o', 'LOA1'],
    ['S.-.o', 'LOA0'],
    ['S.v.-', 'LOA0'],
    ['S.v.o', 'LOA0'],
    ['S.s.-', 'LOA0'],
    ['S.s.o', 'LOA1'],
    ['X.v.o', 'LOA0'],
    ['X.s.-', 'LOA0'],
    ['X.s.o', 'LOA2'],
    ['F.s.o W.s.o', 'LOA1'],
    ['F.s.o F.s.o', 'LOA1'],
    ['F.s.o F.s.o F.s.o', 'LOA1'],
    ['S.s.o W.s.o', 'LOA1'],
    ['S.s.o F.v.o', 'LOA1'],
    ['S.s.o F.s.-', 'LOA1'],
    ['S.s.- F.s.o', 'LOA1'],
    ['S.s.- F.s.-', 'LOA0'],
    ['S.v.o F.s.o', 'LOA1'],
    ['S.v.o F.v.o', 'LOA0'],
    ['S.s.o F.s.o', 'LOA2'],
    ['F.s.o S.s.o', 'LOA2'],
    ['S.s.o S.s.o', 'LOA2'],
    ['S.s.o S.v.o', 'LOA1'],
    ['S.s.o S.s.-', 'LOA1'],
    ['X.v.o S.s.o', 'LOA1'],
    ['X.v.o S.s.o F.s.o', 'LOA2'],
    ['X.s.o W.-.-', 'LOA2'],
    ['X.s.- F.s.o', 'LOA1'],
    ['X.s.o X.s.o', 'LOA2'],
    ['F.s.o@', 'LOA1'],
    ['S.s.o@', 'LOA1'],
    ['F.s.o F.s.o@', 'LOA1'],
    ['S.s.o F.s.o@', 'LOA3'],
    ['S.s.o S.s.o@', 'LOA3'],
    ['S.s.o F.s.-@', 'LOA1'],
    ['S.s.o F.v.o@', 'LOA1'],
    ['X.s.o@', 'LOA3'],
    ['X.v.o@', 'LOA0'],
  ])('%s reaches %s', (combination, level) => {
    expect(assuranceOf(nist, collected(combination)).level).toBe(level);
  });

  const today = todayAt(new Date('2026-05-01'));
  const consents = { known: consentTo('GIV', 'PORTRAIT'), revision: 1, deleted: [] };
  const card = (id: string, more: Partial<EvidenceFacts> = {}) => documentImage(id, { issuer: 'VERIFIED', ...more });

  test('a licence with a selfie is IAL1, and a second card whose face matches too makes it IAL2', () => {
    expect(evaluateCase({ facts: caseOf([card('a')]), policy: nist, today }).level).toBe('LOA0');
    expect(evaluateCase({ facts: caseOf([card('a'), portrait('p')]), policy: nist, today }).level).toBe('LOA1');
    const two = [card('a'), card('b', { type: 'DRIVING_LICENSE' }), portrait('p')];
    expect(evaluateCase({ facts: caseOf(two), policy: nist, today }).level).toBe('LOA2');
    const other = caseOf(two, { comparisons: [compared('p', 'a', 0.4), compared('p', 'b', 0.8)] });
    expect(evaluateCase({ facts: other, policy: nist, today }).level).toBe('LOA1');
  });

  test('statements are no evidence, and unchecked security print makes nothing SUPERIOR', () => {
    const stated = caseOf([documentText('a'), portrait('p')], {
      consents,
      agreements: [agreement('a', 'p', 'UNKNOWN')],
    });
    expect(evaluateCase({ facts: stated, policy: nist, today }).level).toBe('LOA0');
    const passport = documentImage('a', { type: 'PASSPORT', issuer: 'VERIFIED' });
    const [one] = evaluateCase({ facts: caseOf([passport]), policy: nist, today }).evidences;
    expect(one!.ruleResult.strength).toBe('LEVEL3');
    const live = portrait('p', {
      participants: [participant('BIOMETRIC_QUALITY_CHECK', ['BIOMETRIC_QUALITY_CHECK_OK'])],
    });
    expect(evaluateCase({ facts: caseOf([passport, live]), policy: nist, today }).level).toBe('LOA1');
  });
});
