import { shippedPolicies } from '@assay/policy';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { rankOf } from './assurance.ts';
import { aCase, shuffled, without } from './case-arbitraries.ts';
import { type CaseEvaluation, evaluateCase } from './evaluate-case.ts';
import type { CaseFacts } from './facts.ts';

const policy = shippedPolicies().named('default')!;
const today = '2026-05-01';
const RUNS = { numRuns: 10_000 };

const evaluate = (facts: CaseFacts) => evaluateCase({ facts, policy, today });

/** What of an evaluation must not depend on the order of facts. */
const essence = ({ level, nameReferenceId, portraitReferenceId, evidences, upgradePaths }: CaseEvaluation): string =>
  JSON.stringify([
    [level, nameReferenceId, portraitReferenceId, upgradePaths],
    evidences.map(({ facts, status, score, raised, errors }) => [facts.evidenceId, status, score, raised, errors]),
  ]);

describe('any case', () => {
  test('gives the same result whatever the order its facts came in', () => {
    fc.assert(
      fc.property(aCase, fc.nat(1000), (facts, seed) => {
        expect(essence(evaluate(shuffled(facts, seed)))).toBe(essence(evaluate(facts)));
      }),
      RUNS,
    );
  });

  test('leaves nothing transient but what waits, tells an error of all that is not VERIFIED, and scores nothing beyond its strength or reference', () => {
    fc.assert(
      fc.property(aCase, (facts) => {
        const { evidences } = evaluate(facts);
        for (const { facts: one, status, isAdjudicable, errors, score, judgement, context } of evidences) {
          if (status === 'PROCESSING') expect(one.awaitingIssuer).toBe(true);
          if (status === 'ADJUDICATION')
            expect([isAdjudicable, one.settings.adjudication.enabled]).toEqual([true, true]);
          expect(errors.length > 0).toBe(status === 'NOT_VERIFIED' || status === 'INVALID');
          expect(score !== undefined).toBe(status === 'VERIFIED');
          if (score && score > judgement.strength) expect(score).toBe(judgement.strength);
          if (one.kind !== 'portrait' || status !== 'VERIFIED') continue;
          const reference = evidences.find(({ facts: other }) => other.evidenceId === context.referenceId);
          expect([reference?.status, reference?.score]).toEqual(['VERIFIED', score]);
        }
      }),
      RUNS,
    );
  });

  test('moves nothing out of INVALID but portraits', () => {
    fc.assert(
      fc.property(aCase, aCase, (before, after) => {
        const former = new Map(evaluate(before).evidences.map(({ facts, status }) => [facts.evidenceId, status]));
        for (const { facts, status } of evaluateCase({ facts: after, policy, today, former }).evidences)
          if (former.get(facts.evidenceId) === 'INVALID' && facts.kind !== 'portrait') expect(status).toBe('INVALID');
      }),
      RUNS,
    );
  });

  test('does not gain from evidence that disagrees with the reference', () => {
    fc.assert(
      fc.property(aCase, (facts) => {
        const { level, evidences, nameReferenceId, tally } = evaluate(facts);
        for (const { facts: one } of evidences) {
          const reason = tally.notCounted.get(one.evidenceId);
          if (reason?.because !== 'DISAGREES_WITH_REFERENCE' || one.evidenceId === nameReferenceId) continue;
          // A portrait may have matched it: compare with a case in which it is not, nor that portrait.
          const portraits = evidences.filter(({ context }) => context.referenceId === one.evidenceId);
          const rest = [one.evidenceId, ...portraits.map((other) => other.facts.evidenceId)].reduce(without, facts);
          expect(rankOf(level)).toBeLessThanOrEqual(rankOf(evaluate(rest).level));
        }
      }),
      RUNS,
    );
  });
});
