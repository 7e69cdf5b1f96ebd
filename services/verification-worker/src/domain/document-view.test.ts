import type { DocumentReading } from '@assay/engine';
import { expect, test } from '@jest/globals';
import { dataOfReading } from './document-view.ts';

const named = (...givenNames: string[]): DocumentReading['data'] => ({
  surname: { value: 'ARYA', source: 'MRZ', confirmed: true },
  givenNames: givenNames.map((value) => ({ value, source: 'VISUAL', confirmed: false })),
});
const zone = (more: object = {}, fields: object = {}) =>
  ({
    mrz: {
      valid: true,
      repaired: false,
      namesUnread: 0,
      lines: [],
      fields: { nameTruncated: false, ...fields },
      ...more,
    },
  }) as unknown as DocumentReading;
const barcode = (...truncated: string[]) => ({ barcode: { licence: { truncated } } }) as unknown as DocumentReading;
const unsaid = { barcode: { licence: { truncated: [], givenNamesUnknown: true } } } as unknown as DocumentReading;

const isSingle = (parts: Partial<DocumentReading>, data = named()): boolean => {
  const reading = { visual: {}, ...parts, data } as unknown as DocumentReading;
  return dataOfReading(reading, 'PASSPORT').person?.single === true;
};

test.each<[string, Partial<DocumentReading>, boolean]>([
  ['a zone that was read', zone(), true],
  ['a zone of which a name was not surely read', zone({ namesUnread: 1 }), false],
  ['a zone read by an engine that does not say so', zone({ namesUnread: undefined }), false],
  ['a zone whose check digits are wrong', zone({ valid: false }), false],
  ['a zone that is full', zone({}, { nameTruncated: true }), false],
  ['a barcode', barcode(), true],
  ['a barcode whose surname is cut', barcode('surname'), false],
  ['a barcode that does not say the given names', unsaid, false],
  ['print', {}, false],
])('the holder has one name alone by %s without given names: %s', (_by, parts, expected) => {
  expect(isSingle(parts)).toBe(expected);
});

test('who has given names on the page has more than one name', () => {
  expect(isSingle(zone(), named('LEELA'))).toBe(false);
  expect(isSingle(barcode(), named('LEELA'))).toBe(false);
});

test('of a barcode only the names that it marks are truncated, of a full zone each may be', () => {
  const cutIn = (parts: Partial<DocumentReading>) => {
    const reading = { visual: {}, ...parts, data: named() } as unknown as DocumentReading;
    return dataOfReading(reading, 'PASSPORT').person?.cut;
  };
  expect(cutIn(barcode('middleName'))).toEqual(['middleName']);
  expect(cutIn(zone({}, { nameTruncated: true }))).toBe(true);
});

test.each<[string, object, true | undefined]>([
  ['surely', {}, undefined],
  ['with a letter of the names that is a guess', { namesUnread: 1 }, true],
  ['from small characters', { pitch: 6 }, true],
  ['with a state that was replaced by a listed one', { stateReplaced: true }, true],
])('a zone that was read %s', (_how, more, unsure) => {
  const reading = { ...zone({ pitch: 20, stateReplaced: false, ...more }), visual: {}, data: named() };
  expect(dataOfReading(reading as unknown as DocumentReading, 'PASSPORT').person?.zoneUnsure).toBe(unsure);
});
