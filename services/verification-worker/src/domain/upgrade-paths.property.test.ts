import assert from 'node:assert/strict';
import { type EvidenceType, LEVELS_OF_ASSURANCE, type PathStep, todayAt } from '@assay/contracts';
import { shippedPolicies } from '@assay/policy';
import { describe, test } from '@jest/globals';
import fc from 'fast-check';
import { aCase, at } from '../testing/case-arbitraries.ts';
import {
  AUTHENTIC,
  agreement,
  caseOf,
  compared,
  consentTo,
  contact,
  documentChip,
  documentImage,
  documentText,
  GENUINE,
  healthCard,
  PARTLY,
  portrait,
  statement,
} from '../testing/case-builders.ts';
import { rankOf } from './assurance.ts';
import { assessCase, type CaseEvaluation, evaluateCase } from './evaluate-case.ts';
import { type CaseFacts, type EvidenceFacts, type FieldAgreement, isDocument } from './facts.ts';
import { MATCHED } from './possible-submissions.ts';

const policies = shippedPolicies().list();
const policy = shippedPolicies().named('default')!;
const today = todayAt(new Date('2026-05-01'));
const evaluate = (facts: CaseFacts, under = policy) => evaluateCase({ facts, policy: under, today });
const assess = (facts: CaseFacts, under = policy) => assessCase({ facts, policy: under, today });
// These properties use node:assert: an `expect` creates an error first, which takes a tenth of
// their time.
const RUNS = { numRuns: Number(process.env.PROPERTY_RUNS ?? 300) };

/** A successful submission for a step of a path. */
const taken = (step: PathStep, index: number, type = step.evidenceTypes[0]!): EvidenceFacts => {
  const id = `taken-${index}`;
  const submitDateTime = at(30 + index);
  const giv = step.with?.includes('GIV');
  if (type === 'PORTRAIT')
    return portrait(id, {
      submitDateTime,
      participants: [{ ...portrait(id).participants[0]!, raisedIndicators: MATCHED.slice(0, 1) }],
    });
  if (type === 'MEDICARE') return healthCard(id, 'VERIFIED', { submitDateTime });
  if (type === 'EMAIL' || type === 'MOBILE_OTP') return contact(id, type, { submitDateTime });
  if (type === 'ATTRIBUTES') return statement(id, 'attributes', { submitDateTime });
  if (step.with?.includes('CHIP')) return documentChip(id, { type, submitDateTime, raised: GENUINE });
  if (giv && step.evidenceTypes.includes('VISA')) return documentText(id, { type, submitDateTime });
  return documentImage(id, {
    type,
    submitDateTime,
    raised: step.score === 'LEVEL1' ? PARTLY : AUTHENTIC,
    issuer: giv ? 'VERIFIED' : 'UNVERIFIED',
  });
};

/** Follows every step, each with a type of its own if one is left. */
const takenUp = (steps: readonly PathStep[]): EvidenceFacts[] => {
  const choose = (at: number, used: EvidenceType[]): EvidenceType[] | undefined => {
    if (at === steps.length) return used;
    for (const type of steps[at]!.evidenceTypes) {
      const rest = used.includes(type) ? undefined : choose(at + 1, [...used, type]);
      if (rest) return rest;
    }
    return undefined;
  };
  const types = choose(0, []);
  return steps.map((step, at) => taken(step, at, types?.[at]));
};

/**
 * The case after evidence of the same person was added. It agrees with the name reference and
 * everything that agrees with it, and its face matches. A portrait that was refused or left
 * undecided stays so.
 */
const followed = (
  facts: CaseFacts,
  added: EvidenceFacts[],
  before: CaseEvaluation,
  twins: ReadonlyMap<string, string> = new Map(),
): CaseFacts => {
  const reference = before.nameReferenceId;
  const same = (id: string): FieldAgreement => {
    if (!reference || id === reference) return 'AGREE';
    const pair = facts.agreements.find(({ a, b }) => (a === id && b === reference) || (b === id && a === reference));
    return pair?.surname ?? 'UNKNOWN';
  };
  const all = [...facts.evidences, ...added];
  const isSame = ({ evidenceId }: EvidenceFacts): boolean => {
    const outcome = before.evidences.find(({ facts: one }) => one.evidenceId === evidenceId);
    return !outcome || outcome.status === 'VERIFIED' || outcome.context.referenceId === undefined;
  };
  const known = (p: string, r: string) =>
    facts.comparisons.some((one) => one.portraitId === p && one.referenceId === r);
  const faces = all.filter(({ face, kind }) => face && kind !== 'portrait');
  return {
    ...facts,
    evidences: all,
    agreements: [
      ...facts.agreements,
      ...added.flatMap((one, index) => [
        ...facts.evidences.map((other) =>
          agreement(one.evidenceId, other.evidenceId, same(other.evidenceId), {
            sameDocument: twins.get(one.evidenceId) === other.evidenceId,
          }),
        ),
        ...added.slice(index + 1).map((other) =>
          agreement(one.evidenceId, other.evidenceId, 'AGREE', {
            sameDocument: twins.get(other.evidenceId) === one.evidenceId,
          }),
        ),
      ]),
    ],
    comparisons: [
      ...facts.comparisons,
      ...all
        .filter(({ kind }) => kind === 'portrait')
        .flatMap((one) =>
          faces
            .filter(({ evidenceId }) => !known(one.evidenceId, evidenceId))
            .map((other) => compared(one.evidenceId, other.evidenceId, isSame(one) ? 0.4 : 0.8)),
        ),
    ],
  };
};

/**
 * Documents of a path that may be the same as those that count already or those of earlier steps:
 * all that need not be other documents, if `choice` selects them.
 */
const twinsOf = (
  path: readonly PathStep[],
  added: readonly EvidenceFacts[],
  before: CaseEvaluation,
  choice: number,
): Map<string, string> => {
  const counted = before.countedEvidence.counted.map(({ outcome }) => outcome.facts);
  const twins = new Map<string, string>();
  for (const [at, one] of added.entries()) {
    const mustDiffer = path[at]!.with?.some((need) => need.startsWith('OTHER_')) === true;
    const like = [...counted, ...added.slice(0, at)].filter(
      (other) => isDocument(one) && isDocument(other) && other.type === one.type,
    );
    const twin = like[(choice + at) % (like.length + 1)];
    if (!mustDiffer && twin) twins.set(one.evidenceId, twin.evidenceId);
  }
  return twins;
};

/**
 * Everything that a client can submit with success, one step for each type, independent of the code
 * that makes the paths.
 */
const ANYTHING: PathStep[] = [
  ...(['PASSPORT', 'IDENTITY_CARD', 'RESIDENT_CARD', 'DRIVING_LICENSE'] as const).flatMap((type): PathStep[] => [
    { evidenceTypes: [type], score: 'LEVEL1' },
    { evidenceTypes: [type], score: 'LEVEL2' },
  ]),
  { evidenceTypes: ['IDENTITY_CARD'], score: 'LEVEL3', with: ['GIV'] },
  { evidenceTypes: ['DRIVING_LICENSE'], score: 'LEVEL3', with: ['GIV'] },
  ...(['PASSPORT', 'IDENTITY_CARD', 'RESIDENT_CARD', 'DRIVING_LICENSE', 'VISA'] as const).map(
    (type): PathStep => ({ evidenceTypes: [type, 'VISA'], score: 'LEVEL2', with: ['GIV'] }),
  ),
  { evidenceTypes: ['MEDICARE'], score: 'LEVEL1', with: ['GIV'] },
  { evidenceTypes: ['ATTRIBUTES'], score: 'LEVEL1' },
  { evidenceTypes: ['EMAIL'], score: 'LEVEL1' },
  { evidenceTypes: ['MOBILE_OTP'], score: 'LEVEL1' },
  { evidenceTypes: ['PORTRAIT'], score: 'LEVEL2' },
];

describe('upgrade paths', () => {
  test.each(policies.map(({ name }) => name))(
    'under %s, each reaches its level when followed with success',
    (name) => {
      const current = shippedPolicies().named(name)!;
      fc.assert(
        fc.property(aCase, fc.nat(), (facts, choice) => {
          const granted = { ...facts, consents: { known: consentTo('GIV', 'PORTRAIT'), revision: 9, deleted: [] } };
          const before = evaluate(granted, current);
          const all = Object.entries(before.upgradePaths).flatMap(([level, paths]) =>
            paths.map((path) => ({ level, path })),
          );
          if (all.length === 0) return;
          const { level, path } = all[choice % all.length]!;
          const added = takenUp(path);
          const twins = twinsOf(path, added, before, choice);
          const after = assess(followed(granted, added, before, twins), current);
          const reaches = rankOf(after.level) >= LEVELS_OF_ASSURANCE.indexOf(level as 'LOA1');
          assert.ok(reaches, `a path to ${level} leads to ${after.level}`);
        }),
        RUNS,
      );
    },
    900_000,
  );

  test('say if a chip must belong to another document than the one that counts', () => {
    const image = caseOf([documentImage('a', { type: 'PASSPORT' })]);
    const chips = Object.entries(evaluate(image).upgradePaths).flatMap(([level, paths]) =>
      paths.filter((path) => path.some((step) => step.with?.includes('CHIP'))).map((path) => ({ level, path })),
    );
    // For a chip alone, or with a selfie, the chip of the document that counts is enough.
    assert.deepEqual(
      chips.find(({ path }) => path.length === 2 && path[1]?.evidenceTypes[0] === 'PORTRAIT')?.path[0]?.with,
      ['CHIP'],
    );
    const both = chips.find(({ level, path }) => level === 'LOA2' && path.length === 1)!;
    assert.deepEqual(both.path[0]!.with, ['CHIP', 'OTHER_DOCUMENT']);
  });

  test('have the own chip and a portrait beside a weaker chip that must be of another document', () => {
    const { LOA4 = [] } = evaluate(caseOf([documentImage('a', { type: 'PASSPORT' })])).upgradePaths;
    const chipAndPortrait = LOA4.filter(
      ([chip, selfie, ...rest]) =>
        chip?.with?.includes('CHIP') && selfie?.evidenceTypes[0] === 'PORTRAIT' && rest.length === 0,
    );
    assert.deepEqual(
      chipAndPortrait.map(([chip]) => [chip!.score, chip!.with]),
      [
        ['LEVEL3', ['CHIP', 'OTHER_DOCUMENT']],
        ['LEVEL4', ['CHIP']],
      ],
    );
  });

  test.each(policies.map(({ name }) => name))(
    'under %s, miss no shorter way: no three submissions reach a level that a path of as few does not',
    (name) => {
      const current = shippedPolicies().named(name)!;
      const some = fc.array(fc.constantFrom(...ANYTHING), { minLength: 1, maxLength: 3 });
      fc.assert(
        fc.property(aCase, some, (facts, steps) => {
          const granted = { ...facts, consents: { known: consentTo('GIV', 'PORTRAIT'), revision: 9, deleted: [] } };
          const before = evaluate(granted, current);
          const after = assess(followed(granted, takenUp(steps), before), current);
          if (rankOf(after.level) <= rankOf(before.level)) return;
          const shortest = Math.min(...(before.upgradePaths[after.level] ?? []).map((path) => path.length));
          assert.ok(
            shortest <= steps.length,
            `${after.level} in ${steps.length} steps, the shortest path has ${shortest}`,
          );
        }),
        RUNS,
      );
    },
    900_000,
  );
});
