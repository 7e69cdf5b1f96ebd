import assert from 'node:assert/strict';
import { type EvidenceType, todayAt } from '@assay/contracts';
import { shippedPolicies } from '@assay/policy';
import { describe, test } from '@jest/globals';
import fc from 'fast-check';
import { at, without } from '../testing/case-arbitraries.ts';
import {
  AUTHENTIC,
  agreement,
  caseOf,
  contact,
  documentChip,
  documentImage,
  documentText,
  GENUINE,
  healthCard,
  PARTLY,
  portrait,
} from '../testing/case-builders.ts';
import { rankOf } from './assurance.ts';
import { assessCase } from './evaluate-case.ts';
import { type CaseFacts, type EvidenceFacts, isDocument } from './facts.ts';

const policies = shippedPolicies();
const names = policies.list().map(({ name }) => name);
const today = todayAt(new Date('2026-05-01'));
const RUNS = { numRuns: Number(process.env.PROPERTY_RUNS ?? 300) };

/** One submission of an honest person; `number` tells documents of one type apart. */
interface Submission {
  how: 'authentic' | 'partly' | 'confirmed' | 'signed' | 'genuine' | 'text' | 'selfie' | 'card' | 'mail';
  type: EvidenceType;
  number: number;
  face: boolean;
}

const SIGNED = GENUINE.filter((indicator) => !indicator.startsWith('ACTIVE'));

const evidenceOf = ({ how, type }: Submission, id: string): EvidenceFacts => {
  switch (how) {
    case 'selfie':
      return portrait(id);
    case 'card':
      return healthCard(id);
    case 'mail':
      return contact(id, 'EMAIL');
    case 'text':
      return documentText(id, { type });
    case 'genuine':
      return documentChip(id, { type });
    case 'signed':
      return documentChip(id, { type, raised: SIGNED });
    default:
      return documentImage(id, {
        type,
        raised: how === 'partly' ? PARTLY : AUTHENTIC,
        issuer: how === 'confirmed' ? 'VERIFIED' : 'UNVERIFIED',
      });
  }
};

const made = (submission: Submission, id: string): EvidenceFacts => {
  const { face, ...one } = evidenceOf(submission, id);
  return face && (submission.face || one.kind === 'portrait') ? { ...one, face } : one;
};

const aSubmission: fc.Arbitrary<Submission> = fc.record({
  how: fc.constantFrom<Submission['how'][]>(
    ...(['authentic', 'partly', 'confirmed', 'signed', 'genuine', 'text'] as const),
    ...(['selfie', 'selfie', 'card', 'mail'] as const),
  ),
  type: fc.constantFrom<EvidenceType[]>('PASSPORT', 'IDENTITY_CARD', 'DRIVING_LICENSE'),
  number: fc.integer({ min: 1, max: 2 }),
  face: fc.boolean(),
});

const someSubmissions = fc.array(aSubmission, { minLength: 1, maxLength: 6 });

/** The submissions of one person, in this order of time: all agree, and every portrait matches. */
const caseIn = (submissions: readonly Submission[], order: readonly number[]): CaseFacts => {
  const evidences = submissions.map((submission, index) => ({
    ...made(submission, `evidence-${index}`),
    submitDateTime: at(order[index]!),
  }));
  const isSame = (a: number, b: number): boolean => {
    const [one, other] = [evidences[a]!, evidences[b]!];
    if (!isDocument(one) || !isDocument(other)) return false;
    return one.type === other.type && submissions[a]!.number === submissions[b]!.number;
  };
  return caseOf(evidences, {
    agreements: evidences.flatMap((one, a) =>
      evidences
        .slice(a + 1)
        .map((other, index) =>
          agreement(one.evidenceId, other.evidenceId, 'AGREE', { sameDocument: isSame(a, a + 1 + index) }),
        ),
    ),
  });
};

const inOrder = (submissions: readonly Submission[]) => caseIn(submissions, [...submissions.keys()]);

describe.each(names)('the evidence of an honest person under %s', (name) => {
  const assess = (facts: CaseFacts) => assessCase({ facts, policy: policies.named(name)!, today });

  test('reaches no lower level with one more evidence', () => {
    fc.assert(
      fc.property(someSubmissions, fc.nat(5), (submissions, which) => {
        const facts = inOrder(submissions);
        const added = facts.evidences[which % facts.evidences.length]!.evidenceId;
        const [before, after] = [assess(without(facts, added)).level, assess(facts).level];
        assert.ok(rankOf(after) >= rankOf(before), `${before} without ${added}, ${after} with it`);
      }),
      RUNS,
    );
  });

  test('reaches the same level in whatever order it is submitted', () => {
    fc.assert(
      fc.property(
        someSubmissions,
        fc.array(fc.integer({ min: 0, max: 59 }), { minLength: 6, maxLength: 6 }),
        (submissions, order) => {
          assert.equal(assess(caseIn(submissions, order)).level, assess(inOrder(submissions)).level);
        },
      ),
      RUNS,
    );
  });

  test('reaches no lower level with a document in a former name that is not the name reference', () => {
    fc.assert(
      fc.property(someSubmissions, aSubmission, fc.nat(59), (submissions, last, minute) => {
        const facts = inOrder([...submissions, last]);
        const former = `evidence-${submissions.length}`;
        const renamed: CaseFacts = {
          ...facts,
          evidences: facts.evidences.map((one) =>
            one.evidenceId === former ? { ...one, submitDateTime: at(minute) } : one,
          ),
          agreements: facts.agreements.map((one) =>
            one.a === former || one.b === former ? agreement(one.a, one.b, 'DISAGREE') : one,
          ),
        };
        if (last.how === 'selfie') return;
        const [before, after] = [assess(without(renamed, former)), assess(renamed)];
        if (after.nameReferenceId === former) return;
        assert.ok(rankOf(after.level) >= rankOf(before.level), `${before.level} without it, ${after.level} with it`);
      }),
      RUNS,
    );
  });
});
