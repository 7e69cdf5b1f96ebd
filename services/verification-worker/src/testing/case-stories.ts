import type { Consent } from '@assay/contracts';
import fc from 'fast-check';
import type { EvidenceFacts } from '../domain/facts.ts';
import { anEvidence, at } from './case-arbitraries.ts';
import { consentTo } from './case-builders.ts';
import { PERSONS, type Step } from './case-sequences.ts';

/** Everything that happens to one identity, and the distances between its faces. */
export interface Story {
  steps: Step[];
  distanceOf: (portraitId: string, referenceId: string) => number;
}

/** An issuer's answer about an evidence after the question: possibly nothing at first. */
const anAnswer = fc.record({
  first: fc.option(fc.constant('UNVERIFIED' as const), { nil: undefined }),
  last: fc.constantFrom('VERIFIED' as const, 'FAILED' as const, 'UNVERIFIED' as const),
});
const withoutIssuer = (current: EvidenceFacts): EvidenceFacts => ({
  ...current,
  participants: current.participants.filter(({ participantType }) => participantType !== 'GOV_VERIFICATION'),
});
const ASKED = ['documentImage', 'documentText', 'healthCard'];

export const consentChange = (revision: number, known: Consent[], removed: Consent[]): Step => ({
  id: `consents-${revision}`,
  kind: 'consents',
  data: {
    consentsRevision: revision,
    consents: known,
    change: removed.length > 0 ? { type: 'DELETE', consents: removed } : { type: 'ADD', consents: known },
    operationId: `operation-of-consents-${revision}`,
  },
});

/**
 * Everything that happens to one identity, not ordered yet. `adjudicating`: its tenant has
 * operators.
 */
export const aStory = (adjudicating: boolean) =>
  fc
    .array(
      fc.record({
        make: anEvidence,
        minute: fc.nat(9),
        person: fc.nat(PERSONS - 1),
        answer: anAnswer,
        asked: fc.boolean(),
        deleted: fc.integer({ min: 0, max: 3 }).map((one) => one === 0),
      }),
      { minLength: 1, maxLength: 5 },
    )
    .chain((made) =>
      fc
        .record({
          distances: fc.array(fc.constantFrom(0.2, 0.4, 0.59, 0.63, 0.8), { minLength: 25, maxLength: 25 }),
          withdrawn: fc.constantFrom<Consent['type'][]>([], [], ['GIV'], ['PORTRAIT']),
          givenAgain: fc.boolean(),
        })
        .map(({ distances, withdrawn, givenAgain }) => {
          const evidences = made.map(({ make, minute, asked }, index) => {
            const one = make(`evidence-${index}-00000000000000`);
            const settings = {
              ...one.settings,
              adjudication: { enabled: adjudicating, fourEyes: false, expirySeconds: 60 },
            };
            const bare = { ...one, settings, submitDateTime: at(minute) };
            const { awaitingIssuer: _none, ...sure } = bare;
            return asked && ASKED.includes(one.kind) ? { ...withoutIssuer(bare), awaitingIssuer: true } : sure;
          });
          const given = consentTo('GIV', 'PORTRAIT');
          const removed = given.filter(({ type }) => withdrawn.includes(type));
          const steps: Step[] = [
            consentChange(1, given, []),
            ...(removed.length > 0
              ? [
                  consentChange(
                    2,
                    given.filter((one) => !removed.includes(one)),
                    removed,
                  ),
                  ...(givenAgain ? [consentChange(3, given, [])] : []),
                ]
              : []),
            ...evidences.flatMap((evidence, index): Step[] => {
              const { evidenceId } = evidence;
              const { person, answer, deleted } = made[index]!;
              const says = (nth: number, result: 'VERIFIED' | 'FAILED' | 'UNVERIFIED'): Step => ({
                id: `answer-${index}-${nth}`,
                kind: 'answer',
                evidenceId,
                result,
              });
              return [
                { id: `submit-${index}`, kind: 'submit', evidence, person },
                // The same submission reissued, as by the reconciler.
                { id: `submit-${index}-again`, kind: 'submit', evidence, person },
                ...(deleted ? [{ id: `delete-${index}`, kind: 'delete', evidenceId } as const] : []),
                ...('awaitingIssuer' in evidence
                  ? [...(answer.first ? [says(1, answer.first)] : []), says(2, answer.last)]
                  : []),
              ];
            }),
          ];
          const place = (id: string) => Number(id.split('-')[1]);
          return { steps, distanceOf: (a: string, b: string) => distances[place(a) * 5 + place(b)]! };
        }),
    );

/**
 * The steps in an order that `seeds` decide, some of them twice. Answers come after the question.
 */
export const arranged = (steps: readonly Step[], seeds: readonly number[]): Step[] => {
  const seed = (nth: number) => seeds[nth % seeds.length]!;
  const twice = steps.flatMap((step, nth) => (seed(nth) % 3 === 0 ? [step, step] : [step]));
  return twice
    .map((step, nth) => ({ step, by: (seed(nth) * 7919 + nth * 104_729) % 1009 }))
    .sort((a, b) => a.by - b.by)
    .map(({ step }) => step);
};
export const seeds = fc.array(fc.nat(1000), { minLength: 5, maxLength: 12 });
