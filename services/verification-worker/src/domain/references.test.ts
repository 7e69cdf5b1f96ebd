import { todayAt } from '@assay/contracts';
import { shippedPolicies } from '@assay/policy';
import { describe, expect, test } from '@jest/globals';
import {
  agreement,
  caseOf,
  documentImage,
  documentText,
  PARTLY,
  portraitReference,
  statement,
} from '../testing/case-builders.ts';
import { evaluateCase } from './evaluate-case.ts';
import type { EvidenceFacts, FieldAgreement, StatementResult } from './facts.ts';
import {
  consistencyIndicators,
  contextOfStatement,
  mismatchesOf,
  nameReferenceOf,
  portraitReferenceOf,
} from './references.ts';

const policy = shippedPolicies().named('default')!;
const outcomesOf = (...evidences: EvidenceFacts[]) =>
  evaluateCase({ facts: caseOf(evidences), policy, today: todayAt(new Date('2026-05-01')) }).evidences;

const at = (second: number) => ({ submitDateTime: `2026-05-01T10:00:0${second}.000` });
const INVALID = { raised: ['MODEL_RECOGNIZED_OK', 'DOC_EXPIRATION_DATE_FAILED'] };
const id = (found: { facts: EvidenceFacts } | undefined) => found?.facts.evidenceId;

describe('the name reference', () => {
  test.each<[string, EvidenceFacts[], string | undefined]>([
    ['is none without a document', [statement('a', 'attributes')], undefined],
    ['is no document that is INVALID', [documentImage('a', INVALID)], undefined],
    [
      'is the best-scored document',
      [documentImage('weak', { raised: PARTLY, ...at(1) }), documentImage('strong', at(2))],
      'strong',
    ],
    ['is the earlier one on a tie', [documentImage('later', at(2)), documentImage('earlier', at(1))], 'earlier'],
    ['may be a document as text', [documentText('text')], 'text'],
  ])('%s', (_, evidences, expected) => {
    const outcomes = outcomesOf(...evidences);
    expect(id(nameReferenceOf(outcomes))).toBe(expected);
    expect(id(nameReferenceOf(outcomes.toReversed()))).toBe(expected);
  });
});

describe('the portrait reference', () => {
  test.each<[string, EvidenceFacts[], string | undefined]>([
    ['is no document without a face', [documentText('text')], undefined],
    [
      'is the best-scored document with a face',
      [documentText('text'), documentImage('image', { raised: PARTLY })],
      'image',
    ],
    [
      'is the PORTRAIT_REFERENCE while no document shows a face',
      [portraitReference('enrolled'), documentText('text')],
      'enrolled',
    ],
    [
      'is a document rather than the PORTRAIT_REFERENCE',
      [portraitReference('enrolled'), documentImage('image')],
      'image',
    ],
    ['is the newest PORTRAIT_REFERENCE', [portraitReference('new', at(2)), portraitReference('old', at(1))], 'new'],
  ])('%s', (_, evidences, expected) => {
    expect(id(portraitReferenceOf(outcomesOf(...evidences)))).toBe(expected);
  });
});

describe('stated attributes', () => {
  const stated = statement('stated', 'attributes');
  const document = documentImage('document');
  const contextWith = (fields: Parameters<typeof agreement>[3]) =>
    contextOfStatement(
      caseOf([document, stated], { agreements: [agreement('document', 'stated', 'AGREE', fields)] }),
      stated,
      outcomesOf(document),
      policy,
    );

  test.each<[string, StatementResult, StatementResult, string, string, boolean]>([
    ['are confirmed', 'ALL', 'ALL', 'OK', 'OK', true],
    ['are confirmed without names', 'ALL', 'NONE', 'OK', 'UNVERIFIED', true],
    ['are confirmed in part', 'SOME', 'ALL', 'WARNING', 'OK', true],
    ['are contradicted by another surname', 'CONTRADICTED', 'CONTRADICTED', 'FAILED', 'FAILED', true],
    ['are contradicted, though the names are the same', 'CONTRADICTED', 'ALL', 'FAILED', 'OK', true],
    ['are unverified where nothing can be compared', 'NONE', 'NONE', 'UNVERIFIED', 'UNVERIFIED', false],
  ])('%s', (_, all, names, validity, nameStatus, referred) => {
    const { derived, referenceId } = contextWith({ statement: { all, names } });
    expect(derived).toEqual([`ATTRIBUTES_VALIDITY_${validity}`, `NAME_CONSISTENCY_CHECK_${nameStatus}`]);
    expect(referenceId).toBe(referred ? 'document' : undefined);
  });

  test('are unverified without a verified document', () => {
    expect(contextOfStatement(caseOf([stated]), stated, [], policy)).toEqual({
      derived: ['ATTRIBUTES_VALIDITY_UNVERIFIED', 'NAME_CONSISTENCY_CHECK_UNVERIFIED'],
    });
  });
});

describe('a stated address', () => {
  const stated = statement('stated', 'address');
  const [first, second] = [documentImage('first', at(1)), documentImage('second', at(2))];
  const contextWith = (a: FieldAgreement, b: FieldAgreement, names: FieldAgreement = 'AGREE') =>
    contextOfStatement(
      caseOf([first, second, stated], {
        agreements: [
          agreement('first', 'stated', a),
          agreement('stated', 'second', b),
          agreement('first', 'second', names),
        ],
      }),
      stated,
      outcomesOf(first, second),
      policy,
    );

  test.each([
    ['AGREE', 'DISAGREE', 'OK', 'first'],
    ['DISAGREE', 'AGREE', 'OK', 'second'],
    ['UNKNOWN', 'AGREE', 'OK', 'second'],
    ['DISAGREE', 'UNKNOWN', 'FAILED', undefined],
    ['UNKNOWN', 'UNKNOWN', 'UNVERIFIED', undefined],
  ] as const)('that two documents %s and %s is %s by %s', (a, b, status, referenceId) => {
    const context = contextWith(a, b);
    expect(context.derived).toEqual([`ADDRESS_CONSISTENCY_CHECK_${status}`]);
    expect(context.referenceId).toBe(referenceId);
  });

  test.each(['DISAGREE', 'UNKNOWN'] as const)('depends on no document whose holder %s with the reference', (names) => {
    const context = contextWith('UNKNOWN', 'AGREE', names);
    expect(context).toEqual({ derived: ['ADDRESS_CONSISTENCY_CHECK_UNVERIFIED'] });
  });
});

test('a further document shows how its names compare, not its date of birth', () => {
  const indicatorsWith = (more: Parameters<typeof agreement>[3]) =>
    consistencyIndicators(agreement('a', 'b', 'AGREE', more));
  expect(indicatorsWith({ dateOfBirth: 'DISAGREE' })).toEqual(['NAME_CONSISTENCY_CHECK_OK']);
  expect(indicatorsWith({ givenNames: 'DISAGREE' })).toEqual(['NAME_CONSISTENCY_CHECK_FAILED']);
  expect(indicatorsWith({ givenNames: 'UNKNOWN' })).toEqual(['NAME_CONSISTENCY_CHECK_UNVERIFIED']);
  expect(indicatorsWith({ surname: 'DISAGREE', givenNames: 'UNKNOWN' })).toEqual(['NAME_CONSISTENCY_CHECK_FAILED']);
  expect(consistencyIndicators(undefined)).toEqual(['NAME_CONSISTENCY_CHECK_UNVERIFIED']);
});

test('what disagrees and what is unknown are distinguished; without an agreement everything is unknown', () => {
  const one = agreement('a', 'b', 'AGREE', { surname: 'DISAGREE', dateOfBirth: 'UNKNOWN' });
  expect(mismatchesOf(one, ['surname', 'givenNames', 'dateOfBirth'])).toEqual({
    disagree: ['surname'],
    unknown: ['dateOfBirth'],
  });
  expect(mismatchesOf(undefined, ['surname', 'dateOfBirth'])).toEqual({
    disagree: [],
    unknown: ['surname', 'dateOfBirth'],
  });
});
