import { expect, test } from '@jest/globals';
import type { AamvaReading } from './barcode/aamva-reading.ts';
import { type DocumentData, documentData } from './document-data.ts';
import { ZONE } from './testing/readings.ts';
import type { DescribedValue } from './viz/description.ts';
import type { VisualReading } from './viz/read.ts';

const line = { side: 'FRONT' as const, confidence: 0.99, left: 0, right: 200, x: 100, height: 20 };
const lines = Array.from({ length: 9 }, (_, i) => ({ ...line, y: 30 * i, text: `PRINT ${i}` }));
const MATCHES = { exact: 0, unread: 0, near: 1, absent: 99 } as const;
const printing = (
  match: keyof typeof MATCHES,
  legible: boolean,
  sex: 'OK' | 'WARNING' | 'UNVERIFIED',
): VisualReading => {
  const check = { match, edits: MATCHES[match] };
  const checks = { surname: check, givenNames: check, documentNumber: check, birthDate: check };
  return { lines: legible ? lines : [], found: 9, checks, machinePrint: [], turned: {}, sex };
};
const names = (nameTruncated: boolean, givenNames: string[]) => {
  const mrz = { ...ZONE, fields: { ...ZONE.fields, givenNames, nameTruncated } };
  const data = documentData(mrz, undefined, printing('exact', true, 'OK'), undefined);
  return [data.surname, ...data.givenNames].map((name) => name?.confirmed);
};

test('the rest of a name that its line may have truncated is not confirmed', () => {
  expect(names(false, ['ANNA', 'MARIA'])).toEqual([true, true, true]);
  expect(names(true, ['ANNA', 'MAR'])).toEqual([true, true, false]);
  expect(names(true, ['AN'])).toEqual([true, false]);
  expect(names(true, [])).toEqual([false]);
});

test('of a full zone, names that print has in full are confirmed, and no words of a surname that may be cut', () => {
  const confirmed = (surname: string, givenNames: string[], ...texts: string[]) => {
    const mrz = { ...ZONE, fields: { ...ZONE.fields, surname, givenNames, nameTruncated: true } };
    const visual = { ...printing('exact', true, 'OK'), lines: texts.map((text) => ({ ...lines[0]!, text })) };
    const data = documentData(mrz, undefined, visual, undefined);
    return [data.surname, ...data.givenNames].map((name) => name?.confirmed);
  };
  const whole = 'BENNELONG WOOLOOMOOLOO WARRANDYTE WARNAMBOOL';
  expect(confirmed('BENNELONG WOOLOOMOOLOO WARRANDYTE W', ['DI'], whole, 'DINGO POTOROO')).toEqual([false, false]);
  expect(confirmed('BENNEL WOOLOO WARRAN WARNAM', ['DINGO', 'PO'], whole, 'DINGO POTOROO')).toEqual([
    false,
    true,
    false,
  ]);
  const given = ['MARIA', 'ANGELES', 'CONCEPC'];
  const print = ['GARCIA HERNANDEZ', 'MARIA ANGELES CONCEPCION'];
  expect(confirmed('GARCIA HERNANDEZ', given, ...print)).toEqual([true, true, true, false]);
  expect(confirmed('GARCIA HERNAN', given, ...print)).toEqual([false, true, true, false]);
  expect(confirmed('GREEK', ['JONATHON', 'TREVOR'], 'GREEK', 'JONATHON TREVOR')).toEqual([true, true, true]);
  expect(confirmed('GREEK', ['CHAYAPA', 'DE', 'K'], 'GREEK', 'CHAYAPA DEJTHAMRONG KRA')).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

const confirmedIn = ({ surname, givenNames, documentNumber, birthDate, gender }: DocumentData) =>
  [surname, ...givenNames, documentNumber, birthDate, gender].map((one) => one?.confirmed);

test('a name or a sex, which no check digit covers, is confirmed only by print with the same value', () => {
  const read = (visual: VisualReading) => confirmedIn(documentData(ZONE, undefined, visual, undefined));
  expect(read(printing('exact', true, 'OK'))).toEqual([true, true, true, true, true, true]);
  expect(read(printing('absent', true, 'WARNING'))).toEqual([false, false, false, true, true, false]);
  expect(read(printing('near', true, 'OK'))).toEqual([false, false, false, true, true, true]);
  expect(read(printing('unread', true, 'OK'))).toEqual([false, false, false, true, true, true]);
  expect(read(printing('absent', false, 'OK'))).toEqual([false, false, false, true, true, true]);
  expect(read(printing('exact', true, 'UNVERIFIED'))).toEqual([true, true, true, true, true, false]);
});

const licence: AamvaReading = {
  ...{ form: 'AAMVA', iin: '636000', version: 8, kind: 'DRIVING_LICENSE', truncated: [], elements: {}, warnings: [] },
  ...{ surname: 'ERIKSSON', givenNames: ['ANNA'], documentNumber: 'T64235789', birthDate: '1974-08-12', sex: 'F' },
};

test('names of a barcode are in upper case, as those of a zone are', () => {
  const mixed = { ...licence, surname: 'O\u2019Neill', givenNames: ['Ann', 'Zo\u00eb'] };
  const visual = printing('exact', true, 'OK');
  const { surname, givenNames } = documentData(
    undefined,
    { text: '', step: 'plain', licence: mixed },
    visual,
    undefined,
  );
  expect([surname, ...givenNames].map((one) => one?.value)).toEqual(['O\u2019NEILL', 'ANN', 'ZO\u00cb']);
});

test('a value that is printed differently is not confirmed by a barcode, which has no check digits', () => {
  const read = (visual: VisualReading) =>
    confirmedIn(documentData(undefined, { text: '', step: 'plain', licence }, visual, undefined));
  expect(read(printing('exact', true, 'OK'))).toEqual([true, true, true, true, true]);
  expect(read(printing('absent', true, 'WARNING'))).toEqual([false, false, false, false, false]);
  expect(read(printing('absent', false, 'OK'))).toEqual([true, true, true, true, true]);
});

test('address, height and eyes of a barcode are confirmed unless a readable front lacks them', () => {
  const address = { streetLines: ['2300 WEST BROAD STREET'], city: 'RICHMOND', state: 'VA', postcode: '23269' };
  const described = { ...licence, address, height: '511', eyeColor: 'BRO' };
  const read = (visual: VisualReading) => {
    const data = documentData(undefined, { text: '', step: 'plain', licence: described }, visual, undefined);
    return [data.address, data.height, data.eyeColor].map((one) => one?.confirmed);
  };
  const undescribed = (...values: DescribedValue[]) => ({ ...printing('exact', true, 'OK'), undescribed: values });
  expect(read(printing('exact', true, 'OK'))).toEqual([true, true, true]);
  expect(read(undescribed('address'))).toEqual([false, true, true]);
  expect(read(undescribed('height', 'eyeColor'))).toEqual([true, false, false]);
  expect(read({ ...undescribed('address'), lines: [] })).toEqual([true, true, true]);
});
