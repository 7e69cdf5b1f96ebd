import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  AddressRequestSchema,
  AttributesRequestSchema,
  CaseDecisionSchema,
  ChipDataRequestSchema,
  ConsentsRequestSchema,
  DocumentTextSchema,
  HealthCardSchema,
  isPrintable,
  matches,
  printableOf,
  TenantSettingsSchema,
  violationsOf,
  withoutEmpty,
} from './index.ts';

const fields = (schema: Parameters<typeof violationsOf>[0], value: unknown) =>
  violationsOf(schema, value).map(({ field }) => field);

const document = {
  idDocumentType: 'DRIVING_LICENSE',
  idDocumentNumber: 'T64235789',
  issuingCountry: 'USA',
  issuingState: 'VA',
  personalAttributes: {
    dateOfBirth: { value: '1961-08-04' },
    givenNames: [{ value: 'BARRY' }],
    surname: { value: 'SPECIMEN' },
  },
};

describe('base64', () => {
  const said = (text: string) => violationsOf(ChipDataRequestSchema, { comFile: text }).map(({ message }) => message);

  test.each(['AAAA', 'AA==', 'AAA=', 'ab+/', 'AAAAAA==', Buffer.alloc(100_000, 7).toString('base64')])(
    'is accepted (%#)',
    (text) => {
      expect(said(text)).toEqual([]);
    },
  );

  test.each([
    '',
    'A',
    'AA',
    'AAA',
    'AAAAA',
    'A===',
    '====',
    'AA=A',
    '=AAA',
    'AA==AAAA',
    'AAA-',
    'AAA_',
    'AA A',
    'AAA\n',
    'AA\n=',
    'AAA\u0141',
    'AA\u{1f600}',
  ])('is refused in any other form (%#)', (text) => {
    expect(said(text)).toEqual(['must be base64, in the standard alphabet and padded']);
  });

  test('is defined by its grammar, whatever the decoder accepts', () => {
    const piece = fc.oneof(
      fc.base64String(),
      fc.constantFrom('=', '==', '-', '_', ' ', '\n', '\0', '\u00e9', '\u0141', '\uff21', '\ud800'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => {
        const text = pieces.join('');
        const isBase64 = text !== '' && /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);
        expect(said(text).length === 0).toBe(isBase64);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('violationsOf', () => {
  test('names the dotted path of what is missing or wrong', () => {
    expect(
      fields(ConsentsRequestSchema, [{ approved: true, type: 'GIV', validityPeriod: { to: '2026-02-30' } }]),
    ).toEqual(['[0].validityPeriod.to']);
    const period = { from: '2026-03-02', to: '2026-03-01' };
    expect(violationsOf(ConsentsRequestSchema, [{ approved: true, type: 'GIV', validityPeriod: period }])).toEqual([
      { field: '[0].validityPeriod.to', message: 'must not lie before from' },
    ]);
    expect(
      fields(DocumentTextSchema, {
        ...document,
        personalAttributes: { ...document.personalAttributes, dateOfBirth: undefined },
      }),
    ).toContain('personalAttributes.dateOfBirth');
    expect(fields(DocumentTextSchema, { ...document, issuingCountry: 'us' })).toEqual(['issuingCountry']);
    expect(fields(ChipDataRequestSchema, { dataGroups: { 1: 'no base64' } })).toEqual(['dataGroups.1']);
  });

  test('refuses control characters, unpaired surrogates and characters that turn the direction of a text', () => {
    expect(fields(DocumentTextSchema, { ...document, idDocumentNumber: 'A\u202e1' })).toEqual(['idDocumentNumber']);
    expect(fields(DocumentTextSchema, { ...document, idDocumentNumber: 'A\u0000' })).toEqual(['idDocumentNumber']);
    expect(fields(DocumentTextSchema, { ...document, idDocumentNumber: 'A\ud800' })).toEqual(['idDocumentNumber']);
  });

  const unseen = ['\u200b', '\u200e', '\u061c', '\u00ad', '\u2028', '\u2060', '\u3164', '\ufeff', '\u{e0041}'];
  const joiners = ['\u200c', '\u200d', '\u034f', '\u180b', '\ufe0f', '\u{e0100}', '\u0301\u200d'];
  test.each([...unseen, ...joiners, '\u2800', '\u17b4', '\u{1d173}', '\u{1bca0}', '\u{e0fff}', '\u{1d159}'])(
    'refuses %j, which cannot be seen',
    (hidden) =>
      expect(fields(DocumentTextSchema, { ...document, idDocumentNumber: `A${hidden}1` })).toEqual([
        'idDocumentNumber',
      ]),
  );
  test('what is left of any text without these is printable, however long they are', () => {
    const part = fc.constantFrom(
      ...unseen,
      ...joiners,
      'A',
      '\u0915',
      '\u094d',
      '\u0640',
      '\u{1f468}',
      '\u{1f3fd}',
      ' ',
    );
    const text = fc.string({ unit: fc.oneof(part, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })) });
    fc.assert(fc.property(text, (any) => expect(isPrintable(printableOf(any))).toBe(true)));
    expect(printableOf(`\u0915${'\u200d'.repeat(1_000_000)}`).length).toBeLessThan(20);
  });
  test.each([
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
    '\u0d9a\u0dca\u200d\u0dbb',
    '\u845b\u{e0100}\u98fe',
    '\u{1f468}\u{1f3fd}\u200d\u2695\ufe0f',
    "Zo\u00eb O'Neill-\u0141",
  ])('accepts %j, of which scripts need every part', (name) =>
    expect(fields(DocumentTextSchema, { ...document, idDocumentNumber: name })).toEqual([]),
  );
  test("accepts an operator's comment of several lines, but no control characters in them", () => {
    const commented = (comment: string) => fields(CaseDecisionSchema, { decision: 'ACCEPT', comment });
    expect([commented('Blurred,\r\n\tbut the same person.'), commented('')]).toEqual([[], []]);
    for (const comment of ['a\u202eb', 'a\u200bb', 'a\u001b[2J', '\ud800'])
      expect(commented(comment)).toEqual(['comment']);
  });
  test('refuses an invisible name of a tenant', () => {
    for (const name of [' ', '\u00a0', '\u200b', '\u200d', '\u2800', 'A\u202eB', 'A\nB'])
      expect(fields(TenantSettingsSchema, { capture: { name } })).toEqual(['capture.name']);
    expect(fields(TenantSettingsSchema, { capture: { name: 'Bank \u0623' } })).toEqual([]);
  });

  test.each([
    ['DRIVING_LICENSE', 'USA', undefined, ['issuingState']],
    ['DRIVING_LICENSE', 'AUS', undefined, ['issuingState']],
    ['DRIVING_LICENSE', 'USA', 'NSW', ['issuingState']],
    ['DRIVING_LICENSE', 'AUS', 'VA', ['issuingState']],
    ['IDENTITY_CARD', 'USA', 'ZZ', ['issuingState']],
    ['DRIVING_LICENSE', 'USA', 'CA', []],
    ['DRIVING_LICENSE', 'USA', 'DC', []],
    ['DRIVING_LICENSE', 'USA', 'PR', []],
    ['DRIVING_LICENSE', 'AUS', 'NSW', []],
    ['PASSPORT', 'AUS', undefined, []],
    ['DRIVING_LICENSE', 'DEU', undefined, []],
    ['DRIVING_LICENSE', 'CAN', 'QC', []],
  ])('%s of %s with the state %s: %j', (idDocumentType, issuingCountry, issuingState, expected) => {
    const { issuingState: _, ...rest } = document;
    const state = issuingState === undefined ? {} : { issuingState };
    expect(fields(DocumentTextSchema, { ...rest, idDocumentType, issuingCountry, ...state })).toEqual(expected);
  });

  test('names both dates if a document is older than its holder', () => {
    expect(violationsOf(DocumentTextSchema, { ...document, issuingDate: '1961-08-03' })).toEqual([
      { field: 'issuingDate', message: 'must not lie before personalAttributes.dateOfBirth.value' },
    ]);
  });

  test.each([
    ['9 August 1974', '2035-04-15', ['personalAttributes.dateOfBirth.value']],
    ['1974-08-09', '15/04/2035', ['expiryDate']],
    ['1974-08-09', '+002035-04-15', ['expiryDate']],
  ])('compares no dates of which one is none: born %s, expires %s: %j', (value, expiryDate, expected) => {
    const personalAttributes = { ...document.personalAttributes, dateOfBirth: { value } };
    expect(fields(DocumentTextSchema, { ...document, expiryDate, personalAttributes })).toEqual(expected);
  });

  test.each([
    ['B', '2019-12-31', ['expiryDate']],
    ['Y', '2019-12-31', ['expiryDate']],
    ['Y', '2020-01-15', []],
    ['G', '2020-01-01', []],
  ])('health card %s of somebody born on 2020-01-15 that expires on %s: %j', (cardType, expiryDate, expected) => {
    const personalAttributes = { fullname: { value: 'A SPECIMEN' }, dateOfBirth: { value: '2020-01-15' } };
    expect(fields(HealthCardSchema, { cardNumber: '2950678901', cardType, expiryDate, personalAttributes })).toEqual(
      expected,
    );
  });

  test.each([
    [AttributesRequestSchema, { surname: { value: 'A' } }, /^must have one of givenNames, surname, /],
    [AddressRequestSchema, { city: 'A' }, /^must have one of streetDetails, city, /],
  ])('requires one of the known fields in a statement', (schema, good, message) => {
    expect(violationsOf(schema, { ...good, more: 1 })).toEqual([]);
    for (const empty of [{}, { more: 1 }])
      expect(violationsOf(schema, empty)).toEqual([{ field: '', message: expect.stringMatching(message) }]);
  });

  test('accepts a good value and ignores fields that it does not name', () => {
    expect(matches(DocumentTextSchema, { ...document, more: 1 })).toBe(true);
  });
});

describe('a document as text', () => {
  const text = (more: object = {}) => ({
    idDocumentType: 'PASSPORT',
    idDocumentNumber: 'X1',
    issuingCountry: 'DEU',
    personalAttributes: {
      dateOfBirth: { value: '1980-01-01' },
      givenNames: [{ value: 'Jane' }],
      surname: { value: 'Doe' },
    },
    ...more,
  });
  const named = (...givenNames: unknown[]) => ({ personalAttributes: { ...text().personalAttributes, givenNames } });
  const born = (value: string) => ({ personalAttributes: { ...text().personalAttributes, dateOfBirth: { value } } });
  const fieldsOf = (more: object) =>
    violationsOf(DocumentTextSchema, withoutEmpty(text(more)), text(more)).map(({ field }) => field);

  test.each<[string, object, string[]]>([
    ['of a country that is not on the list', { issuingCountry: 'QQQ' }, ['issuingCountry']],
    ['of a code of ICAO 9303', { issuingCountry: 'RKS' }, []],
    ['with an address in no country', { address: { country: 'ZZZ' } }, ['address.country']],
    ['of a person born in 1850', born('1850-01-01'), ['personalAttributes.dateOfBirth.value']],
    ['of a person born in the future', born('2999-01-01'), ['personalAttributes.dateOfBirth.value']],
    ['issued in the future', { issuingDate: '2999-01-01' }, ['issuingDate']],
    ['that expired before it was issued', { issuingDate: '2020-01-02', expiryDate: '2020-01-01' }, ['expiryDate']],
    ['issued before the birth of its holder', { issuingDate: '1979-12-31' }, ['issuingDate']],
    ['that expired before the birth of its holder', { expiryDate: '1979-12-31' }, ['expiryDate']],
    ['issued on the day of birth', { issuingDate: '1980-01-01' }, []],
    ['with empty texts in optional fields', { issuingDate: '', issuingState: '', address: { city: '' } }, []],
    ['with an empty value in a required field', born(''), ['personalAttributes.dateOfBirth.value']],
    ['with blanks in a required field', { idDocumentNumber: ' \t' }, ['idDocumentNumber']],
    ['with blanks in optional fields', { issuingState: ' ', address: { city: '\u00a0' } }, []],
    ['with values of null in optional fields', { address: { streetDetails: { streetLines: null }, city: null } }, []],
    [
      'with a gender whose value is null',
      { personalAttributes: { ...text().personalAttributes, gender: { value: null } } },
      [],
    ],
    ['with an empty middle name', named({ value: 'Jane' }, { value: '' }), []],
    ['with middle names of null', named({ value: 'Jane' }, { value: null }, null), []],
    ['without a first name', named({ value: '' }, { value: 'Ann' }), ['personalAttributes.givenNames[0].value']],
    ['with empty names alone', named({ value: '' }, { value: '' }), ['personalAttributes.givenNames[0].value']],
    ['with empty street lines alone', { address: { streetDetails: { streetLines: ['', ''] } } }, []],
    ['with a second street line of null', { address: { streetDetails: { streetLines: ['1 A St', null] } } }, []],
  ])('%s', (_, more, fields) => expect(fieldsOf(more)).toEqual(fields));

  test('reports for an empty required field that it must not be empty', () => {
    const sent = text({ idDocumentNumber: '' });
    expect(violationsOf(DocumentTextSchema, withoutEmpty(sent), sent)).toEqual([
      { field: 'idDocumentNumber', message: 'must not be empty' },
    ]);
  });

  test('retains the position of names and drops empty street lines', () => {
    expect(withoutEmpty({ givenNames: [{ value: 'A' }, { value: '' }, { value: 'B' }, { value: '' }] })).toEqual({
      givenNames: [{ value: 'A' }, {}, { value: 'B' }],
    });
    expect(withoutEmpty({ streetLines: ['', 'Unit 5'] })).toEqual({ streetLines: ['Unit 5'] });
    expect(withoutEmpty({ list: [], object: {}, none: [null] })).toEqual({ list: [], object: {} });
  });
});

describe('an address in the settings of a tenant', () => {
  const wrong = (settings: object) => violationsOf(TenantSettingsSchema, settings).map(({ field }) => field);
  test.each(['https://reader.example/open', 'assay-reader://', 'assay-reader://chip', 'com.example.app+x://a/b?c=d'])(
    '%j opens an app',
    (chipReader) => expect(wrong({ capture: { chipReader } })).toEqual([]),
  );
  test.each([
    'javascript://reader.example/%0aalert(1)',
    'data://text/html,x',
    'file:///etc/passwd',
    'blob://reader.example',
    'view-source://reader.example',
    'http://reader.example/open',
    'https://',
    'https://reader.example/a b',
    'reader',
  ])('%j opens no app', (chipReader) => expect(wrong({ capture: { chipReader } })).toEqual(['capture.chipReader']));

  test.each(['https://shop.example', 'http://localhost:8080', 'com.example.app://home', 'capacitor://localhost'])(
    '%j is an origin',
    (origin) => expect(wrong({ allowedOrigins: [origin], capture: { embedders: [origin] } })).toEqual([]),
  );
  test.each(['javascript://shop.example', 'data://x', 'file://x', 'blob://x', 'about://x', 'https://*', 'https://a;b'])(
    '%j is no origin',
    (origin) =>
      expect(wrong({ allowedOrigins: [origin], capture: { embedders: [origin] } })).toEqual([
        'allowedOrigins[0]',
        'capture.embedders[0]',
      ]),
  );

  test.each(['https://shop.example/logo.png?v=1', 'data:image/png;base64,iVBORw0KGgo='])('%j is a logo', (logoUrl) =>
    expect(wrong({ capture: { logoUrl } })).toEqual([]),
  );
  test.each([
    'http://shop.example/logo.png',
    'data:image/svg+xml;base64,PHN2Zy8+',
    'data:text/html;base64,PHN2Zy8+',
    'data:image/png;base64,"><script>',
    'https://shop.example/" onerror="alert(1)',
    'https://',
  ])('%j is no logo', (logoUrl) => expect(wrong({ capture: { logoUrl } })).toEqual(['capture.logoUrl']));
});

describe('violations in words', () => {
  const messagesOf = (schema: Parameters<typeof violationsOf>[0], value: unknown) =>
    violationsOf(schema, value).map(({ field, message }) => `${field} ${message}`);

  test('of a form without its expression', () => {
    expect(messagesOf(TenantSettingsSchema, { allowedOrigins: ['https://shop.example/'] })).toEqual([
      'allowedOrigins[0] must have this form: an origin in small letters, such as https://shop.example: no path, no slash at its end',
    ]);
    const period = { to: '2026-02-30' };
    expect(messagesOf(ConsentsRequestSchema, [{ approved: true, type: 'GIV', validityPeriod: period }])).toEqual([
      '[0].validityPeriod.to must be a date, YYYY-MM-DD',
    ]);
  });

  test('of values that may be null, without mentioning null', () => {
    const webhook = { url: 'https://shop.example', mode: 'SOME', headerName: 'not a name', secret: '' };
    expect(messagesOf(TenantSettingsSchema, { webhook })).toEqual([
      'webhook.mode must be one of NONE, API_KEY, HMAC',
      expect.stringMatching(/^webhook.headerName must have this form: name of the header/),
      'webhook.secret must not be empty',
    ]);
    expect(messagesOf(TenantSettingsSchema, { webhook: 'https://shop.example' })).toEqual(['webhook must be object']);
    const halves = { url: 'https://shop.example/\ud83d', mode: 'HMAC', headerName: 'x', secret: '\ude00\ud83d' };
    expect(messagesOf(TenantSettingsSchema, { webhook: { ...halves, formerSecret: 'é\n😀' } })).toEqual(
      ['url', 'secret'].map((name) => `webhook.${name} must have no half of a character (an unpaired surrogate)`),
    );
  });

  test('of missing and unknown members, and of excess', () => {
    expect(messagesOf(TenantSettingsSchema, { polcy: 'strict' })).toEqual(['polcy is no field that is known here']);
    expect(messagesOf(ConsentsRequestSchema, [])).toEqual([' must not be empty']);
    expect(messagesOf(ConsentsRequestSchema, [{ type: 'GIV' }])).toEqual(['[0].approved is missing']);
  });
});

test('reports the first hundred violations: a small body can be wrong in thousands of places', () => {
  const violations = violationsOf(
    ConsentsRequestSchema,
    Array.from({ length: 10_000 }, () => ({})),
  );
  expect(violations).toHaveLength(100);
  expect(violations[1]?.field).toMatch(/^\[0\]/);
});
