import { expect, test } from '@jest/globals';
import { numberedValues } from './numbered.ts';
import type { PlacedLine } from './placed-line.ts';

const at = (text: string, column: number, row: number): PlacedLine => ({
  side: 'FRONT',
  text,
  confidence: 0.99,
  left: column * 10,
  right: (column + text.length) * 10,
  x: (column + text.length / 2) * 10,
  y: row * 20,
  height: 18,
});

test('a German licence: two figures for the year, two fields in a line', () => {
  const lines = [
    at('FÜHRERSCHEIN BUNDESREPUBLIK DEUTSCHLAND', 10, 0),
    at('1. MUSTERMANN', 10, 2),
    at('2. ERIKA', 10, 3),
    at('3. 12.08.64 BERLIN', 10, 4),
    at('4a. 19.01.13  4c. LANDRATSAMT', 10, 5),
    at('4b. 18.01.28', 10, 6),
    at('5. B072RRE2I55', 10, 7),
    at('9. AM/B/L', 10, 9),
  ];
  expect(numberedValues(lines, '2026-11-21')).toEqual({
    surname: 'MUSTERMANN',
    givenNames: ['ERIKA'],
    birthDate: '1964-08-12',
    birthPlace: 'BERLIN',
    issuingDate: '2013-01-19',
    expiryDate: '2028-01-18',
    authority: 'LANDRATSAMT',
    documentNumber: 'B072RRE2I55',
  });
});

test('a British licence: the number is by itself before its value', () => {
  const lines = [
    at('1.', 10, 2),
    at('MORGAN', 14, 2),
    at('2.', 10, 3),
    at('SARAH MEREDYTH', 14, 3),
    at('3.', 10, 4),
    at('11.03.1976 UNITED KINGDOM', 14, 4),
    at('4a. 19.01.2013', 10, 5),
    at('4b. 18.01.2033', 10, 6),
    at('5. MORGA753116SM9IJ 35', 10, 7),
  ];
  expect(numberedValues(lines, '2026-11-21')).toMatchObject({
    surname: 'MORGAN',
    givenNames: ['SARAH', 'MEREDYTH'],
    birthDate: '1976-03-11',
    issuingDate: '2013-01-19',
    expiryDate: '2033-01-18',
    documentNumber: 'MORGA753116SM9IJ35',
  });
});

test('small numbers apart from their values, some of them not found', () => {
  const lines = [
    at('KØREKORT DANMARK', 4, 0),
    at('MORGAN', 14, 2),
    at('SARAH MEREDYTH', 14, 3),
    at('2.', 10, 3),
    at('11.03.1976 AARHUS', 14, 4),
    at('4a.', 10, 5),
    at('19.01.2013', 14, 5),
    at('18.01.2033', 14, 6),
    at('C88155430', 14, 7),
    at('5', 10, 7),
    at('9. AM/B/L', 10, 9),
  ];
  expect(numberedValues(lines, '2026-11-21')).toMatchObject({
    surname: 'MORGAN',
    givenNames: ['SARAH', 'MEREDYTH'],
    birthDate: '1976-03-11',
    issuingDate: '2013-01-19',
    expiryDate: '2033-01-18',
    documentNumber: 'C88155430',
  });
});

test('impossible values are left out: issued in the future, born after today, a number without digits', () => {
  const lines = [at('3. 01.01.2030', 0, 0), at('4a. 01.01.2031', 0, 1), at('5. NUMBER', 0, 2)];
  expect(numberedValues(lines, '2026-11-21')).toEqual({});
});
