import { todayAt } from '@assay/contracts';
import { shippedPolicies } from '@assay/policy';
import { describe, expect, test } from '@jest/globals';
import {
  caseOf,
  compared,
  documentChip,
  documentImage,
  GENUINE,
  portrait,
  settingsWith,
} from '../testing/case-builders.ts';
import { requestAdjudications } from './adjudication.ts';
import type { Case, CaseEvidence } from './case.ts';
import { evaluateCase } from './evaluate-case.ts';
import type { EvidenceFacts } from './facts.ts';

const policy = shippedPolicies().named('default')!;
const settings = settingsWith({ adjudication: { enabled: true, fourEyes: false, expirySeconds: 60 } });
const at = new Date('2026-05-01T10:00:00Z');

const withMedia = (facts: EvidenceFacts, labels: readonly string[]): CaseEvidence => ({
  ...facts,
  settings,
  sealed: {},
  crops: [],
  media: labels.map((label) => ({ mediaId: `${facts.evidenceId}-${label}`, label })),
});

const undecided = (policy.faces.matchWithoutReview + policy.faces.refuse) / 2;

const newSelfie = (): CaseEvidence => withMedia(portrait('selfie'), ['PORTRAIT']);

/**
 * The questions to operators about a selfie that is neither similar enough nor different enough.
 */
const askedOf = (
  documents: readonly CaseEvidence[],
  selfie = newSelfie(),
  distanceTo: (evidenceId: string) => number = () => undecided,
) => {
  const evidences = [...documents, selfie];
  const facts = caseOf(evidences, {
    comparisons: documents.map(({ evidenceId }) => compared('selfie', evidenceId, distanceTo(evidenceId))),
  });
  const current: Case = { _id: 'case', tenantId: 'tenant', revision: 1, deleted: [], ...facts, evidences };
  const evaluation = evaluateCase({ facts, policy, today: todayAt(new Date('2026-05-01')) });
  const { requests, after } = requestAdjudications(current, evaluation, {
    at,
    newId: () => 'a-case',
    faces: policy.faces,
  });
  const [request] = requests;
  return [request, after.evidences.find(({ evidenceId }) => evidenceId === 'selfie')!] as const;
};

describe('the question to operators', () => {
  test("shows the chip's portrait, the printed one and the selfie, and the results of the chip", () => {
    const image = withMedia(documentImage('image', { type: 'PASSPORT' }), ['FRONT', 'CROP']);
    const [request] = askedOf([image, withMedia(documentChip('chip'), ['CROP'])]);
    expect(request!.media).toEqual([
      { mediaId: 'selfie-PORTRAIT', label: 'PORTRAIT' },
      { mediaId: 'image-CROP', label: 'REFERENCE_CROP' },
      { mediaId: 'chip-CROP', label: 'CHIP_CROP' },
    ]);
    expect(request!.chips).toEqual([
      { evidenceId: 'chip', status: 'VERIFIED', raisedIndicators: expect.arrayContaining(GENUINE) },
    ]);
  });

  test('shows another document whose photograph the selfie is', () => {
    const passport = withMedia(documentImage('passport', { type: 'PASSPORT' }), ['FRONT', 'CROP']);
    const licence = withMedia(
      documentImage('licence', { type: 'DRIVING_LICENSE', submitDateTime: '2026-05-01T10:05:00.000' }),
      ['FRONT', 'CROP'],
    );
    const [request] = askedOf([passport, licence], newSelfie(), (id) => (id === 'licence' ? 0.05 : undecided));
    expect(request!.raisedIndicators).toContain('SELFIE_SAME_AS_DOCUMENT_WARNING');
    expect(request!.media).toEqual([
      { mediaId: 'selfie-PORTRAIT', label: 'PORTRAIT' },
      { mediaId: 'passport-FRONT', label: 'REFERENCE_FRONT' },
      { mediaId: 'passport-CROP', label: 'REFERENCE_CROP' },
      { mediaId: 'licence-FRONT', label: 'PHOTOGRAPHED_FRONT' },
      { mediaId: 'licence-CROP', label: 'PHOTOGRAPHED_CROP' },
    ]);
  });

  test('says how far apart the faces are, and the limits of the policy', () => {
    const [request] = askedOf([withMedia(documentImage('image'), ['FRONT', 'CROP'])]);
    const { samePhoto, match, refuse } = policy.faces;
    expect(request!.similarity).toEqual({ distance: undecided, samePhoto, match, refuse });
  });

  test('shows a chip with a failed check, too', () => {
    const image = withMedia(documentImage('image', { type: 'PASSPORT' }), ['FRONT', 'CROP']);
    const raised = ['PASSIVE_AUTHENTICATION_HASH_CHECK_FAILED', 'PASSIVE_AUTHENTICATION_CHECK_FAILED'];
    const [request] = askedOf([image, withMedia(documentChip('chip', { raised }), [])]);
    expect(request!.chips).toMatchObject([{ status: 'INVALID' }]);
    expect(request!.media.map(({ label }) => label)).toEqual(['PORTRAIT', 'REFERENCE_FRONT', 'REFERENCE_CROP']);
  });

  test('has no chips if none was read', () => {
    const [request] = askedOf([withMedia(documentImage('image'), ['FRONT', 'CROP'])]);
    expect(request).not.toHaveProperty('chips');
    expect(request!.media.map(({ label }) => label)).toEqual(['PORTRAIT', 'REFERENCE_FRONT', 'REFERENCE_CROP']);
  });

  test('adds a chip that is read later to the same case, once', () => {
    const image = withMedia(documentImage('image', { type: 'PASSPORT' }), ['FRONT', 'CROP']);
    // The chip is not genuine, so the selfie is still compared with the printed portrait.
    const chip = withMedia(documentChip('chip', { raised: ['PASSIVE_AUTHENTICATION_CHECK_FAILED'] }), []);
    const [first, waiting] = askedOf([image]);
    expect(first).not.toHaveProperty('chips');
    const [none, unchanged] = askedOf([image], waiting);
    expect([none, unchanged]).toEqual([undefined, waiting]);
    const [again, known] = askedOf([image, chip], waiting);
    expect(again).toMatchObject({ ...first, chips: [{ evidenceId: 'chip' }] });
    expect(askedOf([image, chip], known)[0]).toBeUndefined();
  });
});
