import { todayAt } from '@assay/contracts';
import { shippedPolicies } from '@assay/policy';
import { describe, expect, test } from '@jest/globals';
import {
  agreement,
  caseOf,
  compared,
  contact,
  documentChip,
  documentImage,
  documentText,
  GENUINE,
  healthCard,
  PARTLY,
  portrait,
} from '../testing/case-builders.ts';
import { scoresOf } from './counted-evidence.ts';
import { evaluateCase } from './evaluate-case.ts';
import type { CaseFacts } from './facts.ts';

const SIGNED = GENUINE.filter((indicator) => !indicator.startsWith('ACTIVE'));
const policies = shippedPolicies();
const today = todayAt(new Date('2026-05-01'));
const countEvidence = (facts: CaseFacts, policy = 'default') =>
  evaluateCase({ facts, policy: policies.named(policy)!, today }).countedEvidence;
const counted = (facts: CaseFacts, policy?: string) =>
  countEvidence(facts, policy).counted.map(({ outcome }) => outcome.facts.evidenceId);
const reason = (facts: CaseFacts, evidenceId: string, policy?: string) =>
  countEvidence(facts, policy).notCounted.get(evidenceId);
const at = (second: number) => ({ submitDateTime: `2026-05-01T10:00:0${second}.000` });

describe('a document', () => {
  const [first, second] = [documentImage('first', at(1)), documentText('second', at(2))];

  test('that agrees with the name reference counts too', () => {
    expect(counted(caseOf([first, second])).sort()).toEqual(['first', 'second']);
  });

  test.each([
    ['surname', 'DISAGREE', 'DISAGREES_WITH_REFERENCE'],
    ['givenNames', 'DISAGREE', 'DISAGREES_WITH_REFERENCE'],
    ['dateOfBirth', 'DISAGREE', 'DISAGREES_WITH_REFERENCE'],
    ['dateOfBirth', 'UNKNOWN', 'CANNOT_BE_COMPARED_WITH_REFERENCE'],
  ] as const)('whose %s is %s does not count: %s', (attribute, expected, because) => {
    const facts = caseOf([first, second], {
      agreements: [agreement('first', 'second', 'AGREE', { [attribute]: expected })],
    });
    const [reference] = counted(facts);
    const other = reference === 'first' ? 'second' : 'first';
    expect(counted(facts)).toHaveLength(1);
    expect(reason(facts, other)).toEqual({ because, attributes: [attribute] });
  });

  test('of another gender or address counts: these attributes need not be consistent', () => {
    const facts = caseOf([first, second], {
      agreements: [agreement('first', 'second', 'AGREE', { others: 'DISAGREE', address: 'DISAGREE' })],
    });
    expect(counted(facts)).toHaveLength(2);
  });

  test('submitted twice counts once, with its better submission', () => {
    const [weak, strong] = [documentImage('weak', { raised: PARTLY, ...at(1) }), documentImage('strong', at(2))];
    const facts = caseOf([weak, strong], {
      agreements: [agreement('strong', 'weak', 'AGREE', { sameDocument: true })],
    });
    expect(counted(facts)).toEqual(['strong']);
    expect(reason(facts, 'weak')).toEqual({ because: 'SAME_DOCUMENT', as: 'strong' });
  });

  test('of a type that counts already does not count if the policy counts one of each type', () => {
    const facts = caseOf([documentImage('a', at(1)), documentImage('b', at(2))]);
    expect(counted(facts, 'default')).toHaveLength(2);
    expect(counted(facts, 'gpg45')).toEqual(['a']);
    expect(reason(facts, 'b', 'gpg45')).toEqual({ because: 'SAME_TYPE', as: 'a' });
  });

  test('that is not VERIFIED neither counts nor needs a reason', () => {
    const facts = caseOf([healthCard('card', 'FAILED')]);
    expect(counted(facts)).toEqual([]);
    expect(countEvidence(facts).notCounted.size).toBe(0);
  });
});

test('a document that shows another face than the portrait does not count', () => {
  const licence = documentImage('licence', { type: 'DRIVING_LICENSE', ...at(2) });
  const document = documentImage('document', { issuer: 'VERIFIED', ...at(1) });
  const facts = caseOf([document, licence, portrait('selfie', at(3))], {
    comparisons: [compared('selfie', 'document', 0.4), compared('selfie', 'licence', 0.95)],
  });
  for (const name of ['default', 'gpg45', 'nist-800-63a-4']) {
    expect(counted(facts, name)).toEqual(['document']);
    expect(reason(facts, 'licence', name)).toEqual({ because: 'SHOWS_ANOTHER_FACE', than: 'selfie' });
  }
});

describe('a portrait', () => {
  const document = documentImage('document', at(1));

  test('counts with its score while the document that it matches counts, and shows that the document belongs to the person', () => {
    const countedEvidence = countEvidence(caseOf([document, portrait('selfie', at(2))]));
    expect(countedEvidence.portrait?.outcome.facts.evidenceId).toBe('selfie');
    expect(countedEvidence.counted.map(({ measures }) => measures.ownership)).toEqual([1]);
    expect(scoresOf(countedEvidence).portrait).toBe(countedEvidence.portrait?.score);
  });

  test('does not count when there is a newer one, whatever its status', () => {
    const facts = caseOf([document, portrait('old', at(2)), portrait('new', at(3))], {
      comparisons: [compared('old', 'document', 0.4), compared('new', 'document', 0.9)],
    });
    expect(countEvidence(facts).portrait).toBeUndefined();
    expect(reason(facts, 'old')).toEqual({ because: 'REPLACED', as: 'new' });
  });

  test('does not count when the document it matches does not', () => {
    const text = documentText('text', { issuer: 'VERIFIED', ...at(2) });
    const facts = caseOf([documentImage('image', { raised: PARTLY, ...at(1) }), text, portrait('selfie', at(3))], {
      agreements: [agreement('image', 'text', 'DISAGREE')],
    });
    expect(counted(facts)).toEqual(['text']);
    expect(countEvidence(facts).portrait).toBeUndefined();
    expect(reason(facts, 'selfie')).toEqual({ because: 'REFERENCE_NOT_COUNTED' });
  });

  test('counts by the document that counts and that it matches too, where its reference does not count', () => {
    const card = documentImage('card', { issuer: 'VERIFIED', ...at(1) });
    const formerName = documentChip('former-name', { raised: SIGNED, ...at(2) });
    const withChip = (toCard: number) =>
      caseOf([card, formerName, portrait('selfie', at(3))], {
        agreements: [agreement('card', 'former-name', 'DISAGREE')],
        comparisons: [compared('selfie', 'card', toCard), compared('selfie', 'former-name', 0.4)],
      });
    const levelOf = (facts: CaseFacts) => evaluateCase({ facts, policy: policies.named('default')!, today }).level;
    expect(countEvidence(withChip(0.4)).portrait?.score).toBe(3);
    expect(levelOf(withChip(0.4))).toBe(levelOf(caseOf([card, portrait('selfie', at(3))])));
    expect(reason(withChip(0.62), 'selfie')).toEqual({ because: 'REFERENCE_NOT_COUNTED' });
    expect(levelOf(withChip(0.62))).toBe('LOA1');
  });

  test('shows that a second document belongs to the person if its face matches too', () => {
    const facts = caseOf(
      [document, documentImage('licence', { type: 'DRIVING_LICENSE', ...at(2) }), portrait('selfie', at(3))],
      {
        comparisons: [compared('selfie', 'document', 0.4), compared('selfie', 'licence', 0.9)],
      },
    );
    const owned = countEvidence(facts).counted.map(({ outcome, measures }) => [
      outcome.facts.evidenceId,
      measures.ownership,
    ]);
    expect(Object.fromEntries(owned)).toEqual({ document: 1 });
    const undecided = countEvidence(
      caseOf([document, documentImage('licence', { type: 'DRIVING_LICENSE', ...at(2) }), portrait('selfie', at(3))], {
        comparisons: [compared('selfie', 'document', 0.4), compared('selfie', 'licence', 0.62)],
      }),
    );
    expect(undecided.counted.map(({ measures }) => measures.ownership)).toEqual([1, 0]);
  });
});

describe('a document whose owner is known', () => {
  const selfie = portrait('selfie', at(5));

  test('counts in place of one of its type that is worth as much, if that reaches more', () => {
    const text = documentText('text', at(1));
    const licence = documentImage('licence', { type: 'DRIVING_LICENSE', issuer: 'VERIFIED', ...at(2) });
    expect(counted(caseOf([licence, text]), 'gpg45')).toEqual(['text']);
    const facts = caseOf([licence, text, selfie]);
    expect(counted(facts, 'gpg45')).toEqual(['licence']);
    expect(reason(facts, 'text', 'gpg45')).toEqual({ because: 'SAME_TYPE', as: 'licence' });
    expect(evaluateCase({ facts, policy: policies.named('gpg45')!, today }).level).toBe('LOA1');
  });

  test('counts in place of an earlier image without a face, whatever the portrait is compared with', () => {
    const { face: _unseen, ...first } = documentImage('first', { issuer: 'VERIFIED', ...at(1) });
    const second = documentImage('second', { issuer: 'VERIFIED', ...at(2) });
    const stranger = documentChip('stranger', at(3));
    const all = [first, second, stranger, selfie];
    const facts = caseOf(all, {
      agreements: [
        agreement('first', 'second', 'AGREE', { sameDocument: true }),
        agreement('first', 'stranger', 'DISAGREE'),
        agreement('second', 'stranger', 'DISAGREE'),
      ],
    });
    expect(counted(facts, 'nist-800-63a-4')).toEqual(['second']);
    expect(evaluateCase({ facts, policy: policies.named('nist-800-63a-4')!, today }).level).toBe('LOA1');
  });
});

test('a chip without a face that is read twice counts no more than one that is read once', () => {
  const chip = (id: string, second: number) => {
    const { face: _unseen, ...one } = documentChip(id, { type: 'IDENTITY_CARD', ...at(second) });
    return one;
  };
  const passports = [1, 2].map((number) => documentImage(`passport-${number}`, { type: 'PASSPORT', ...at(number) }));
  const others = [...passports, portrait('selfie', at(3))];
  const again = agreement('once', 'twice', 'AGREE', { sameDocument: true });
  const both = caseOf([...others, chip('once', 4), chip('twice', 5)]);
  const facts = {
    ...both,
    agreements: [...both.agreements.filter(({ a, b }) => a !== 'once' || b !== 'twice'), again],
  };
  const levelOf = (current: CaseFacts) =>
    evaluateCase({ facts: current, policy: policies.named('default')!, today }).level;
  expect([levelOf(caseOf([...others, chip('once', 4)])), levelOf(facts)]).toEqual(['LOA3', 'LOA3']);
});

describe('a selfie that is the photograph of one document, sent with another document', () => {
  const documents = [documentImage('document', at(1)), documentImage('licence', { type: 'DRIVING_LICENSE', ...at(2) })];
  const statusWith = (toDocument: number, toLicence: number) =>
    evaluateCase({
      facts: caseOf([...documents, portrait('selfie', at(3))], {
        comparisons: [compared('selfie', 'document', toDocument), compared('selfie', 'licence', toLicence)],
      }),
      policy: policies.named('default')!,
      today,
    }).evidences.find(({ facts }) => facts.evidenceId === 'selfie')!;

  test.each([
    [0.4, 0.05],
    [0.05, 0.4],
  ])('at %d and %d proves nothing about a person', (toDocument, toLicence) => {
    const { status, raised } = statusWith(toDocument, toLicence);
    expect(raised).toContain('SELFIE_SAME_AS_DOCUMENT_WARNING');
    expect(status).toBe('NOT_VERIFIED');
    expect(statusWith(0.4, 0.5).status).toBe('VERIFIED');
  });
});

test('without any evidence nothing counts, and a contact counts only where the policy says so', () => {
  expect(scoresOf(countEvidence(caseOf([])))).toEqual({ evidence: [], portrait: 0 });
  for (const name of ['default', 'strict', 'gpg45', 'nist-800-63a-4']) {
    const facts = caseOf([contact('mail', 'EMAIL')]);
    const { counts } = policies.named(name)!.kinds.contact;
    expect(counted(facts, name)).toEqual(counts ? ['mail'] : []);
    expect(reason(facts, 'mail', name)).toEqual(counts ? undefined : { because: 'NOT_OF_A_COUNTED_KIND' });
  }
});
