import { present } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aamvaDate, parseAamva } from './aamva.ts';
import { ISSUERS } from './issuers.ts';

const HEADER_02 = '@\n\x1e\rANSI 636000090002';

/** A barcode of version 9 with the given elements, and with right or wrong offsets. */
const barcode = (
  elements: Record<string, string>,
  { separator = '\n', shift = 0, header = HEADER_02 } = {},
): string => {
  const body = `DL${Object.entries(elements)
    .map(([id, value]) => id + value)
    .join(separator)}\r`;
  const start = header.length + 20;
  const part = (type: string, offset: number, length: number) =>
    `${type}${String(offset + shift).padStart(4, '0')}${String(length).padStart(4, '0')}`;
  const other = 'ZVZVA01\r';
  return header + part('DL', start, body.length) + part('ZV', start + body.length, other.length) + body + other;
};

const PERSON = {
  DAQ: 'T64235789',
  DCS: 'SPECIMEN',
  DDE: 'N',
  DAC: 'BARRY',
  DDF: 'N',
  DAD: 'HENRY',
  DDG: 'T',
  DCA: 'D',
  DCB: 'NONE',
  DCD: 'NONE',
  DBD: '08052023',
  DBB: '08041961',
  DBA: '08042031',
  DBC: '1',
  DAU: '073 in',
  DAY: 'BRO',
  DAG: '2300 WEST BROAD STREET',
  DAI: 'RICHMOND',
  DAJ: 'VA',
  DAK: '232690000  ',
  DCF: '2424244747474786102204',
  DCG: 'USA',
  DCU: 'JR',
  DAW: '175',
};

describe('licence barcodes', () => {
  test('a licence of the present standard', () => {
    expect(parseAamva(barcode(PERSON))).toMatchObject({
      issuer: { state: 'VA', country: 'USA' },
      kind: 'DRIVING_LICENSE',
      documentNumber: 'T64235789',
      surname: 'SPECIMEN',
      givenNames: ['BARRY', 'HENRY'],
      nameSuffix: 'JR',
      truncated: ['middleName'],
      birthDate: '1961-08-04',
      expiryDate: '2031-08-04',
      issuingDate: '2023-08-05',
      sex: 'M',
      height: '601',
      weight: '175',
      eyeColor: 'BRO',
      address: { streetLines: ['2300 WEST BROAD STREET'], city: 'RICHMOND', state: 'VA', postcode: '23269' },
    });
  });

  test.each([
    ['wrong offsets', { shift: 7 }],
    ['CR LF between elements', { separator: '\r\n' }],
  ])('%s are tolerated', (_name, options) => {
    expect(parseAamva(barcode(PERSON, options))).toMatchObject({ surname: 'SPECIMEN', documentNumber: 'T64235789' });
  });

  test('no separators at all', () => {
    const text = barcode(PERSON, { separator: '' }).replace('@\n\x1e\r', '@');
    expect(parseAamva(text)).toMatchObject({
      surname: 'SPECIMEN',
      birthDate: '1961-08-04',
      address: { city: 'RICHMOND' },
    });
  });

  describe('no separators, the same reading as with them', () => {
    const without = (read: ReturnType<typeof parseAamva>) => ({ ...read, elements: {}, warnings: [] });
    const PLAIN = Object.fromEntries(
      Object.entries(PERSON).filter(([id]) => !['DAY', 'DAG', 'DCU', 'DAW'].includes(id)),
    );
    const RANGE = { ...PLAIN, DAY: 'BRO', DAG: '1 ELM ST' };
    test.each<[string, Record<string, string>]>([
      ['a suffix before the weight', PERSON],
      ['a second line of the street', { ...RANGE, DAH: 'APT 5', DAZ: 'BLK' }],
      ['a street that begins with a letter', { ...PLAIN, DAY: 'BLU', DAG: 'N1234 COUNTY ROAD DD' }],
      ['a hair colour behind a mark of truncation', { ...RANGE, DDG: 'T', DAZ: 'BRO' }],
      ['a country before other codes', { ...RANGE, DCG: 'USA', DCH: 'NONE', DAZ: 'BRO' }],
      ['further days', { ...RANGE, DDB: '01012020', DDH: '08041979', DDI: '08041980', DDJ: '08041982' }],
      ['no suffix', { ...RANGE, DCU: '' }],
      ['no middle name', { ...RANGE, DAD: '' }],
      ...['MADDEN', 'HADDAD', 'JUDAH', 'GOODCHILD', 'WOODCUTTER', 'VAN DAALEN', 'DABROWSKI'].map(
        (name): [string, Record<string, string>] => [name, { ...RANGE, DCS: name, DAC: name, DDF: 'T' }],
      ),
    ])('%s', (_name, elements) => {
      const text = barcode(elements, { separator: '' });
      expect(without(parseAamva(text))).toEqual(without(parseAamva(barcode(elements))));
      const bare = text.replace(/\p{Cc}/gu, '');
      expect(without(parseAamva(bare))).toEqual(without(parseAamva(barcode(elements))));
    });

    test('of version 1', () => {
      const first = {
        DAQ: '12345',
        DAB: 'PUBLIC',
        DAC: 'JORDAN',
        DAD: 'Q',
        DAE: 'JR',
        DBA: '20300131',
        DBB: '19600229',
      };
      const elements = {
        ...first,
        DBC: 'M',
        DAU: '509',
        DAW: '180',
        DAL: '1 JORDAN ST',
        DAN: 'TOWN',
        DAO: 'MD',
        DAP: '20850',
      };
      const text = (separator: string) => {
        const body = Object.entries(elements).map(([id, value]) => id + value);
        return `@\n\x1e\rAAMVA6360030101DL00290999DL${body.join(separator)}\r`;
      };
      expect(parseAamva(text(''))).toMatchObject({
        ...{ documentNumber: '12345', surname: 'PUBLIC', givenNames: ['JORDAN', 'Q'], nameSuffix: 'JR', weight: '180' },
        address: { streetLines: ['1 JORDAN ST'], city: 'TOWN', state: 'MD', postcode: '20850' },
      });
      expect(without(parseAamva(text('')))).toEqual(without(parseAamva(text('\n'))));
    });
  });

  test('version 1: full name, dates with the year first, no jurisdiction version', () => {
    const body = 'DLDAQ12345\nDAASAMPLE,JOHN,Q,SR\nDBA20300131\nDBB19600229\nDBCF\nDAJMD\r';
    const text = `@\n\x1e\rAAMVA6360030101DL00290${String(body.length).padStart(3, '0')}${body}`;
    expect(parseAamva(text)).toMatchObject({
      issuer: { state: 'MD' },
      surname: 'SAMPLE',
      givenNames: ['JOHN', 'Q'],
      nameSuffix: 'SR',
      birthDate: '1960-02-29',
      expiryDate: '2030-01-31',
      sex: 'F',
    });
  });

  test.each(['NONE', 'INDEF', 'INDEFINITE', '99999999', 'NON-EXPIRING', '12319999'])(
    'a card for life says so: %s',
    (DBA) => {
      for (const separator of ['\n', '']) {
        const read = parseAamva(barcode({ ...PERSON, DBA }, { separator }));
        expect(read).toMatchObject({ neverExpires: true, birthDate: '1961-08-04', issuingDate: '2023-08-05' });
        expect(read?.expiryDate).toBeUndefined();
      }
    },
  );

  test.each([
    ['NONE', undefined],
    ['UNAVL', true],
    ['unk ', true],
    ['ANN', undefined],
  ])('a given name %s: whether it is one that the barcode does not say', (DAC, unknown) => {
    const { DAD: _middle, ...person } = PERSON;
    expect(parseAamva(barcode({ ...person, DAC }))?.givenNamesUnknown).toBe(unknown);
  });

  test.each(['UNAVL', '', '02302030', '08042031'])('%p is no such statement', (DBA) => {
    expect(parseAamva(barcode({ ...PERSON, DBA }))?.neverExpires).toBeUndefined();
  });

  test('Canadian dates and postcode', () => {
    const header = '@\n\x1e\rANSI 636012090002';
    const text = barcode({ ...PERSON, DBB: '19610804', DCG: 'CAN', DAJ: 'ON', DAK: 'L7N 1B9' }, { header });
    expect(parseAamva(text)).toMatchObject({ birthDate: '1961-08-04', address: { postcode: 'L7N1B9', state: 'ON' } });
  });

  test.each([`5'11"`, `5' 11"`, `5'-11"`, '5-11', '511', '071 in', '180 cm'])('a height of %s', (DAU) => {
    expect(parseAamva(barcode({ ...PERSON, DAU }))?.height).toBe('511');
  });

  test('a height in the element for centimetres', () => {
    const { DAU: _, ...others } = PERSON;
    for (const DAV of ['180', '180 cm']) expect(parseAamva(barcode({ ...others, DAV }))?.height).toBe('511');
  });

  test('the magnetic-stripe form', () => {
    const text =
      '%BCVICTORIA^SPECIMEN,$BARRY HENRY^910 GOVERNMENT ST$VICTORIA BC  V8W 3Y5^?;6360281234567=290819610804=?';
    expect(parseAamva(text)).toMatchObject({
      form: 'MAGNETIC_STRIPE',
      issuer: { state: 'BC' },
      surname: 'SPECIMEN',
      givenNames: ['BARRY', 'HENRY'],
      documentNumber: '1234567',
      birthDate: '1961-08-04',
      expiryDate: '2029-08-31',
    });
  });

  test('a magnetic stripe whose month is 77 has no expiry', () => {
    const text = '%CAANYTOWN^DOE$JOHN^1 MAIN ST^?;636014123=297719900131?';
    expect(parseAamva(text)).toMatchObject({ neverExpires: true, birthDate: '1990-01-31' });
  });

  test.each(['__proto__', 'constructor', 'toString'])('a sex of %p is left out', (sex) => {
    const { sex: read, ...licence } = parseAamva(barcode({ ...PERSON, DBC: sex })) ?? {};
    expect(read).toBeUndefined();
    expect(licence).toMatchObject({ surname: 'SPECIMEN' });
  });

  test.each([
    [
      'a day that the calendar does not have',
      '%CAANYTOWN^DOE$JOHN^1 MAIN ST^?;636014123=291219909999?',
      undefined,
      '2029-12-31',
    ],
    ['a month that it has not', '%CAANYTOWN^DOE$JOHN^1 MAIN ST^?;636014123=291319900131?', '1990-01-31', undefined],
    [
      'a birthday in February of another year',
      '%CAANYTOWN^DOE$JOHN^1 MAIN ST^?;636014123=299919920229?',
      '1992-02-29',
      '2029-02-28',
    ],
  ])('%s is no date of a magnetic stripe', (_what, text, birthDate, expiryDate) => {
    expect(parseAamva(text)).toMatchObject({ form: 'MAGNETIC_STRIPE', ...present({ birthDate, expiryDate }) });
    expect(Object.keys(parseAamva(text) ?? {}).filter((name) => name.endsWith('Date'))).toHaveLength(
      [birthDate, expiryDate].filter(Boolean).length,
    );
  });

  test('text that is no licence is not read as one, and nothing throws', () => {
    fc.assert(fc.property(fc.string({ maxLength: 400 }), (text) => parseAamva(text) === undefined));
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        parseAamva(`@\n\x1e\rANSI 636000${text}`);
        parseAamva(HEADER_02 + text);
      }),
    );
  });

  test('names, numbers and cities are read as they were written', () => {
    const word = fc.stringMatching(/^[A-Z]{2,12}$/);
    fc.assert(
      fc.property(word, word, word, fc.integer({ min: 1, max: 10 }), (surname, given, city, version) => {
        const header = `@\n\x1e\rANSI 636015${String(version).padStart(2, '0')}0002`;
        const read = parseAamva(barcode({ ...PERSON, DCS: surname, DAC: given, DAI: city }, { header }));
        fc.pre(![surname, given, city].some((name) => /^(NONE|UNAVL|UNK)$/.test(name)));
        expect(read).toMatchObject({ surname, givenNames: [given, 'HENRY'], address: { city } });
      }),
    );
  });

  test('an ambiguous date is read in the order of the country', () => {
    expect(aamvaDate('12112010', false)).toBe('2010-12-11');
    expect(aamvaDate('20101211', true)).toBe('2010-12-11');
    expect(aamvaDate('02302020', false)).toBeUndefined();
  });

  test('every state, the district and every province has one issuer number', () => {
    const states = ISSUERS.filter(({ country, state }) => country === 'USA' && state).map(({ state }) => state);
    expect(new Set(states).size).toBe(56);
    expect(ISSUERS.filter(({ country }) => country === 'CAN')).toHaveLength(13);
    expect(new Set(ISSUERS.map(({ iin }) => iin)).size).toBe(ISSUERS.length);
  });
});
