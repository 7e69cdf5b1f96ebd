import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { coverageOf } from './coverage.ts';
import { eligibilityOf, type Subject } from './eligibility.ts';
import { AUSTRALIA } from './scope/australia.ts';
import { UNITED_STATES } from './scope/united-states.ts';

const SOURCES = [AUSTRALIA, UNITED_STATES];
const subject = (more: Partial<Subject> = {}): Subject => ({
  type: 'DRIVING_LICENSE',
  mode: 'TEXT',
  userCategory: 'COMMERCIAL',
  country: 'USA',
  state: 'TX',
  ...more,
});
const answerTo = (more: Partial<Subject>) => {
  const found = eligibilityOf(SOURCES, subject(more));
  return found.eligible ? found.source.name : found.reason;
};

describe('whether a source can be asked about a document', () => {
  test.each([
    ['AAMVA_DLDV', {}],
    ['AAMVA_DLDV', { state: 'us-tx' }],
    ['AAMVA_DLDV', { state: ' Texas ' }],
    ['NO_SOURCE', { country: 'FRA' }],
    ['DOCUMENT', { type: 'PASSPORT' }],
    ['DOCUMENT', { type: 'VISA', country: 'USA' }],
    ['JURISDICTION', { state: 'CA' }],
    ['JURISDICTION', { state: undefined }],
    ['JURISDICTION', { state: 'constructor' }],
    ['JURISDICTION', { type: 'IDENTITY_CARD', state: 'NV' }],
    ['USER_CATEGORY', { state: 'OK' }],
    ['AAMVA_DLDV', { state: 'OK', userCategory: 'GOVERNMENT' }],
  ] as const)('%s: %j', (expected, more) => {
    expect(answerTo(more)).toBe(expected);
  });

  test('a state is recognised in each spelling, and reported by its code', () => {
    const codes = Object.keys(UNITED_STATES.documents[0]?.jurisdictions ?? {}).filter((code) => code !== 'OK');
    expect(codes.length).toBeGreaterThan(40);
    fc.assert(
      fc.property(
        fc.constantFrom(...codes),
        fc.constantFrom(
          (code: string) => code,
          (code: string) => code.toLowerCase(),
          (code: string) => ` US-${code}`,
        ),
        (code, spell) => {
          expect(eligibilityOf(SOURCES, subject({ state: spell(code) }))).toMatchObject({
            eligible: true,
            jurisdiction: code,
          });
        },
      ),
    );
  });

  test('an identity card of Delaware is eligible, as a card of which only some are known', () => {
    const found = (type: 'IDENTITY_CARD' | 'DRIVING_LICENSE') => eligibilityOf(SOURCES, subject({ type, state: 'DE' }));
    expect(found('IDENTITY_CARD')).toMatchObject({ eligible: true, someCardsOnly: true });
    expect(found('DRIVING_LICENSE')).toMatchObject({ eligible: true, someCardsOnly: false });
  });

  test('the first source that covers it is asked, and the next if the first does not have the state', () => {
    const own = { ...UNITED_STATES, name: 'OWN' };
    const few = { ...own, documents: own.documents.map((rule) => ({ ...rule, jurisdictions: { TX: {} } })) };
    const nameOf = (state: string) => {
      const found = eligibilityOf([few, UNITED_STATES], subject({ state }));
      return found.eligible && found.source.name;
    };
    expect([nameOf('TX'), nameOf('VA')]).toEqual(['OWN', 'AAMVA_DLDV']);
  });

  test('the rules of a state take precedence over those of the document', () => {
    const [licences] = UNITED_STATES.documents;
    const jurisdictions = { TX: { fields: { expiryDate: { need: 'REQUIRED' } } } } as const;
    const strict = { ...UNITED_STATES, documents: [{ ...licences!, jurisdictions }] };
    expect(eligibilityOf([strict], subject())).toMatchObject({
      fields: { expiryDate: { need: 'REQUIRED' }, surname: { need: 'REQUIRED' } },
    });
  });
});

describe('the list of what can be checked', () => {
  const { sources, items } = coverageOf(SOURCES);

  test('is correct: each line of it is eligible for some user category', () => {
    for (const { country, documentType, modes, jurisdictions } of items)
      for (const mode of modes)
        for (const { code, userCategories } of jurisdictions ?? [{ code: undefined, userCategories: undefined }]) {
          const [userCategory = 'COMMERCIAL'] = userCategories ?? [];
          const asked = { type: documentType, mode, country, state: code, userCategory } as Subject;
          expect({ asked, eligible: eligibilityOf(SOURCES, asked).eligible }).toEqual({ asked, eligible: true });
        }
  });

  test('is complete: what is not in it is not eligible', () => {
    const states = items.find(({ country, documentType }) => country === 'USA' && documentType === 'IDENTITY_CARD');
    expect(states?.jurisdictions?.map(({ code }) => code)).not.toContain('WI');
    expect(states?.jurisdictions?.find(({ code }) => code === 'DE')).toEqual({ code: 'DE', someCardsOnly: true });
    expect(sources.map(({ name, country }) => `${name} ${country}`)).toEqual([
      `${AUSTRALIA.name} AUS`,
      'AAMVA_DLDV USA',
    ]);
  });
});
