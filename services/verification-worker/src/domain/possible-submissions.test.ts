import { type EvidenceType, TEXT_DOCUMENT_TYPES } from '@assay/contracts';
import { shippedPolicies } from '@assay/policy';
import { describe, expect, test } from '@jest/globals';
import { settingsWith } from '../testing/case-builders.ts';
import { haveOwnTypes, type PossibleSubmission, possibleSubmissions, withoutTypes } from './possible-submissions.ts';

const policies = shippedPolicies();
const NAMES = ['default', 'strict', 'gpg45', 'nist-800-63a-4'];
const offers = (policy: string, sources: boolean) =>
  possibleSubmissions(
    policies.named(policy)!,
    settingsWith({ issuingSources: { enabled: sources, userCategory: 'COMMERCIAL' } }),
  );

describe.each(NAMES)('what a client can still submit under %s', (name) => {
  test('includes no issuing source if the tenant has none', () => {
    expect(offers(name, false).filter((offer) => offer.with === 'GIV')).toEqual([]);
    const kinds = offers(name, false).map(({ kind }) => kind);
    expect(kinds).not.toContain('documentText');
    expect(kinds).not.toContain('healthCard');
  });

  test('scores nothing beyond the strength of its type, and names no type twice in an offer', () => {
    for (const { score, strength, evidenceTypes } of offers(name, true)) {
      expect(Number(score.slice(-1))).toBeLessThanOrEqual(strength);
      expect(new Set(evidenceTypes).size).toBe(evidenceTypes.length);
    }
  });

  test('contains no kind that never counts', () => {
    const { kinds } = policies.named(name)!;
    for (const { kind } of offers(name, true)) expect(kinds[kind].counts).toBe(true);
  });

  test('sends only identity cards and licences to an issuing source by image', () => {
    const sent = offers(name, true).filter((offer) => offer.kind === 'documentImage' && offer.with === 'GIV');
    for (const { evidenceTypes } of sent)
      expect(evidenceTypes.every((type) => ['IDENTITY_CARD', 'DRIVING_LICENSE'].includes(type))).toBe(true);
  });
});

test('documents as text are one offer under the default policy, with every type an issuing source knows', () => {
  const text = offers('default', true).filter(({ kind }) => kind === 'documentText');
  expect(text.flatMap(({ evidenceTypes }) => evidenceTypes).sort()).toEqual([...TEXT_DOCUMENT_TYPES].sort());
  expect(text.every((offer) => offer.with === 'GIV' && !offer.face)).toBe(true);
});

const offer = (...evidenceTypes: EvidenceType[]): PossibleSubmission => ({
  kind: 'documentImage',
  evidenceTypes,
  score: 'LEVEL2',
  strength: 4,
  face: true,
  needsDocument: false,
});

describe('if only the best of each type counts', () => {
  test('types that count already are removed, and so are offers without a remaining type', () => {
    const left = withoutTypes([offer('PASSPORT', 'IDENTITY_CARD'), offer('PASSPORT')], ['PASSPORT']);
    expect(left).toEqual([offer('IDENTITY_CARD')]);
  });

  test.each<[string, PossibleSubmission[], boolean]>([
    ['no offer', [], true],
    ['two offers of one type', [offer('PASSPORT'), offer('PASSPORT')], false],
    ['two offers of two types', [offer('PASSPORT', 'VISA'), offer('PASSPORT')], true],
    [
      'a choice that has to be undone',
      [offer('PASSPORT', 'VISA'), offer('VISA', 'IDENTITY_CARD'), offer('PASSPORT')],
      true,
    ],
    ['three offers of two types', [offer('PASSPORT', 'VISA'), offer('PASSPORT', 'VISA'), offer('VISA')], false],
  ])('%s can each have a type of its own: %#', (_, some, expected) => {
    expect(haveOwnTypes(some)).toBe(expected);
  });
});
