import { todayAt } from '@assay/contracts';
import { type Policy, shippedPolicies } from '@assay/policy';
import { describe, expect, test } from '@jest/globals';
import {
  AUTHENTIC,
  agreement,
  caseOf,
  compared,
  contact,
  documentChip,
  documentImage,
  documentText,
  healthCard,
  PARTLY,
  participant,
  portrait,
  portraitReference,
  settingsWith,
  statement,
} from '../testing/case-builders.ts';
import { type Case, withEvidence, withoutEvidence } from './case.ts';
import { evaluateCase } from './evaluate-case.ts';
import { type CaseFacts, type EvidenceFacts, noFacts } from './facts.ts';

const policy: Policy = shippedPolicies().named('default')!;
const today = todayAt(new Date('2026-05-01'));
const evaluate = (facts: CaseFacts, more: Partial<Parameters<typeof evaluateCase>[0]> = {}) =>
  evaluateCase({ facts, policy, today, ...more });
const alone = (evidence: EvidenceFacts) => {
  const { status, score, errors, isAdjudicable } = evaluate(caseOf([evidence])).evidences[0]!;
  return { status, ...(score && { score }), errors: errors.map(({ code }) => code), isAdjudicable };
};
const verified = (score: string) => ({ status: 'VERIFIED', score, errors: [], isAdjudicable: false });

describe('a document by images (specification, Evaluation)', () => {
  test.each([
    ['authenticity partly', { raised: PARTLY }, verified('LEVEL1')],
    ['authenticity', {}, verified('LEVEL2')],
    ['authenticity and the issuer', { issuer: 'VERIFIED' }, verified('LEVEL3')],
    ['a type whose strength is LEVEL2', { type: 'VISA' as const, issuer: 'VERIFIED' }, verified('LEVEL2')],
    ['no face on it', { raised: AUTHENTIC.filter((name) => name !== 'PORTRAIT_OK') }, verified('LEVEL1')],
    [
      'an issuer that knows no such document',
      { issuer: 'FAILED' },
      { status: 'INVALID', errors: ['1582'], isAdjudicable: false },
    ],
    [
      'expired',
      { raised: AUTHENTIC.map((name) => name.replace('DATE_OK', 'DATE_FAILED')) },
      { status: 'INVALID', errors: ['1501'], isAdjudicable: false },
    ],
    [
      'wrong check digits on a good picture',
      { raised: AUTHENTIC.map((name) => name.replace('CHECKSUMS_OK', 'CHECKSUMS_FAILED')) },
      { status: 'INVALID', errors: ['1504'], isAdjudicable: false },
    ],
    [
      'wrong check digits on a blurred one',
      {
        raised: [
          ...AUTHENTIC.map((name) => name.replace('CHECKSUMS_OK', 'CHECKSUMS_FAILED')),
          'BLUR_IMAGE_QUALITY_FRONT_WARNING',
        ],
      },
      { status: 'NOT_VERIFIED', errors: ['1504'], isAdjudicable: false },
    ],
    [
      'a name that is printed otherwise',
      { raised: [...AUTHENTIC, 'OCR_SURNAME_WARNING'] },
      { status: 'NOT_VERIFIED', errors: ['1585'], isAdjudicable: true },
    ],
    [
      'a portrait that may have been replaced',
      { raised: [...AUTHENTIC, 'PORTRAIT_SUBSTITUTION_WARNING'] },
      { status: 'NOT_VERIFIED', errors: ['1585'], isAdjudicable: true },
    ],
    ['another type than declared', { raised: [...AUTHENTIC, 'IDDOCUMENT_TYPE_COMPARE_FAILED'] }, verified('LEVEL2')],
    [
      'a licence without machine-readable part that its issuer knows',
      { raised: ['MODEL_RECOGNIZED_OK', 'DOC_EXPIRATION_DATE_OK', 'PORTRAIT_OK'], issuer: 'VERIFIED' },
      verified('LEVEL2'),
    ],
  ])('%s', (_, more, expected) => {
    expect(alone(documentImage('a', more))).toEqual(expected);
  });

  test('a specimen is refused unless the tenant accepts specimens', () => {
    const raised = [...AUTHENTIC, 'DOC_SPECIMEN_FAILED'];
    expect(alone(documentImage('a', { raised }))).toEqual(verified('LEVEL2'));
    const strict = documentImage('a', { raised, settings: settingsWith({ acceptSpecimens: false }) });
    expect(alone(strict)).toMatchObject({ status: 'INVALID', errors: ['1504'] });
  });

  test('a portrait that may have been replaced goes to operators under every policy, who may accept it', () => {
    const settings = settingsWith({ adjudication: { enabled: true, fourEyes: false, expirySeconds: 60 } });
    const raised = [...AUTHENTIC, 'VISUAL_SECURITY_OK', 'PORTRAIT_SUBSTITUTION_WARNING'];
    const evaluated = (given: readonly string[]) =>
      shippedPolicies()
        .list()
        .map((one) => evaluate(caseOf([documentImage('a', { settings, raised: [...given] })]), { policy: one }))
        .map(({ evidences }) => evidences[0]!);
    const doubted = evaluated(raised);
    expect(doubted.map(({ status }) => status)).toEqual(doubted.map(() => 'ADJUDICATION'));
    expect(doubted.map(({ adjudicationReasons }) => adjudicationReasons)).toEqual(
      doubted.map(() => ['PORTRAIT_DOUBTED']),
    );
    const accepted = evaluated([...raised, 'DOCUMENT_ADJUDICATION_OK']);
    expect(accepted.map(({ status }) => status)).toEqual(accepted.map(() => 'VERIFIED'));
  });

  test('security print is mandatory in the strict policy only, and no participant can verify it yet', () => {
    const facts = caseOf([documentImage('a')]);
    const strict = shippedPolicies().named('strict')!;
    const [one] = evaluateCase({ facts, policy: strict, today }).evidences;
    expect(one).toMatchObject({ status: 'NOT_VERIFIED', ruleResult: { missing: ['VISUAL_SECURITY'] } });
    const steps = Object.values(evaluateCase({ facts, policy: strict, today }).upgradePaths).flat(2);
    const shown = steps.filter(({ evidenceTypes }) => !evidenceTypes.includes('PORTRAIT'));
    expect(shown.every(({ with: needs = [] }) => needs.includes('GIV') || needs.includes('CHIP'))).toBe(true);
  });

  test('evidence that a blocking participant refused ends NOT_VERIFIED with its errors', () => {
    const refused = participant('IMAGE_OCR', [], {
      participantState: 'REJECTED',
      errors: [{ code: '1500', message: 'unreadable' }],
    });
    expect(alone({ ...documentImage('a'), participants: [refused] })).toMatchObject({
      status: 'NOT_VERIFIED',
      errors: ['1500'],
    });
  });

  test('evidence that a blocking participant refused is INVALID if it raised a fault, and both are named', () => {
    const refused = participant('NFC_CHIP_VERIFICATION', ['PASSIVE_AUTHENTICATION_HASH_CHECK_FAILED'], {
      participantState: 'REJECTED',
      errors: [{ code: '1500', message: 'unreadable' }],
    });
    expect(alone({ ...documentChip('a'), participants: [refused] })).toMatchObject({
      status: 'INVALID',
      errors: ['1504', '1500'],
    });
  });
});

describe('documents as text, health cards', () => {
  test('the issuer decides', () => {
    expect(alone(documentText('a'))).toEqual(verified('LEVEL2'));
    expect(alone(documentText('a', { issuer: 'FAILED' }))).toMatchObject({ status: 'INVALID', errors: ['1582'] });
    expect(alone(documentText('a', { issuer: 'UNVERIFIED' }))).toMatchObject({
      status: 'NOT_VERIFIED',
      errors: ['1583'],
    });
    expect(alone(healthCard('a'))).toEqual(verified('LEVEL1'));
    expect(alone(healthCard('a', 'FAILED'))).toMatchObject({ status: 'INVALID' });
  });

  test.each(['FIRSTNAME', 'SURNAME'])(
    'a %s that differs or was not compared blocks, but not if it is similar',
    (name) => {
      for (const status of ['FAILED', 'UNVERIFIED']) {
        const issuer = participant('GOV_VERIFICATION', ['GIV_VERIFICATION_VERIFIED', `${name}_COMPARE_${status}`]);
        expect(alone({ ...documentText('a'), participants: [issuer] }).status).not.toBe('VERIFIED');
        const near = { ...issuer, raisedIndicators: [...issuer.raisedIndicators!, `${name}_FUZZY_COMPARE_OK`] };
        const { ruleResult, status: mitigated } = evaluate(caseOf([{ ...documentText('a'), participants: [near] }]))
          .evidences[0]!;
        expect(mitigated).toBe('VERIFIED');
        expect(ruleResult.mitigations).toEqual([
          {
            mitigatedIndicators: [[`${name}_COMPARE_${status}`]],
            mitigatingIndicators: [`${name}_FUZZY_COMPARE_OK`],
          },
        ]);
      }
    },
  );

  test('a document that waits for its issuer is PROCESSING', () => {
    const waiting = { ...documentText('a', { issuer: 'NONE' }), awaitingIssuer: true };
    expect(alone(waiting)).toMatchObject({ status: 'PROCESSING', errors: [] });
  });
});

describe('a portrait', () => {
  const levels = (facts: CaseFacts) =>
    evaluate(facts).evidences.map(({ facts: { evidenceId }, status, score }) => [evidenceId, status, score]);

  test('takes the level of the document it matches, and none without a reference', () => {
    expect(levels(caseOf([portrait('p')]))).toEqual([['p', 'NOT_VERIFIED', undefined]]);
    expect(evaluate(caseOf([portrait('p')])).evidences[0]!.errors[0]!.code).toBe('1572');
    expect(levels(caseOf([documentImage('d', { issuer: 'VERIFIED' }), portrait('p')]))[1]).toEqual([
      'p',
      'VERIFIED',
      'LEVEL3',
    ]);
  });

  test.each([
    [0.2, false, 'NOT_VERIFIED', '1573'],
    [0.4, false, 'VERIFIED', undefined],
    [0.59, false, 'VERIFIED', undefined],
    [0.59, true, 'ADJUDICATION', undefined],
    [0.63, false, 'NOT_VERIFIED', '1573'],
    [0.7, false, 'INVALID', '1571'],
    [0.7, true, 'INVALID', '1571'],
  ])('at a distance of %d (operators: %s) is %s', (distance, enabled, status, code) => {
    const settings = settingsWith({ adjudication: { enabled, fourEyes: false, expirySeconds: 60 } });
    const facts = caseOf([documentImage('d'), portrait('p', { settings })], {
      comparisons: [compared('p', 'd', distance)],
    });
    const one = evaluate(facts).evidences[1]!;
    expect([one.status, one.errors[0]?.code]).toEqual([status, code]);
  });

  test('changes directly with its reference: another one, none', () => {
    const low = documentImage('a', { submitDateTime: '2026-05-01T09:00:00.000' });
    const high = documentImage('b', { issuer: 'VERIFIED' });
    const comparisons = [compared('p', 'a', 0.4), compared('p', 'b', 0.8)];
    const status = (...evidences: EvidenceFacts[]) =>
      evaluate(caseOf([...evidences, portrait('p')], { comparisons }), {
        former: new Map([['p', { status: 'INVALID', referenceId: 'another' }]]),
      }).evidences.at(-1)!.status;
    expect(status(low)).toBe('VERIFIED');
    expect(status(low, high)).toBe('INVALID');
    expect(status()).toBe('NOT_VERIFIED');
  });

  test('has a PORTRAIT_REFERENCE as reference while no document is VERIFIED', () => {
    const facts = caseOf([portraitReference('r'), portrait('p')]);
    expect(levels(facts)).toEqual([
      ['p', 'VERIFIED', 'LEVEL1'],
      ['r', 'VERIFIED', 'LEVEL1'],
    ]);
    expect(evaluate(facts)).toMatchObject({ portraitReferenceId: 'r', level: 'LOA0' });
    expect(levels({ ...facts, comparisons: [compared('p', 'r', 0)] })).toEqual(levels(facts));
    expect(evaluate(caseOf([portraitReference('r'), documentImage('d')])).portraitReferenceId).toBe('d');
  });
});

describe('consents', () => {
  const withdrawn = (type: 'PORTRAIT' | 'GIV', facts: CaseFacts): CaseFacts => ({
    ...facts,
    consents: {
      known: facts.consents.known.filter((one) => one.type !== type),
      revision: 2,
      deleted: facts.consents.known.filter((one) => one.type === type).map(({ consentId }) => consentId),
    },
  });

  test('without consent a portrait is not VERIFIED, and is again when consent is given again', () => {
    const facts = caseOf([documentImage('d'), portrait('p')]);
    expect(evaluate(withdrawn('PORTRAIT', facts)).evidences[1]).toMatchObject({
      status: 'NOT_VERIFIED',
      errors: [{ code: '3001' }],
      consentApproved: false,
    });
    expect(evaluate(facts).evidences[1]!.status).toBe('VERIFIED');
  });

  test('a withdrawal sets the comparison of a portrait aside, but not that it was INVALID', () => {
    const alike = withdrawn('PORTRAIT', caseOf([documentImage('d'), portrait('p')]));
    expect(evaluate(alike).evidences[1]!.raised).toContain('BIOMETRIC_MATCHING_CHECK_UNVERIFIED');
    const different = withdrawn(
      'PORTRAIT',
      caseOf([documentImage('d'), portrait('p')], { comparisons: [compared('p', 'd', 0.9)] }),
    );
    expect(evaluate(different).evidences[1]).toMatchObject({ status: 'NOT_VERIFIED', errors: [{ code: '3001' }] });
    const former = new Map([['p', { status: 'INVALID' as const, referenceId: 'd' }]]);
    expect(evaluate(different, { former }).evidences[1]!.status).toBe('INVALID');
  });

  test("an issuer's confirmation is set aside with the consent, its denial is not", () => {
    const confirmed = withdrawn('GIV', caseOf([documentImage('d', { issuer: 'VERIFIED' }), documentText('t')]));
    expect(evaluate(confirmed).evidences.map(({ score, status }) => score ?? status)).toEqual([
      'LEVEL2',
      'NOT_VERIFIED',
    ]);
    expect(evaluate(withdrawn('GIV', caseOf([documentText('t', { issuer: 'FAILED' })]))).evidences[0]!.status).toBe(
      'INVALID',
    );
  });

  test('consents that have not arrived yet count as they were at the submission', () => {
    const facts = caseOf([documentImage('d'), portrait('p')], { consents: { known: [], revision: 0, deleted: [] } });
    expect(evaluate(facts).evidences[1]!.status).toBe('VERIFIED');
  });
});

describe('the level of assurance', () => {
  const level = (...evidences: EvidenceFacts[]) => evaluate(caseOf(evidences)).level;
  const l1 = (id: string) => documentImage(id, { raised: PARTLY, type: 'PASSPORT' });
  const l2 = (id: string) => documentImage(id, { type: 'PASSPORT' });
  const l3 = (id: string) => documentImage(id, { issuer: 'VERIFIED' });

  test('follows the profiles of the decisions', () => {
    expect(level()).toBe('LOA0');
    expect(level(l1('a'))).toBe('LOA0');
    expect(level(l2('a'))).toBe('LOA1');
    expect(level(l1('a'), portrait('p'))).toBe('LOA1');
    expect(level(l2('a'), portrait('p'))).toBe('LOA2');
    expect(level(documentText('a'), l2('b'))).toBe('LOA2');
    expect(level(l3('a'), portrait('p'))).toBe('LOA3');
    expect(level(l2('a'), documentText('b'), portrait('p'))).toBe('LOA3');
    expect(level(l3('a'), l2('b'), portrait('p'))).toBe('LOA4');
    expect(level(l3('a'), l3('b'), portrait('p'))).toBe('LOA5');
    expect(level(l3('a'), l3('b'), documentText('c'), portrait('p'))).toBe('LOA6');
  });

  test('counts one document once', () => {
    const twice = [l2('a'), l2('b')];
    const facts = caseOf(twice, { agreements: [agreement('a', 'b', 'AGREE', { sameDocument: true })] });
    expect(evaluate(facts).level).toBe('LOA1');
    expect(evaluate(facts).countedEvidence.notCounted.get('b')).toEqual({ because: 'SAME_DOCUMENT', as: 'a' });
  });

  test('does not count a document of another person, nor a portrait that matches it', () => {
    const text = documentText('a', { submitDateTime: '2026-05-01T09:00:00.000' });
    const facts = caseOf([text, l2('b'), portrait('p')], { agreements: [agreement('a', 'b', 'DISAGREE')] });
    const { level: reached, countedEvidence, evidences, nameReferenceId } = evaluate(facts);
    expect([reached, nameReferenceId]).toEqual(['LOA1', 'a']);
    expect(evidences.map(({ status }) => status)).toEqual(['VERIFIED', 'VERIFIED', 'VERIFIED']);
    expect(countedEvidence.notCounted.get('b')).toMatchObject({ because: 'DISAGREES_WITH_REFERENCE' });
    expect(countedEvidence.notCounted.get('p')).toEqual({ because: 'REFERENCE_NOT_COUNTED' });
    expect(evidences[1]!.raised).toContain('NAME_CONSISTENCY_CHECK_FAILED');
  });
});

describe('statements and contacts', () => {
  test('are compared with the verified documents', () => {
    const facts = caseOf([
      documentImage('d'),
      statement('s', 'attributes'),
      statement('w', 'address'),
      contact('c', 'EMAIL'),
    ]);
    expect(evaluate(facts).evidences.map(({ status, score }) => [status, score])).toEqual([
      ['VERIFIED', 'LEVEL1'],
      ['VERIFIED', 'LEVEL2'],
      ['VERIFIED', 'LEVEL1'],
      ['VERIFIED', 'LEVEL1'],
    ]);
    const differing = { ...facts, agreements: facts.agreements.map((one) => agreement(one.a, one.b, 'DISAGREE')) };
    expect(evaluate(differing).evidences.map(({ status }) => status)).toEqual([
      'VERIFIED',
      'VERIFIED',
      'NOT_VERIFIED',
      'NOT_VERIFIED',
    ]);
    expect(evaluate(caseOf([statement('s', 'attributes')])).evidences[0]).toMatchObject({
      status: 'NOT_VERIFIED',
      errors: [{ code: '1572' }],
    });
  });
});

describe('a portrait sent right after its document', () => {
  const selfie = portrait('p', { awaits: ['d'] });
  const statusAfter = (...evidences: EvidenceFacts[]) =>
    evaluate(caseOf([...evidences, selfie])).evidences.find(({ facts }) => facts.evidenceId === 'p')?.status;

  test.each<[string, EvidenceFacts[], string]>([
    ['waits until the document has arrived', [], 'PROCESSING'],
    ['waits while its issuer has not answered', [documentImage('d', { awaitingIssuer: true })], 'PROCESSING'],
    ['is VERIFIED with it', [documentImage('d')], 'VERIFIED'],
    ['is NOT_VERIFIED where the document is not verified', [documentImage('d', { raised: [] })], 'NOT_VERIFIED'],
    [
      'is NOT_VERIFIED where the document ended',
      [documentImage('d', { endedBy: 'PROCESSING_FAILED' })],
      'NOT_VERIFIED',
    ],
  ])('%s', (_, evidences, status) => expect(statusAfter(...evidences)).toBe(status));

  test('does not wait for an operator', () => {
    const settings = settingsWith({ adjudication: { enabled: true, fourEyes: false, expirySeconds: 60 } });
    const altered = documentImage('d', { settings, raised: [...AUTHENTIC, 'OCR_SURNAME_WARNING'] });
    const { evidences } = evaluate(caseOf([altered, selfie]));
    expect(evidences.map(({ status }) => status)).toEqual(['ADJUDICATION', 'NOT_VERIFIED']);
  });

  test('no longer waits for a document that was deleted, whichever came first', () => {
    const bare = { sealed: {}, crops: [], media: [] };
    const empty = { _id: 'i', tenantId: 't', revision: 0, ...noFacts(), evidences: [], deleted: [] } satisfies Case;
    const first = withoutEvidence(withEvidence(empty, { ...selfie, ...bare })!, 'd');
    const last = withEvidence(withoutEvidence<Case>(empty, 'd'), { ...selfie, ...bare })!;
    for (const { evidences } of [first, last]) expect(evidences[0]?.awaits).toEqual([]);
  });
});

describe('a portrait reference', () => {
  const level = (submittedBy: EvidenceFacts['submittedBy'], ...more: EvidenceFacts[]) => {
    const reference = portraitReference('r', submittedBy ? { submittedBy } : {});
    return evaluate(caseOf([reference, portrait('p'), contact('e', 'EMAIL'), ...more])).level;
  };
  test('counts when the Relying Service submitted it', () => expect(level('RELYING_SERVICE')).toBe('LOA1'));
  test('of a User Agent counts for no level by itself', () => expect(level('USER_AGENT')).toBe('LOA0'));
  test('of a User Agent is replaced by a document', () => expect(level('USER_AGENT', documentImage('d'))).toBe('LOA2'));
});
