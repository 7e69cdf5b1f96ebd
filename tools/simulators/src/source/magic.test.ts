import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { verify as verifyLicence } from '../aamva/verify.ts';
import { verify as verifyDocument } from '../dvs/verify.ts';
import { createBook } from './book.ts';
import { magicReply } from './magic.ts';

test.each([
  ['TEST00001', 'MATCH'],
  ['9999900002', 'NO_MATCH'],
  ['TEST0000009', 'NEAR_NAMES'],
  ['T00000001', undefined],
  ['9999910001', undefined],
  ['TEST00000', undefined],
])('the number %s selects %p', (number, outcome) => expect(magicReply(number)).toBe(outcome));

// The table of the documentation, row by row. It must match the simulators.
const docs = readFileSync(join(dirname(fileURLToPath(import.meta.url)), '../../../../docs/issuing-sources.md'), 'utf8');
const ROWS = [...docs.matchAll(/^\| `(TEST0000\d)` \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, number = '', dvs = '', aamva = '']) => [number, dvs, aamva] as const,
);

test('the documentation has a row for each', () => expect(ROWS).toHaveLength(9));

test.each(ROWS)('%s: DVS says %s, DLDV %s', (number, dvs, aamva) => {
  const document = { type: 'ImmiCardRequest', immiCardNumber: number, familyName: 'KELLER', birthDate: '1985-02-03' };
  const { code } = verifyDocument(createBook(), document);
  if (dvs !== 'unreadable') expect(dvs.startsWith(code)).toBe(true);
  const none = undefined;
  const { matches } = verifyLicence(createBook(), {
    token: '',
    id: 'x',
    originator: 'T',
    destination: 'TX',
    number,
    category: '1',
    issueDate: none,
    expirationDate: none,
    birthDate: '1985-02-03',
    givenName: 'MARIA',
    middleName: none,
    surname: 'KELLER',
    suffix: none,
    sex: none,
    height: none,
    eyeColor: none,
    street: [],
    city: none,
    state: none,
    postcode: none,
  });
  if (aamva.startsWith('all agree'))
    expect(matches).toMatchObject({ PersonBirthDate: true, PersonLastNameExact: true });
  if (aamva.startsWith('no such')) expect(matches).toEqual({ DriverLicenseNumber: false });
  if (aamva.startsWith('number only')) expect(matches).toEqual({ DriverLicenseNumber: true });
  if (aamva.startsWith('names agree'))
    expect(matches).toMatchObject({ PersonLastNameExact: false, PersonLastNameFuzzyPrimary: true });
});
