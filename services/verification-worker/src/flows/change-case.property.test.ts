import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { ERRORS } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { consentTo, documentImage, portrait, settingsWith } from '../testing/case-builders.ts';
import { type Evaluated, type Step, startCase } from '../testing/case-sequences.ts';
import { arranged, aStory, consentChange, type Story, seeds } from '../testing/case-stories.ts';

// These properties use node:assert: an `expect` creates an error first, which takes a tenth of
// their time.
const RUNS = { numRuns: Number(process.env.PROPERTY_RUNS ?? 300) };
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

/** Every status in which an evidence was published, with what it was compared with. */
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
 * Transitions that are not allowed: only a portrait whose reference has changed or is absent may
 * leave INVALID, and no revision may be skipped.
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

/** Open cases without an evidence in ADJUDICATION, and the other way round. */
const unmatched = (current: ReturnType<typeof startCase>): string[] => {
  const { evidences, deleted } = current.present();
  // The gateway closes the cases of a deleted evidence by itself.
  const open = current.openCases().filter((evidenceId) => !deleted.includes(evidenceId));
  const waiting = evidences.flatMap(({ evidenceId, lastPublished }) =>
    lastPublished?.status === 'ADJUDICATION' ? [evidenceId] : [],
  );
  const [one, other] = [open.toSorted(), waiting.toSorted()];
  return isDeepStrictEqual(one, other) ? [] : [`open: ${one}; in adjudication: ${other}`];
};

/**
 * Whether a value contains an undefined or null member. Storing would lose it, so a value that is
 * published again would never equal the stored one.
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

/**
 * Whether a portrait's consent was withdrawn. A mismatch that was found before the withdrawal
 * stays, and none is found after it, so its status depends on the order.
 */
const isWithdrawnPortrait = ({
  type,
  errors = [],
}: {
  type: string;
  errors?: readonly { code: string }[] | undefined;
}) => type === 'PORTRAIT' && errors.some(({ code }) => code === ERRORS.CONSENT_MISSING.code);

/** The result of a case: everything that was published except its time and the number of steps. */
const visiblePart = (current: ReturnType<typeof startCase>): string => {
  const { evidences, lastPublished } = current.present();
  const { evaluationDateTime: _at, ...identity } = lastPublished ?? { evaluationDateTime: '' };
  return JSON.stringify([
    // If every submission was deleted before it arrived, nothing was published.
    evidences.length > 0 ? identity : 'nothing',
    evidences
      .map(({ evidenceId, lastPublished: one }) => [
        evidenceId,
        ...(isWithdrawnPortrait(one!)
          ? ['without consent']
          : [
              [one!.status, one!.score, one!.errors, one!.proof.parent],
              [one!.positiveIndicators, one!.warningIndicators, one!.unverifiedIndicators].map((list) =>
                list.toSorted(),
              ),
            ]),
      ])
      .sort(),
  ]);
};

describe('a question to operators', () => {
  const adjudication = { enabled: true, fourEyes: false, expirySeconds: 60 };
  const [document, selfie] = ['evidence-0-00000000000000', 'evidence-1-00000000000000'];
  const given = consentTo('GIV', 'PORTRAIT');
  const withoutPortrait = given.filter(({ type }) => type !== 'PORTRAIT');

  /** A selfie that is neither similar enough nor different enough. */
  const asking = async (distanceOf: Parameters<typeof startCase>[0] = () => 0.59) => {
    const current = startCase(distanceOf);
    await current.take(consentChange(1, given, []));
    await current.take({ id: 'document', kind: 'submit', evidence: documentImage(document), person: 0 });
    const evidence = portrait(selfie, { settings: settingsWith({ adjudication }) });
    await current.take({ id: 'selfie', kind: 'submit', evidence, person: 3 });
    return current;
  };
  const status = (current: ReturnType<typeof startCase>): string | undefined =>
    current.present().evidences.find(({ evidenceId }) => evidenceId === selfie)?.lastPublished?.status;

  test('is withdrawn with the consent, and asked anew when the consent is given again', async () => {
    const current = await asking();
    expect([status(current), current.openCases()]).toEqual(['ADJUDICATION', [selfie]]);
    await current.take(consentChange(2, withoutPortrait, given.slice(1)));
    expect([status(current), current.openCases()]).toEqual(['NOT_VERIFIED', []]);
    expect(current.withdrawn()).toMatchObject([{ reason: 'CONSENT_WITHDRAWN', evidenceId: selfie }]);
    const [first] = current.asked();
    // The expiry of the withdrawn case is no answer to the new one.
    await current.decide(first!.caseId, selfie, 'EXPIRED');
    await current.take(consentChange(3, given, []));
    expect([status(current), current.openCases()]).toEqual(['ADJUDICATION', [selfie]]);
    expect(current.asked()[1]!.caseId).not.toBe(first!.caseId);
    await current.decide(first!.caseId, selfie, 'REJECT');
    expect(status(current)).toBe('ADJUDICATION');
    await current.decide(current.asked()[1]!.caseId, selfie, 'ACCEPT');
    expect(status(current)).toBe('VERIFIED');
  });

  test('that operators decided before its withdrawal arrived is decided', async () => {
    const current = await asking();
    await current.take(consentChange(2, withoutPortrait, given.slice(1)));
    await current.decide(current.asked()[0]!.caseId, selfie, 'ACCEPT');
    expect(status(current)).toBe('NOT_VERIFIED');
    await current.take(consentChange(3, given, []));
    expect([status(current), current.openCases()]).toEqual(['VERIFIED', []]);
  });

  test('changes with the reference, and there is none without a reference', async () => {
    const current = await asking();
    const better = 'evidence-2-00000000000000';
    const evidence = documentImage(better, { issuer: 'VERIFIED' });
    await current.take({ id: 'better', kind: 'submit', evidence, person: 0 });
    expect(current.withdrawn()).toMatchObject([{ reason: 'REFERENCE_CHANGED' }]);
    expect(current.openCases()).toEqual([selfie]);
    await current.take({ id: 'policy', kind: 'policy', name: 'default' });
    expect(current.asked()).toHaveLength(2);
    for (const evidenceId of [document, better])
      await current.take({ id: `delete-${evidenceId}`, kind: 'delete', evidenceId });
    expect([status(current), current.openCases()]).toEqual(['NOT_VERIFIED', []]);
  });

  test.each([
    ['PAPER_COPY', 'INVALID'],
    ['PORTRAIT_SUBSTITUTION', 'VERIFIED'],
  ])('that is answered with %s is %s beside a better reference', async (reason, expected) => {
    const better = 'evidence-2-00000000000000';
    const current = await asking((_selfie, shown) => (shown === better ? 0.4 : 0.59));
    await current.decide(current.asked()[0]!.caseId, selfie, 'REJECT', [reason]);
    expect(status(current)).toBe('INVALID');
    const evidence = documentImage(better, { issuer: 'VERIFIED' });
    await current.take({ id: 'better', kind: 'submit', evidence, person: 0 });
    expect([status(current), current.openCases()]).toEqual([expected, []]);
  });

  test.each(['before', 'after'])(
    'is a new one where a document that came %s the answer shows its photograph',
    async (when) => {
      const copied = 'evidence-2-00000000000000';
      const current = await asking((_selfie, shown) => (shown === copied ? 0.1 : 0.59));
      const [first] = current.asked();
      const evidence = documentImage(copied, { submitDateTime: '2026-05-01T10:05:00.000' });
      const add = () => current.take({ id: 'copied', kind: 'submit', evidence, person: 0 });
      if (when === 'before') await add();
      await current.decide(first!.caseId, selfie, 'ACCEPT');
      if (when === 'after') {
        expect(status(current)).toBe('VERIFIED');
        await add();
      }
      expect([status(current), current.openCases()]).toEqual(['ADJUDICATION', [selfie]]);
      const [, second] = current.asked();
      expect(second).toMatchObject({ raisedIndicators: expect.arrayContaining(['SELFIE_SAME_AS_DOCUMENT_WARNING']) });
      await current.decide(second!.caseId, selfie, 'ACCEPT');
      expect([status(current), current.openCases()]).toEqual(['VERIFIED', []]);
      await current.take({ id: 'gone', kind: 'delete', evidenceId: copied });
      expect([status(current), current.openCases()]).toEqual(['VERIFIED', []]);
    },
  );
});

test('simultaneous messages of one case do not undo each other', async () => {
  const current = startCase(() => 0.4);
  const ids = Array.from({ length: 20 }, (_, at) => `evidence-${at}-`.padEnd(26, '0'));
  const submissions = ids.map((id) => ({ id, kind: 'submit' as const, evidence: documentImage(id), person: 0 }));
  await Promise.all(submissions.map((step) => current.take(step)));
  expect(current.present().evidences.map(({ evidenceId }) => evidenceId)).toEqual(ids);
});

describe('any sequence of submissions, deletions, duplicates, consents and late answers', () => {
  test(
    'has the same result in any order, leaves nothing transient, and nothing leaves INVALID except by the portrait rows',
    async () => {
      await fc.assert(
        fc.asyncProperty(aStory(false), seeds, seeds, async (story, one, other) => {
          const deletedIds = story.steps.flatMap((step) => (step.kind === 'delete' ? [step.evidenceId] : []));
          const [first, second] = [await play(story, one), await play(story, other)];
          assert.equal(visiblePart(first), visiblePart(second));
          for (const played of [first, second]) {
            const back = played.present().evidences.filter(({ evidenceId }) => deletedIds.includes(evidenceId));
            const wrong = [...transient(played), ...wrongMoves(played.evaluations()), ...unstorable(played)];
            assert.deepEqual([...wrong, ...back], []);
          }
        }),
        RUNS,
      );
    },
    MINUTES,
  );

  test(
    'also if operators decide or do not, work fails for good, and the policy changes',
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
            const apart = unmatched(current);
            // A decision about one case may raise another, or withdraw one. Operators may have
            // decided a withdrawn case before its withdrawal arrived.
            for (let asked = 0; asked < current.asked().length; asked += 1) {
              const { caseId, evidenceId } = current.asked()[asked]!;
              await current.decide(caseId, evidenceId, answers[asked % answers.length]!);
              apart.push(...unmatched(current));
            }
            assert.deepEqual(apart, []);
            assert.deepEqual([...transient(current), ...wrongMoves(current.evaluations())], []);
          },
        ),
        RUNS,
      );
    },
    MINUTES,
  );
});
