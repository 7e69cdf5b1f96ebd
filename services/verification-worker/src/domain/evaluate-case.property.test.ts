import assert from 'node:assert/strict';
import { present, todayAt } from '@assay/contracts';
import { shippedPolicies } from '@assay/policy';
import { describe, test } from '@jest/globals';
import fc from 'fast-check';
import { aCase, anEvidence, at, shuffled, without } from '../testing/case-arbitraries.ts';
import { agreement, compared, portrait } from '../testing/case-builders.ts';
import { rankOf } from './assurance.ts';
import { assessCase, type CaseEvaluation, evaluateCase } from './evaluate-case.ts';
import { type CaseFacts, isDocument } from './facts.ts';

const policy = shippedPolicies().named('default')!;
const today = todayAt(new Date('2026-05-01'));
// These properties use node:assert: an `expect` creates an error first, which takes a tenth of
// their time.
const RUNS = { numRuns: Number(process.env.PROPERTY_RUNS ?? 300) };

const evaluate = (facts: CaseFacts) => evaluateCase({ facts, policy, today });
const assess = (facts: CaseFacts) => assessCase({ facts, policy, today });

/** The part of an evaluation that must not depend on the order of facts. */
const visiblePart = ({
  level,
  nameReferenceId,
  portraitReferenceId,
  evidences,
  upgradePaths,
}: CaseEvaluation): string =>
  JSON.stringify([
    [level, nameReferenceId, portraitReferenceId, upgradePaths],
    evidences.map(({ facts, status, score, raised, errors }) => [facts.evidenceId, status, score, raised, errors]),
  ]);

describe('any case', () => {
  test('gives the same result, whatever the order of its facts', () => {
    fc.assert(
      fc.property(aCase, fc.nat(1000), (facts, seed) => {
        assert.equal(visiblePart(evaluate(shuffled(facts, seed))), visiblePart(evaluate(facts)));
      }),
      RUNS,
    );
  });

  test('leaves only waiting evidence transient, names an error for all that is not VERIFIED, and scores nothing above its strength or reference', () => {
    fc.assert(
      fc.property(aCase, (facts) => {
        const { evidences } = assess(facts);
        const wrong = evidences.filter(({ facts: one, status, isAdjudicable, errors, score, ruleResult, context }) => {
          if (status === 'PROCESSING' && !one.awaitingIssuer) return true;
          if (status === 'ADJUDICATION' && !(isAdjudicable && one.settings.adjudication.enabled)) return true;
          if (errors.length > 0 !== (status === 'NOT_VERIFIED' || status === 'INVALID')) return true;
          if ((score !== undefined) !== (status === 'VERIFIED')) return true;
          if (score && score > ruleResult.strength) return true;
          if (one.kind !== 'portrait' || status !== 'VERIFIED') return false;
          const reference = evidences.find(({ facts: other }) => other.evidenceId === context.referenceId);
          return reference?.status !== 'VERIFIED' || reference.score !== score;
        });
        assert.deepEqual(wrong, []);
      }),
      RUNS,
    );
  });

  test('moves nothing out of INVALID except portraits with another reference', () => {
    fc.assert(
      fc.property(aCase, aCase, (before, after) => {
        const former = new Map(
          assess(before).evidences.map(({ facts, status, context: { referenceId } }) => [
            facts.evidenceId,
            { status, ...present({ referenceId }) },
          ]),
        );
        const { evidences } = assessCase({ facts: after, policy, today, former });
        for (const { facts, status, context } of evidences) {
          const lastPublished = former.get(facts.evidenceId);
          if (lastPublished?.status !== 'INVALID') continue;
          const moved = facts.kind === 'portrait' && lastPublished.referenceId !== context.referenceId;
          if (!moved) assert.equal(status, 'INVALID');
        }
      }),
      RUNS,
    );
  });

  test('has the same level and upgrade paths beside a portrait session that timed out without a picture', () => {
    fc.assert(
      fc.property(aCase, fc.integer({ min: 0, max: 9 }), (facts, minute) => {
        const { face: _none, ...session } = portrait('session', { participants: [], endedBy: 'SESSION_TIMEOUT' });
        const evidences = [...facts.evidences, { ...session, submitDateTime: at(minute) }];
        const [before, after] = [evaluate(facts), evaluate({ ...facts, evidences })];
        assert.equal(after.level, before.level);
        assert.deepEqual(after.upgradePaths, before.upgradePaths);
      }),
      RUNS,
    );
  });

  test('does not gain from evidence that disagrees with the reference', () => {
    fc.assert(
      fc.property(aCase, (facts) => {
        const { level, evidences, nameReferenceId, countedEvidence } = assess(facts);
        for (const { facts: one } of evidences) {
          const reason = countedEvidence.notCounted.get(one.evidenceId);
          if (reason?.because !== 'DISAGREES_WITH_REFERENCE' || one.evidenceId === nameReferenceId) continue;
          // A portrait may have matched it, so the comparison case contains neither of them.
          const portraits = evidences.filter(({ context }) => context.referenceId === one.evidenceId);
          const rest = [one.evidenceId, ...portraits.map((other) => other.facts.evidenceId)].reduce(without, facts);
          const other = assess(rest).level;
          assert.ok(rankOf(level) <= rankOf(other), `${level} with it, ${other} without it`);
        }
      }),
      RUNS,
    );
  });

  test('reaches no higher level with a document of another person than without it, or than that document without the others', () => {
    fc.assert(
      fc.property(
        aCase,
        anEvidence,
        fc.integer({ min: 0, max: 9 }),
        fc.constantFrom(0.2, 0.4, 0.8),
        (facts, make, minute, distance) => {
          const stranger = { ...make('stranger'), submitDateTime: at(minute) };
          if (!isDocument(stranger)) return;
          const documents = facts.evidences.filter(isDocument);
          const others = facts.evidences.filter((one) => !isDocument(one));
          const alone: CaseFacts = {
            ...documents.reduce((rest, { evidenceId }) => without(rest, evidenceId), facts),
            evidences: [...others, stranger],
          };
          const portraits = stranger.face ? others.filter(({ kind }) => kind === 'portrait') : [];
          const withStranger = (current: CaseFacts): CaseFacts => ({
            ...current,
            comparisons: [
              ...current.comparisons,
              ...portraits.map(({ evidenceId }) => compared(evidenceId, stranger.evidenceId, distance)),
            ],
            agreements: [
              ...current.agreements,
              ...others.map(({ evidenceId }) => agreement(evidenceId, stranger.evidenceId, 'AGREE')),
            ],
          });
          const both = withStranger({
            ...facts,
            evidences: [...facts.evidences, stranger],
            agreements: [
              ...facts.agreements,
              ...documents.map(({ evidenceId }) => agreement(evidenceId, stranger.evidenceId, 'DISAGREE')),
            ],
          });
          const most = Math.max(rankOf(assess(facts).level), rankOf(assess(withStranger(alone)).level));
          const { level } = assess(both);
          assert.ok(rankOf(level) <= most, `${level}, which neither comes to alone`);
        },
      ),
      RUNS,
    );
  });
});
