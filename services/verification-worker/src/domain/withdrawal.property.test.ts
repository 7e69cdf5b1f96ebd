import assert from 'node:assert/strict';
import { todayAt } from '@assay/contracts';
import { shippedPolicies } from '@assay/policy';
import { describe, test } from '@jest/globals';
import fc from 'fast-check';
import { aCase, without } from '../testing/case-arbitraries.ts';
import { agreement, consentTo } from '../testing/case-builders.ts';
import { rankOf } from './assurance.ts';
import { assessCase } from './evaluate-case.ts';
import type { CaseFacts, EvidenceFacts } from './facts.ts';

const policies = shippedPolicies();
const names = policies.list().map(({ name }) => name);
const today = todayAt(new Date('2026-05-01'));
const RUNS = { numRuns: Number(process.env.PROPERTY_RUNS ?? 300) };
const ALL = consentTo('GIV', 'PORTRAIT');

/** The case, created with both consents, after those of one type were deleted. */
const withdrawn = (facts: CaseFacts, type: 'GIV' | 'PORTRAIT'): CaseFacts => ({
  ...facts,
  consents: {
    known: ALL.filter((one) => one.type !== type),
    revision: 9,
    deleted: ALL.filter((one) => one.type === type).map(({ consentId }) => consentId),
  },
});

const isStated = ({ kind }: EvidenceFacts): boolean => kind === 'documentText' || kind === 'healthCard';

/** The case as if no issuing source had ever confirmed anything. */
const neverConfirmed = (facts: CaseFacts): CaseFacts => {
  const stated = facts.evidences.filter(isStated).map(({ evidenceId }) => evidenceId);
  const rested = facts.evidences.filter(({ participants }) =>
    participants.some(({ raisedIndicators = [] }) => raisedIndicators.includes('GIV_VERIFICATION_VERIFIED')),
  );
  const ids = rested.map(({ evidenceId }) => evidenceId);
  const silent = facts.evidences.map((one) => ({
    ...one,
    participants: one.participants.map((part) => ({
      ...part,
      raisedIndicators: (part.raisedIndicators ?? []).map((indicator) =>
        indicator === 'GIV_VERIFICATION_VERIFIED' ? 'GIV_VERIFICATION_UNVERIFIED' : indicator,
      ),
    })),
  }));
  const agreements = facts.agreements.map((one) => {
    const sides = [one.a, one.b];
    const unknown = sides.some((id) => stated.includes(id) && ids.includes(id));
    if (unknown) return agreement(one.a, one.b, 'UNKNOWN');
    const { statement } = one;
    const rests = sides.some((id) => ids.includes(id)) && statement?.all === 'ALL';
    return rests ? { ...one, statement: { all: 'NONE' as const, names: 'NONE' as const } } : one;
  });
  return { ...facts, evidences: silent, agreements };
};

describe.each(names)('under %s, after the withdrawal of the consent', (name) => {
  const assess = (facts: CaseFacts) => assessCase({ facts, policy: policies.named(name)!, today });

  test('PORTRAIT no portrait is VERIFIED, and the level is not above that of the case without portraits', () => {
    fc.assert(
      fc.property(aCase, (facts) => {
        const after = assess(withdrawn(facts, 'PORTRAIT'));
        const portraits = facts.evidences.filter(({ kind }) => kind === 'portrait');
        const alone = portraits.reduce((rest, { evidenceId }) => without(rest, evidenceId), facts);
        const most = assess(withdrawn(alone, 'PORTRAIT')).level;
        assert.ok(rankOf(after.level) <= rankOf(most), `${after.level}, ${most} without portraits`);
        const left = after.evidences.filter(
          ({ facts: one, status }) => one.kind === 'portrait' && status === 'VERIFIED',
        );
        assert.deepEqual(left, []);
      }),
      RUNS,
    );
  });

  test('GIV the result is as if no issuing source had confirmed anything', () => {
    fc.assert(
      fc.property(aCase, (facts) => {
        const [after, never] = [assess(withdrawn(facts, 'GIV')), assess(withdrawn(neverConfirmed(facts), 'GIV'))];
        const shown = ({ level, evidences }: typeof after) => [
          level,
          evidences.map(({ facts: one, status, score, raised }) => [one.evidenceId, status, score, raised]),
        ];
        assert.deepEqual(shown(after), shown(never));
      }),
      RUNS,
    );
  });
});
