import { LEVELS_OF_ASSURANCE, todayAt } from '@assay/contracts';
import { shippedPolicies } from '@assay/policy';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  AUTHENTIC,
  agreement,
  caseOf,
  documentChip,
  documentImage,
  documentText,
  GENUINE,
  PARTLY,
  portrait,
} from '../testing/case-builders.ts';
import { evaluateCase } from './evaluate-case.ts';
import type { CaseFacts, EvidenceFacts } from './facts.ts';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 1000);
const POLICIES = ['default', 'strict', 'gpg45', 'nist-800-63a-4'] as const;
const policies = shippedPolicies();

const evaluate = (name: (typeof POLICIES)[number], evidences: EvidenceFacts[], more: Partial<CaseFacts> = {}) =>
  evaluateCase({
    facts: caseOf(evidences, more),
    policy: policies.named(name)!,
    today: todayAt(new Date('2026-05-01')),
  });

const first = (name: (typeof POLICIES)[number], evidence: EvidenceFacts) => {
  const { status, score, ruleResult } = evaluate(name, [evidence]).evidences[0]!;
  return { status, score, strength: ruleResult.strength };
};

const WITHOUT_PROOF = GENUINE.filter((name) => !name.startsWith('ACTIVE_'));

describe.each(POLICIES)('under the policy %s, a chip', (name) => {
  test('that proves itself is VERIFIED at strength 4, which no image has', () => {
    expect(first(name, documentChip('chip'))).toMatchObject({ status: 'VERIFIED', strength: 'LEVEL4' });
    if (name === 'gpg45' || name === 'nist-800-63a-4')
      expect(first(name, documentImage('image', { type: 'PASSPORT' })).strength).not.toBe('LEVEL4');
  });

  test('of another type than declared is NOT_VERIFIED if the policy requires the declared one', () => {
    const raised = [...GENUINE, 'IDDOCUMENT_TYPE_COMPARE_FAILED'];
    expect(first(name, documentChip('chip', { raised })).status).toBe(name === 'strict' ? 'NOT_VERIFIED' : 'VERIFIED');
  });

  test('whose authority is unknown is NOT_VERIFIED', () => {
    const raised = ['PASSIVE_AUTHENTICATION_CHECK_UNVERIFIED', 'DATA_GROUP1_CHECK_OK', 'DOC_EXPIRATION_DATE_OK'];
    expect(first(name, documentChip('chip', { raised })).status).toBe('NOT_VERIFIED');
  });

  test.each([
    'PASOD_SIGNATURE_CHECK',
    'PASSIVE_AUTHENTICATION_HASH_CHECK',
    'PASSIVE_AUTHENTICATION_DOCUMENT_SIGNER_CHECK',
    'ACTIVE_AUTHENTICATION_CHECK',
    'CHIP_AUTHENTICATION_CHECK',
  ])('with %s_FAILED is INVALID, whatever else is right', (failed) => {
    const raised = [...GENUINE.filter((one) => !one.startsWith(failed)), `${failed}_FAILED`];
    expect(first(name, documentChip('chip', { raised })).status).toBe('INVALID');
  });

  test('that did not prove itself, as a clone cannot, never gets LEVEL4, whatever else is raised', () => {
    const unproven = (check: string) =>
      fc.constantFrom(...['FAILED', 'WARNING', 'UNVERIFIED'].map((state) => [`${check}_${state}`]), []);
    const others = fc.subarray([
      'PASOD_SIGNATURE_CHECK_OK',
      'PASSIVE_AUTHENTICATION_HASH_CHECK_OK',
      'PASSIVE_AUTHENTICATION_DOCUMENT_SIGNER_CHECK_OK',
      'BASIC_ACCESS_CONTROL_CHECK_UNVERIFIED',
      'TERMINAL_AUTHENTICATION_CHECK_UNVERIFIED',
      'DOC_SPECIMEN_FAILED',
    ]);
    const clone = fc
      .tuple(unproven('ACTIVE_AUTHENTICATION_CHECK'), unproven('CHIP_AUTHENTICATION_CHECK'), others)
      .map((parts) => [...WITHOUT_PROOF, ...parts.flat()]);
    fc.assert(
      fc.property(clone, fc.boolean(), (raised, besideImage) => {
        const image = documentImage('image', { type: 'PASSPORT' });
        const evidences = [documentChip('chip', { raised }), ...(besideImage ? [image] : []), portrait('selfie')];
        const [chip] = evaluate(name, evidences).evidences;
        expect(['LEVEL1', 'LEVEL2', 'LEVEL3', undefined]).toContain(chip!.score);
      }),
      { numRuns: Math.ceil(RUNS / POLICIES.length) },
    );
  });

  test('whose zone differs from the one printed in its image is not VERIFIED', () => {
    const image = documentImage('image', { type: 'PASSPORT' });
    const chip = documentChip('chip', { imageEvidenceId: 'image' });
    const { evidences } = evaluate(name, [chip, image], {
      agreements: [agreement('chip', 'image', 'AGREE', { zone: 'DISAGREE' })],
    });
    expect(evidences[0]!.raised).toContain('DATA_GROUP1_CHECK_FAILED');
    expect(evidences[0]!.status).not.toBe('VERIFIED');
  });
});

test('an image whose zone differs from its signed chip no longer counts, under any policy', () => {
  const image = documentImage('image', { type: 'PASSPORT', issuer: 'VERIFIED' });
  const chip = (raised: string[]) => documentChip('chip', { raised });
  const more = { agreements: [agreement('chip', 'image', 'AGREE', { sameDocument: true, zone: 'DISAGREE' })] };
  const unsigned = GENUINE.filter((one) => !one.startsWith('PASSIVE_')).concat('PASSIVE_AUTHENTICATION_CHECK_FAILED');
  for (const name of POLICIES) {
    const alone = evaluate(name, [image, portrait('selfie')]).level;
    expect(evaluate(name, [image, chip(unsigned), portrait('selfie')], more).level).toBe(alone);
    const beside = evaluate(name, [image, chip(GENUINE), portrait('selfie')], more);
    expect(beside.level).toBe('LOA0');
    const reason = beside.countedEvidence.notCounted.get('image');
    if (reason) expect(reason).toEqual({ because: 'DIFFERS_FROM_CHIP', as: 'chip' });
  }
});

test('image and chip of one document count once', () => {
  const image = documentImage('image', { type: 'PASSPORT' });
  const agreements = [agreement('chip', 'image', 'AGREE', { sameDocument: true })];
  for (const name of POLICIES) {
    const both = evaluate(name, [documentChip('chip'), image], { agreements });
    expect(both.level).toBe(evaluate(name, [documentChip('chip')]).level);
  }
});

describe.each(POLICIES)('under the policy %s, a chip whose face was not compared', (name) => {
  const { face: _seen, ...faceless } = documentChip('chip');
  const more = {
    agreements: [
      agreement('chip', 'page', 'AGREE', { sameDocument: true }),
      agreement('chip', 'text', 'AGREE'),
      agreement('page', 'text', 'AGREE'),
    ],
  };
  const rank = (evidences: EvidenceFacts[]) => LEVELS_OF_ASSURANCE.indexOf(evaluate(name, evidences, more).level);
  const pages = [AUTHENTIC, PARTLY].map((raised) => documentImage('page', { type: 'PASSPORT', raised }));

  test('does not belong to the person whose face matches its data page: only one of the two counts', () => {
    for (const page of pages)
      for (const others of [[], [documentText('text', { issuer: 'VERIFIED' })]]) {
        const pageAndFace = rank([page, ...others, portrait('selfie')]);
        const chipAlone = rank([faceless, ...others]);
        const all = rank([page, faceless, ...others, portrait('selfie')]);
        expect(all).toBe(Math.max(pageAndFace, chipAlone));
      }
  });

  test('does not count together with the portrait that matches a page of another document', () => {
    const rankOfAll = (evidences: EvidenceFacts[]) =>
      LEVELS_OF_ASSURANCE.indexOf(
        evaluate(name, evidences, {
          agreements: [
            agreement('chip', 'page', 'AGREE'),
            agreement('chip', 'text', 'AGREE'),
            agreement('page', 'text', 'AGREE'),
          ],
        }).level,
      );
    for (const page of pages)
      for (const others of [[], [documentText('text', { issuer: 'VERIFIED' })]]) {
        const withoutChip = rankOfAll([page, ...others, portrait('selfie')]);
        const withoutPortrait = rankOfAll([page, faceless, ...others]);
        const all = rankOfAll([page, faceless, ...others, portrait('selfie')]);
        expect(all).toBe(Math.max(withoutChip, withoutPortrait));
      }
  });

  test('belongs to the person whose face was compared with it', () => {
    const page = pages[1]!;
    const selfie = portrait('selfie');
    const [seen, unseen] = [rank([page, documentChip('chip'), selfie]), rank([page, faceless, selfie])];
    expect(seen).toBeGreaterThan(unseen);
  });
});
