import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Evaluated, type Step, startCase } from '../testing/case-sequences.ts';
import { arranged, aStory, type Story, seeds } from '../testing/case-stories.ts';

const RUNS = { numRuns: 10_000 };
const MINUTES = 600_000;

const play = async ({ steps, distanceOf }: Story, order: readonly number[]) => {
  const current = startCase(distanceOf);
  const waiting: Step[] = [];
  const there = (evidenceId: string) => current.present().evidences.some((one) => one.evidenceId === evidenceId);
  for (const step of arranged(steps, order)) {
    if (step.kind === 'answer' && !there(step.evidenceId)) waiting.push(step);
    else await current.take(step);
  }
  for (const step of waiting) await current.take(step);
  return current;
};

/** Every status an evidence was ever told in, with what it was compared with. */
const histories = (evaluations: readonly Evaluated[]) => {
  const found = new Map<string, { status: string; type: string; parent: string | undefined; revision: number }[]>();
  for (const { evidences } of evaluations)
    for (const { evidenceId, status, type, proof, evidenceRevision } of evidences)
      found.set(evidenceId, [
        ...(found.get(evidenceId) ?? []),
        { status, type, parent: proof.parent, revision: evidenceRevision },
      ]);
  return found;
};

/**
 * Moves that may not be: nothing leaves INVALID but a portrait whose reference is another one, or
 * gone; and no revision is left out.
 */
const wrongMoves = (evaluations: readonly Evaluated[]) =>
  [...histories(evaluations).values()].flatMap((lastPublished) =>
    lastPublished.slice(1).flatMap((after, nth) => {
      const before = lastPublished[nth]!;
      const left = before.status === 'INVALID' && after.status !== 'INVALID';
      const mayLeave = after.type === 'PORTRAIT' && after.parent !== before.parent;
      return after.revision === before.revision + 1 && (!left || mayLeave) ? [] : [{ before, after }];
    }),
  );

const TRANSIENT = ['PROCESSING', 'ADJUDICATION'];
const transient = (current: ReturnType<typeof startCase>) =>
  current
    .present()
    .evidences.flatMap(({ lastPublished }) => (TRANSIENT.includes(lastPublished!.status) ? [lastPublished!] : []));

/**
 * True of a value with a member that is none, which storing would lose: what is told again would
 * never equal it.
 */
const isUnstorable = (value: unknown): boolean => {
  if (value === undefined || value === null) return true;
  if (typeof value !== 'object' || value instanceof Date) return false;
  for (const one of Object.values(value)) if (isUnstorable(one)) return true;
  return false;
};
const unstorable = (current: ReturnType<typeof startCase>) => {
  const { evidences, lastPublished } = current.present();
  const all: unknown[] = [lastPublished ?? {}, ...evidences.map((one) => one.lastPublished ?? {})];
  return all.filter(isUnstorable);
};

/** What a case came to: everything told of it but when, and in how many steps. */
const visiblePart = (current: ReturnType<typeof startCase>): string => {
  const { evidences, lastPublished } = current.present();
  const { evaluationDateTime: _at, ...identity } = lastPublished ?? { evaluationDateTime: '' };
  return JSON.stringify([
    // Where every submission was deleted before it was heard of, nothing was ever told.
    evidences.length > 0 ? identity : 'nothing',
    evidences
      .map(({ evidenceId, lastPublished: one }) => [
        evidenceId,
        [one!.status, one!.score, one!.errors, one!.proof.parent],
        [one!.positiveIndicators, one!.warningIndicators, one!.unverifiedIndicators].map((list) => list.toSorted()),
      ])
      .sort(),
  ]);
};

describe('any sequence of submissions, deletions, duplicates, consents and late answers', () => {
  test(
    'comes to the same in whatever order it arrives, leaves nothing transient, and nothing leaves INVALID but by the portrait rows',
    async () => {
      await fc.assert(
        fc.asyncProperty(aStory(false), seeds, seeds, async (story, one, other) => {
          const gone = story.steps.flatMap((step) => (step.kind === 'delete' ? [step.evidenceId] : []));
          const [first, second] = [await play(story, one), await play(story, other)];
          expect(visiblePart(first)).toBe(visiblePart(second));
          for (const played of [first, second]) {
            const back = played.present().evidences.filter(({ evidenceId }) => gone.includes(evidenceId));
            const wrong = [...transient(played), ...wrongMoves(played.evaluations()), ...unstorable(played)];
            expect([...wrong, ...back]).toEqual([]);
          }
        }),
        RUNS,
      );
    },
    MINUTES,
  );

  test(
    'also where operators decide or do not, work is given up, and the policy is another one',
    async () => {
      const decisions = fc.array(fc.constantFrom('ACCEPT' as const, 'REJECT' as const, 'EXPIRED' as const), {
        minLength: 3,
        maxLength: 3,
      });
      const names = fc.constantFrom('default', 'strict', 'gpg45', 'nist-800-63a-4');
      const turns = fc.record({ givesUp: fc.boolean(), policies: fc.array(names, { maxLength: 2 }) });
      await fc.assert(
        fc.asyncProperty(
          aStory(true),
          seeds,
          decisions,
          turns,
          async (story, order, answers, { givesUp, policies }) => {
            const ends = story.steps.flatMap((step): Step[] =>
              step.kind === 'submit' && givesUp
                ? [{ id: `end-${step.id}`, kind: 'give-up', evidence: step.evidence }]
                : [],
            );
            const switches = policies.map((name, nth): Step => ({ id: `policy-${nth}`, kind: 'policy', name }));
            const current = await play({ ...story, steps: [...story.steps, ...ends.slice(0, 1), ...switches] }, order);
            // An answer about one case may raise another: each is asked about at most once for each
            // reference.
            for (let asked = 0; asked < current.asked().length; asked += 1) {
              const { caseId, evidenceId } = current.asked()[asked]!;
              await current.decide(caseId, evidenceId, answers[asked % answers.length]!);
            }
            expect([...transient(current), ...wrongMoves(current.evaluations())]).toEqual([]);
          },
        ),
        RUNS,
      );
    },
    MINUTES,
  );
});
