import type { DocumentText } from '@assay/contracts';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openSources } from './clients/connectors.ts';
import { createAttempts } from './testing/attempts.ts';
import { aLicence, credentials, type Simulators, startSimulators } from './testing/simulators.ts';

/**
 * The specification's fuzzy rule for pairs (recorded, submitted). EXACT raises only the exact
 * comparison. NEAR raises it as a mismatch and the approximate one as OK, and does not block. OTHER
 * fails both.
 */
const PAIRS: readonly [recorded: string, submitted: string, 'EXACT' | 'NEAR' | 'OTHER'][] = [
  ['MARIA', 'Maria', 'EXACT'],
  ['José', 'JOSE', 'EXACT'],
  ['JOSE', 'José', 'EXACT'],
  ['ZOË', 'Zoe', 'EXACT'],
  ['Łukasz', 'Lukasz', 'EXACT'],
  ['Søren', 'Soren', 'EXACT'],
  ['Çağla', 'Cagla', 'EXACT'],
  ['STRAßE', 'Strasse', 'EXACT'],
  ["O'NEIL", 'O’Neil', 'EXACT'],
  ['ANNE-MARIE', 'Anne‐Marie', 'EXACT'],
  ['DE LA CRUZ', 'De  La Cruz', 'EXACT'],
  ['ÆTHER', 'Aether', 'EXACT'],
  ["O'NEIL", 'ONEIL', 'NEAR'],
  ["D'ANGELO", 'Dangelo', 'NEAR'],
  ['ANNE-MARIE', 'Annemarie', 'NEAR'],
  ['ANNE-MARIE', 'Anne Marie', 'NEAR'],
  ['DE LA CRUZ', 'Delacruz', 'NEAR'],
  ['VAN DYKE', 'Vandyke', 'NEAR'],
  ['MC DONALD', 'McDonald', 'NEAR'],
  ['SMITH-JONES', 'Smith Jones', 'NEAR'],
  ['JOHN', 'Jon', 'NEAR'],
  ['STEPHEN', 'Steven', 'NEAR'],
  ['HARTWELL', 'Hartwel', 'NEAR'],
  ['PHILIP', 'Phillip', 'NEAR'],
  ['CATHERINE', 'Katherine', 'NEAR'],
  ['GEOFFREY', 'Jeffrey', 'NEAR'],
  ['WILLIAM', 'Bill', 'NEAR'],
  ['ROBERT', 'Bob', 'NEAR'],
  ['ELIZABETH', 'Liz', 'NEAR'],
  ['MARGARET', 'Peggy', 'NEAR'],
  ['RICHARD', 'Dick', 'NEAR'],
  ['THEODORE', 'Ted', 'NEAR'],
  ['JOSEPH', 'Joe', 'NEAR'],
  ['SARAH', 'Sara', 'NEAR'],
  ['ANN', 'Anne', 'NEAR'],
  ['SMITH', 'Smyth', 'NEAR'],
  ['MEYER', 'Maier', 'NEAR'],
  ['CLARK', 'Clarke', 'NEAR'],
  ['REED', 'Read', 'NEAR'],
  ['NICHOLAS', 'Nicolas', 'NEAR'],
  ['MATTHEW', 'Mathew', 'NEAR'],
  ['ERIC', 'Erik', 'NEAR'],
  ['MOHAMMED', 'Mohamed', 'NEAR'],
  ['RODRIGUEZ', 'Rodrigues', 'NEAR'],
  ['GARCIA', 'Garzia', 'NEAR'],
  ['WRIGHT', 'Right', 'NEAR'],
  ['KELLER', 'Kelller', 'NEAR'],
  ['LINDSAY', 'Lindsey', 'NEAR'],
  ['ALLEN', 'Alan', 'NEAR'],
  ['BORIS', 'Amelia', 'OTHER'],
  ['MARIA', 'Marta', 'OTHER'],
  ['JOHNSON', 'Jackson', 'OTHER'],
  ['HERNANDEZ', 'Fernandez', 'OTHER'],
  ['SMITH', 'Jones', 'OTHER'],
  ['DAVID', 'Davis', 'OTHER'],
  ['KELLER', 'Miller', 'OTHER'],
  ['ANDERSON', 'Henderson', 'OTHER'],
  ['JAMES', 'John', 'OTHER'],
  ['LEE', 'Park', 'OTHER'],
  ['WILLIAM', 'Robert', 'OTHER'],
  ['ALEXANDRA', 'Elizabeth', 'OTHER'],
  ['MARTINEZ', 'Martin', 'OTHER'],
  ['BRENDA', 'Brandon', 'OTHER'],
  ['TAYLOR', 'Thatcher', 'OTHER'],
  ['CHRISTINE', 'Ernestine', 'OTHER'],
  ['SCHWARZENEGGER', 'Schwarz', 'OTHER'],
  ['OWEN', 'Ewan Park', 'OTHER'],
];

let simulators: Simulators;
let attempt: ReturnType<typeof createAttempts>;
beforeAll(async () => {
  simulators = await startSimulators();
  attempt = createAttempts(openSources({ aamvaUrl: simulators.urls.aamva, credentials, now: () => new Date() }));
});
afterAll(() => simulators.close());

const holder = (document: DocumentText, given: string, surname: string): DocumentText => ({
  ...document,
  personalAttributes: { ...document.personalAttributes, givenNames: [{ value: given }], surname: { value: surname } },
});

const about = (raised: readonly string[], name: string) => raised.filter((one) => one.startsWith(`${name}_`)).sort();
const EXPECTED = {
  EXACT: (name: string) => [`${name}_COMPARE_OK`],
  NEAR: (name: string) => [`${name}_COMPARE_FAILED`, `${name}_FUZZY_COMPARE_OK`],
  OTHER: (name: string) => [`${name}_COMPARE_FAILED`, `${name}_FUZZY_COMPARE_FAILED`],
};

test('the table has sixty pairs and more', () => {
  expect(PAIRS.length).toBeGreaterThanOrEqual(60);
});

describe.each([
  ['SURNAME', (name: string): [string, string] => ['Maria', name]],
  ['FIRSTNAME', (name: string): [string, string] => [name, 'Keller']],
] as const)('%s', (indicator, names) => {
  test.each(PAIRS)('%s as %s: %s', async (recorded, submitted, expected) => {
    const licence = aLicence('USA', 'TX');
    await simulators.record('aamva', holder(licence, ...names(recorded)));
    // A fast machine asks faster than the jurisdiction's rate allows, so the test asks again.
    const made = await waitFor('the jurisdictionLimiter to be free', async () => {
      const one = await attempt({ document: holder(licence, ...names(submitted)), type: 'DRIVING_LICENSE' });
      return one.kind !== 'BUSY' && one;
    });
    if (made.kind !== 'DONE') throw new Error(made.kind);
    const { raised, result } = made.outcome;
    expect(about(raised, indicator)).toEqual(EXPECTED[expected](indicator));
    expect(result).toBe(expected === 'OTHER' ? 'FAILED' : 'VERIFIED');
  });
});
