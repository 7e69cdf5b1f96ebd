import { type Consent, type ConsentFacts, todayAt } from '@assay/contracts';
import { shippedPolicies } from '@assay/policy';
import { describe, expect, test } from '@jest/globals';
import { agreement, caseOf, consentTo, documentImage, documentText, statement } from '../testing/case-builders.ts';
import type { Case, SealedParts } from './case.ts';
import { unconfirmed, withIssuerAnswer, withoutIssuer } from './confirmed-data.ts';
import { evaluateCase } from './evaluate-case.ts';
import { type EvidenceData, shownOf } from './evidence-data.ts';
import { type Agreement, agreementOf, type CaseFacts, type EvidenceFacts } from './facts.ts';
import { publicationOf } from './publication.ts';
import { factsInForce } from './set-aside.ts';

const policy = shippedPolicies().named('default')!;
const DAY = new Date('2026-05-01T10:00:00Z');
const [GIV] = consentTo('GIV') as [Consent];
const ANEW: Consent = { ...GIV, consentId: 'consent-given-anew-00000' };
const [PORTRAIT] = consentTo('PORTRAIT') as [Consent];

const given: ConsentFacts = { known: [GIV, PORTRAIT], revision: 1, deleted: [] };
const withdrawn: ConsentFacts = { known: [PORTRAIT], revision: 2, deleted: [GIV.consentId] };
const refused: ConsentFacts = { ...given, known: [...given.known, { ...ANEW, approved: false }], revision: 2 };
const givenAnew: ConsentFacts = { known: [PORTRAIT, ANEW], revision: 3, deleted: [GIV.consentId] };

/**
 * A card whose machine-readable zone covers the name and the gender, but neither the height nor the
 * address.
 */
const read = (): EvidenceData => ({
  idDocumentData: {
    idDocumentType: 'IDENTITY_CARD',
    personalAttributes: {
      surname: { value: 'SPECIMEN', verified: true },
      gender: { value: 'F', verified: true },
      height: { value: '170', verified: false },
    },
    address: { streetDetails: { streetLines: ['1 HIGH ST'], verified: false }, city: 'BERLIN', verified: false },
  },
  confirmed: ['surname', 'gender'],
  person: { surname: 'SPECIMEN' },
});
const OK = ['SURNAME', 'HEIGHT', 'ADDRESS_STREET', 'ADDRESS_CITY'].map((one) => `${one}_COMPARE_OK`);
const answered = (...more: string[]) =>
  withIssuerAnswer(read(), { raised: ['GIV_VERIFICATION_VERIFIED', ...OK, ...more] });

describe('the data of a document without the confirmation of its issuer', () => {
  test('are those that were read before', () => {
    expect(JSON.stringify(shownOf(answered()))).not.toContain('false');
    expect(shownOf(withoutIssuer(answered()))).toEqual(shownOf(read()));
    expect(withoutIssuer(answered()).confirmed).toEqual(['surname', 'gender']);
  });

  test('lack what the issuer denied', () => {
    const { confirmed, idDocumentData } = withoutIssuer(answered('GENDER_COMPARE_FAILED'));
    expect(confirmed).toEqual(['surname']);
    expect(idDocumentData?.personalAttributes).toMatchObject({
      surname: { verified: true },
      gender: { verified: false },
      height: { verified: false },
    });
  });

  test('are not stored for an answer that confirms nothing', () => {
    const data = withIssuerAnswer(read(), { raised: ['GIV_VERIFICATION_UNVERIFIED'] });
    expect(data).not.toHaveProperty('confirmedWithoutIssuer');
    expect(shownOf(data)).toEqual(shownOf(read()));
  });

  test('are unconfirmed if a former version did not store what was read', () => {
    const { confirmedWithoutIssuer: _left, ...former } = answered();
    expect(shownOf(withoutIssuer(former))).toEqual(unconfirmed(shownOf(read())));
  });
});

const card = (more: Parameters<typeof documentImage>[1] = {}) => documentImage('card', { issuer: 'VERIFIED', ...more });
const REST: Partial<Agreement> = { statementWithoutIssuer: { all: 'NONE', names: 'NONE' } };
const beside = (document: EvidenceFacts, more: Partial<Agreement> = REST, consents = given): CaseFacts =>
  caseOf([document, statement('home', 'address')], {
    agreements: [agreement('card', 'home', 'AGREE', more)],
    consents,
  });
const evaluate = (facts: CaseFacts, at = DAY) => evaluateCase({ facts, policy, today: todayAt(at) });
const statusesOf = (facts: CaseFacts, at?: Date) =>
  evaluate(facts, at).evidences.map(({ status, score }) => [status, score]);

const WITH = [
  ['VERIFIED', 'LEVEL3'],
  ['VERIFIED', 'LEVEL1'],
];
const WITHOUT = [
  ['VERIFIED', 'LEVEL2'],
  ['NOT_VERIFIED', undefined],
];

describe('a statement that depends on the confirmation of an issuer', () => {
  test.each([
    ['given', given, WITH],
    ['withdrawn', withdrawn, WITHOUT],
    ['refused', refused, WITHOUT],
    ['given again', givenAnew, WITH],
  ])('with the consent %s', (_, consents, statuses) => {
    expect(statusesOf(beside(card(), REST, consents))).toEqual(statuses);
  });

  test('is set aside by the date alone, once the period of the consent is over', () => {
    const ending = [{ ...GIV, validityPeriod: { to: '2026-06-30' } }, PORTRAIT];
    const facts = beside(card({ consents: ending }), REST, { ...given, known: ending });
    expect(statusesOf(facts, new Date('2026-06-30T23:59:59Z'))).toEqual(WITH);
    expect(statusesOf(facts, new Date('2026-07-01T00:00:00Z'))).toEqual(WITHOUT);
  });

  test('retains what is confirmed without the issuer', () => {
    const covered = { statementWithoutIssuer: { all: 'ALL', names: 'ALL' } } as const;
    expect(statusesOf(beside(card(), covered, withdrawn))[1]).toEqual(['VERIFIED', 'LEVEL1']);
  });

  test('of a former version counts with the consent alone', () => {
    expect(statusesOf(beside(card(), {}, given))).toEqual(WITH);
    expect(statusesOf(beside(card(), {}, withdrawn))).toEqual(WITHOUT);
  });

  test('of a former version that was contradicted stays so', () => {
    const facts = { ...beside(card(), {}, withdrawn), agreements: [agreement('card', 'home', 'DISAGREE')] };
    expect(evaluate(facts).evidences[1]!.raised).toEqual(['ADDRESS_CONSISTENCY_CHECK_FAILED']);
  });

  test('does not change if the issuer has confirmed nothing', () => {
    expect(statusesOf(beside(card({ issuer: 'UNVERIFIED' }), {}, withdrawn))[1]).toEqual(['VERIFIED', 'LEVEL1']);
  });
});

test('text agrees with nothing while the confirmation of its issuer is set aside, but is still the same document', () => {
  const agreements = [agreement('picture', 'text', 'AGREE', { sameDocument: true })];
  const facts = caseOf([documentImage('picture'), documentText('text')], { agreements, consents: withdrawn });
  const { facts: inForce, evidences } = evaluate(facts);
  const unknown = { surname: 'UNKNOWN', givenNames: 'UNKNOWN', dateOfBirth: 'UNKNOWN', address: 'UNKNOWN' };
  expect(agreementOf(inForce, 'picture', 'text')).toMatchObject({ ...unknown, sameDocument: true });
  expect(evidences[1]!.raised).toContain('NAME_CONSISTENCY_CHECK_UNVERIFIED');
  expect(factsInForce({ ...facts, consents: given }, todayAt(DAY)).agreements).toBe(agreements);
});

describe('what is published', () => {
  const SEALED: Record<string, SealedParts> = {
    card: { ifVerified: 'card', otherwise: 'card denied', withoutIssuer: { ifVerified: 'card as read' } },
    home: {
      ifVerified: 'home',
      otherwise: 'home denied',
      agreed: { card: 'home as agreed' },
      withoutIssuer: { agreed: { card: 'home as read' } },
    },
  };
  const shown = (facts: CaseFacts, sealed = SEALED) => {
    const current: Case = {
      ...{ _id: 'identity', tenantId: 'tenant', revision: 1, deleted: [] },
      ...facts,
      evidences: facts.evidences.map((one) => ({ ...one, sealed: sealed[one.evidenceId]!, crops: [], media: [] })),
    };
    const { entries } = publicationOf(current, evaluate(current), { policy, at: '2026-05-01T10:00:05.000' });
    return entries.map(({ sealedData }) => sealedData);
  };
  const SOME: Partial<Agreement> = { statementWithoutIssuer: { all: 'ALL', names: 'ALL' } };

  test.each([
    ['given', given, ['card', 'home as agreed']],
    ['withdrawn', withdrawn, ['card as read', 'home as read']],
    ['given again', givenAnew, ['card', 'home as agreed']],
  ])('with the consent %s', (_, consents, views) => {
    expect(shown(beside(card(), SOME, consents))).toEqual(views);
  });

  test('of a statement that is no longer confirmed is unconfirmed', () => {
    expect(shown(beside(card(), REST, withdrawn))).toEqual(['card as read', 'home denied']);
  });

  test('of a case of a former version is unconfirmed without the consent', () => {
    const former = { card: { ifVerified: 'card', otherwise: 'card denied' }, home: SEALED.home! };
    expect(shown(beside(card(), {}, given), former)).toEqual(['card', 'home as agreed']);
    expect(shown(beside(card(), {}, withdrawn), former)).toEqual(['card denied', 'home denied']);
  });
});
