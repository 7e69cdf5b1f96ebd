import { expect, test } from '@jest/globals';
import type { DocumentData, ReadValue } from '../document-data.ts';
import { model, readingOf, ZONE } from '../testing/readings.ts';
import { indicatorsOf } from './document-indicators.ts';

const raisedBy = (
  source: ReadValue['source'],
  dates: Pick<{ [K in keyof DocumentData]?: string }, 'birthDate' | 'issuingDate' | 'expiryDate'>,
  printed: readonly string[] = [],
) => {
  const read = Object.entries(dates).map(([name, value]) => [
    name,
    { value, source: printed.includes(name) ? 'VISUAL' : source, confirmed: false },
  ]);
  const data = { givenNames: [], ...Object.fromEntries(read) };
  const all = indicatorsOf(readingOf({ recognition: model('DRIVING_LICENSE', 'BARCODE'), data }));
  return all.filter((name) => name.startsWith('ISSUING_DATE_VALIDITY'));
};

test.each<[string, string, string, string, string]>([
  ['between birth and expiry', '1980-05-06', '2020-01-02', '2030-01-02', 'OK'],
  ['on the day of birth', '2020-01-02', '2020-01-02', '2030-01-02', 'OK'],
  ['before the birth', '1980-05-06', '1979-01-02', '2030-01-02', 'FAILED'],
  ['after the expiry', '1980-05-06', '2026-11-02', '2026-11-01', 'FAILED'],
  ['in the future', '1980-05-06', '2027-01-02', '2030-01-02', 'FAILED'],
])('a barcode with a day of issue %s', (_case, birthDate, issuingDate, expiryDate, status) => {
  expect(raisedBy('BARCODE', { birthDate, issuingDate, expiryDate })).toEqual([`ISSUING_DATE_VALIDITY_${status}`]);
});

test('printed days that are out of order may be misread', () => {
  const dates = { birthDate: '1980-05-06', issuingDate: '1979-01-02', expiryDate: '2030-01-02' };
  expect(raisedBy('VISUAL', dates)).toEqual(['ISSUING_DATE_VALIDITY_UNVERIFIED']);
});

test('a printed birth date, which may be misread, refutes no day of issue of a barcode', () => {
  const dates = { birthDate: '1980-05-06', issuingDate: '1979-01-02', expiryDate: '2030-01-02' };
  expect(raisedBy('BARCODE', dates, ['birthDate'])).toEqual(['ISSUING_DATE_VALIDITY_UNVERIFIED']);
});

test('a day of issue alone is compared with today', () => {
  expect(raisedBy('VISUAL', { issuingDate: '2020-01-02' })).toEqual(['ISSUING_DATE_VALIDITY_OK']);
});

test('printed in the future it refutes a document that says nothing else, and leaves a doubt of a zone', () => {
  expect(raisedBy('VISUAL', { issuingDate: '2027-01-02' })).toEqual(['ISSUING_DATE_VALIDITY_FAILED']);
  const issuingDate = { value: '2027-01-02', source: 'VISUAL' as const, confirmed: false };
  const raised = indicatorsOf(readingOf({ mrz: ZONE, data: { givenNames: [], issuingDate } }));
  expect(raised).toContain('ISSUING_DATE_VALIDITY_UNVERIFIED');
});

test.each([
  ['P', '2020-05-06', '2031-02-06', 'OK'],
  ['P', '2020-05-06', '2031-02-07', 'UNVERIFIED'],
  ['I', '2020-05-06', '2080-05-06', 'OK'],
])('a document of code %s that was issued on %s and holds until %s: %s', (documentCode, issued, expires, status) => {
  const read = (value: string, source: ReadValue['source']) => ({ value, source, confirmed: false });
  const data = { givenNames: [], issuingDate: read(issued, 'VISUAL'), expiryDate: read(expires, 'MRZ') };
  const mrz = { ...ZONE, fields: { ...ZONE.fields, documentCode } };
  const recognition = model(documentCode === 'P' ? 'PASSPORT' : 'IDENTITY_CARD', 'MRZ');
  expect(indicatorsOf(readingOf({ recognition, mrz, data }))).toContain(`ISSUING_DATE_VALIDITY_${status}`);
});

test.each([
  ['of an adult, in its last month', '1111', '1965-12-06', true, 'UNVERIFIED'],
  ['of an adult, in the month after', '1110', '1965-12-06', true, 'FAILED'],
  ['of 1988', '8806', '1965-12-06', true, 'FAILED'],
  ['of one who came of age in the month of issue', '1211', '1994-11-30', true, 'UNVERIFIED'],
  ['of a minor, in its last month', '1611', '2005-12-06', true, 'UNVERIFIED'],
  ['of a minor, in the month after', '1610', '2005-12-06', true, 'FAILED'],
  ['of one born a century before the latest possible date', '1211', '2020-12-06', true, 'UNVERIFIED'],
  ['whose number has a wrong check digit', '8806', '1965-12-06', false, 'UNVERIFIED'],
  ['whose number has no month', '8813', '1965-12-06', true, 'UNVERIFIED'],
])('a former card of France %s', (_case, issued, birthDate, documentNumber, status) => {
  const { expiryDate: _none, ...fields } = { ...ZONE.fields, documentNumber: `${issued}92310285`, birthDate };
  const checks = { documentNumber, birthDate: true, composite: documentNumber };
  const mrz = { ...ZONE, format: 'FRENCH_ID' as const, fields, checks };
  const recognition = model('IDENTITY_CARD', 'MRZ');
  expect(indicatorsOf(readingOf({ recognition, mrz }))).toContain(`DOC_EXPIRATION_DATE_${status}`);
});

test('a card of another layout with such a number has no month of issue', () => {
  const { expiryDate: _none, ...fields } = { ...ZONE.fields, documentNumber: '880692310' };
  const mrz = { ...ZONE, format: 'TD2' as const, fields };
  expect(indicatorsOf(readingOf({ mrz }))).toContain('DOC_EXPIRATION_DATE_UNVERIFIED');
});
