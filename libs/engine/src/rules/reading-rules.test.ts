import { describe, expect, test } from '@jest/globals';
import type { AamvaReading } from '../barcode/aamva-reading.ts';
import type { DocumentReading } from '../document.ts';
import { BACK, model, readingOf, ZONE } from '../testing/readings.ts';
import type { LabelledValues } from '../viz/labels.ts';
import { faultsOf } from './document-faults.ts';
import { indicatorsOf } from './document-indicators.ts';

const absent = { match: 'absent' as const, edits: 99 };
const exact = { match: 'exact' as const, edits: 0 };
const passport = (pitch: number, birthDate: typeof absent | typeof exact) =>
  readingOf({
    recognition: model('PASSPORT', 'MRZ'),
    mrz: { ...ZONE, pitch },
    visual: {
      lines: [],
      found: 0,
      checks: { surname: absent, documentNumber: absent, birthDate },
      machinePrint: [],
      turned: {},
    },
  });

test('a page that shows none of the values in its zone is reported as covered', () => {
  const covered = passport(8, absent);
  const raised = indicatorsOf(covered);
  expect(raised).toEqual(
    expect.arrayContaining(['OCR_SURNAME_WARNING', 'OCR_DOCNUM_WARNING', 'OCR_BIRTHDATE_WARNING']),
  );
  expect(faultsOf(covered, raised)).toContainEqual(expect.objectContaining({ code: '1543', field: 'DocumentFront' }));
});

test('print that may be too small, or was read in part, is not reported as covered', () => {
  for (const reading of [passport(6, absent), passport(25, exact)]) {
    const raised = indicatorsOf(reading);
    expect(raised).toContain('OCR_SURNAME_UNVERIFIED');
    expect(faultsOf(reading, raised).map(({ code }) => code)).not.toContain('1543');
  }
});

test('a page that shows one value of five is reported as covered, too', () => {
  const checks = { surname: absent, givenNames: absent, documentNumber: exact, birthDate: absent, expiryDate: absent };
  const reading = passport(8, absent);
  const raised = indicatorsOf({ ...reading, visual: { ...reading.visual, checks } });
  expect(raised).toEqual(
    expect.arrayContaining(['OCR_SURNAME_WARNING', 'OCR_BIRTHDATE_WARNING', 'OCR_EXPIRATION_DATE_WARNING']),
  );
});

test('a value that print has otherwise, on a picture with a highlight, asks for another one', () => {
  const checks = { surname: { match: 'near' as const, edits: 2 }, documentNumber: exact, birthDate: exact };
  const reading = passport(25, exact);
  const otherwise = { ...reading, visual: { ...reading.visual, checks } };
  const measures = { ...reading.front.measures, glare: 0.01 };
  const shone = { ...otherwise, front: { ...reading.front, measures } };
  const codesOf = (seen: DocumentReading) => faultsOf(seen, indicatorsOf(seen)).map(({ code }) => code);
  expect(indicatorsOf(shone)).toEqual(expect.arrayContaining(['OCR_SURNAME_WARNING', 'GLARE_IMAGE_QUALITY_FRONT_OK']));
  expect(codesOf(shone)).toEqual(['1532']);
  expect(codesOf(otherwise)).toEqual([]);
  expect(codesOf({ ...reading, front: shone.front })).not.toContain('1532');
});

describe('a zone of which characters were not read', () => {
  const near = { match: 'near' as const, edits: 1 };
  const read = (checks: Record<string, boolean>, unread?: number) => {
    const printed = { surname: near, documentNumber: near, birthDate: near };
    const mrz = { ...ZONE, valid: false, checks, ...(unread && { unread }) };
    const reading = { ...passport(25, exact), mrz };
    const whole: DocumentReading = {
      ...reading,
      visual: { ...reading.visual, checks: printed, sex: 'WARNING', otherStates: { nationality: 'FRA' } },
    };
    const raised = indicatorsOf(whole);
    return { raised, faults: faultsOf(whole, raised) };
  };

  test('asks for another picture where no check digit fails without them', () => {
    const { raised, faults } = read({ documentNumber: true }, 4);
    expect(raised).toEqual(expect.arrayContaining(['MRZ_CHECKSUMS_UNVERIFIED', 'MODEL_RECOGNIZED_WARNING']));
    expect(faults).toContainEqual(expect.objectContaining({ code: '1530', field: 'DocumentFront' }));
    expect(faults.map(({ code }) => code)).not.toContain('1504');
  });

  test('is refuted by a check digit that fails without them', () => {
    const { raised, faults } = read({ documentNumber: false }, 4);
    expect(raised).toContain('MRZ_CHECKSUMS_FAILED');
    expect(faults.map(({ code }) => code)).toContain('1504');
    expect(read({ documentNumber: true }).raised).toContain('MRZ_CHECKSUMS_FAILED');
  });

  test('refutes print only by values whose check digits agree', () => {
    const { raised } = read({ documentNumber: true }, 4);
    expect(raised).toEqual(
      expect.arrayContaining([
        'OCR_DOCNUM_WARNING',
        'OCR_BIRTHDATE_UNVERIFIED',
        'OCR_SURNAME_UNVERIFIED',
        'OCR_SEX_UNVERIFIED',
        'OCR_DOC_NATIONALITY_UNVERIFIED',
      ]),
    );
  });
});

describe('a zone that says the date of birth is not known', () => {
  const { birthDate: _, ...fields } = ZONE.fields;
  const mrz = { ...ZONE, fields: { ...fields, birthDateUnknown: true as const } };
  const reading = readingOf({ recognition: model('PASSPORT', 'MRZ'), mrz });

  test('has the form of its format, and the date is not judged', () => {
    const raised = indicatorsOf(reading);
    expect(raised).toEqual(expect.arrayContaining(['MRZ_FIELDS_SYNTAX_OK', 'BIRTHDATE_VALID_UNVERIFIED']));
  });

  test('is wrong where the page prints one', () => {
    const printed = { value: '1974-08-12', source: 'VISUAL' as const, confirmed: false };
    expect(indicatorsOf({ ...reading, data: { givenNames: [], birthDate: printed } })).toContain(
      'MRZ_FIELDS_SYNTAX_FAILED',
    );
  });

  test('fields that are no date are wrong', () => {
    expect(indicatorsOf({ ...reading, mrz: { ...ZONE, fields } })).toContain('MRZ_FIELDS_SYNTAX_FAILED');
  });
});

describe('a card whose zone has fillers for its last day', () => {
  const { expiryDate: _, ...fields } = ZONE.fields;
  const raisedBy = (zone: Partial<typeof ZONE.fields>) =>
    indicatorsOf(
      readingOf({ recognition: model('IDENTITY_CARD', 'MRZ'), mrz: { ...ZONE, fields: { ...fields, ...zone } } }),
    );

  test('is neither in the form of the standard nor against it, and not called valid', () => {
    expect(raisedBy({ expiryUnknown: true })).toEqual(
      expect.arrayContaining(['MRZ_FIELDS_SYNTAX_UNVERIFIED', 'DOC_EXPIRATION_DATE_UNVERIFIED']),
    );
  });

  test('is wrong where what stands there is no date', () => {
    expect(raisedBy({})).toContain('MRZ_FIELDS_SYNTAX_FAILED');
    expect(raisedBy({ expiryUnknown: true, surname: '' })).toContain('MRZ_FIELDS_SYNTAX_FAILED');
  });
});

test('the barcode of a card for life is whole without a last day, and the day is not judged', () => {
  const TEXAS = { iin: '636015', name: 'Texas', state: 'TX', country: 'USA' as const };
  const licence: AamvaReading = {
    ...{ form: 'AAMVA', iin: '636015', version: 10, kind: 'IDENTITY_CARD', issuer: TEXAS },
    ...{ documentNumber: '12345678', surname: 'MILLER', givenNames: ['ANN'], birthDate: '1948-04-03' },
    ...{ truncated: [], elements: {}, warnings: [] },
  };
  const raisedBy = (said: Partial<AamvaReading>) =>
    indicatorsOf(
      readingOf({
        recognition: model('IDENTITY_CARD', 'BARCODE'),
        barcode: { text: '', step: 'plain', side: 'BACK', licence: { ...licence, ...said } },
      }),
    );
  expect(raisedBy({ neverExpires: true })).toEqual(
    expect.arrayContaining(['CB2D_FIELDS_SYNTAX_OK', 'DOC_EXPIRATION_DATE_UNVERIFIED']),
  );
  expect(raisedBy({})).toContain('CB2D_FIELDS_SYNTAX_FAILED');
});

describe('a second picture of a one-sided document', () => {
  const lines = Array.from({ length: 9 }, (_, i) => ({
    ...{ side: 'BACK' as const, confidence: 0.99, left: 0, right: 200, x: 100, height: 20 },
    y: 30 * i,
    text: `PRINT ${i}`,
  }));
  const near = { match: 'near' as const, edits: 1 };
  const beside = (sameDocument: boolean, read: { legible?: boolean; labelled?: LabelledValues } = {}) => {
    const { legible = true, labelled = {} } = read;
    const visual = { found: 9, machinePrint: [], turned: {} };
    return indicatorsOf(
      readingOf({
        ...{ back: BACK, loneSide: 'FRONT', several: 'OK', recognition: model('PASSPORT', 'MRZ'), mrz: ZONE },
        visual: { ...visual, lines: [], checks: { surname: exact, birthDate: exact }, sex: 'OK' },
        surplus: {
          visual: {
            ...visual,
            lines: legible ? lines : [],
            checks: { surname: near, birthDate: exact },
            sex: 'WARNING',
          },
          ...{ sameDocument, labelled },
        },
      }),
    );
  };

  test('contradicts the first if it shows the same document with other values', () => {
    const raised = beside(true);
    expect(raised).toEqual(expect.arrayContaining(['OCR_SURNAME_WARNING', 'OCR_BIRTHDATE_OK', 'OCR_SEX_WARNING']));
    expect(raised).toContain('NO_MULTIPLE_DOCUMENT_CHECK_OK');
    expect(beside(true, { legible: false })).toContain('OCR_SURNAME_OK');
  });

  test('is another document if its labels have other values, otherwise it is unknown', () => {
    const labelled = { surname: 'OTHER', documentNumber: 'X1234567' };
    const raised = beside(false, { labelled });
    expect(raised).toEqual(expect.arrayContaining(['NO_MULTIPLE_DOCUMENT_CHECK_FAILED', 'OCR_SURNAME_OK']));
    expect(beside(false, { labelled, legible: false })).toContain('NO_MULTIPLE_DOCUMENT_CHECK_UNVERIFIED');
    expect(beside(false, { labelled: { surname: 'OTHER' } })).toContain('NO_MULTIPLE_DOCUMENT_CHECK_UNVERIFIED');
  });
});

describe('an object beside the document', () => {
  const line = { side: 'FRONT' as const, confidence: 0.99, left: 0, right: 200, x: 100, height: 20 };
  const lines = Array.from({ length: 9 }, (_, i) => ({ ...line, y: 30 * i, text: `PRINT ${i}` }));
  const looked = (beside: DocumentReading['beside'], more: Partial<DocumentReading> = {}) => {
    const reading = readingOf({
      ...{ several: 'OK', recognition: model('PASSPORT', 'MRZ'), mrz: ZONE, ...more },
      visual: { lines, found: 9, checks: { surname: exact, birthDate: exact }, machinePrint: [], turned: {} },
      ...(beside && { beside }),
    });
    const raised = indicatorsOf(reading);
    const codes = faultsOf(reading, raised).map(({ code }) => code);
    return [raised.find((name) => name.startsWith('NO_MULTIPLE_DOCUMENT_CHECK')), codes];
  };
  const print = (labelled: LabelledValues, sameDocument = false) => ({
    ...{ visual: { lines, found: 12, checks: {}, machinePrint: [], turned: {} }, sameDocument, labelled },
  });

  const unknown = 'NO_MULTIPLE_DOCUMENT_CHECK_UNVERIFIED';

  test('is another document if its labels have values, or by its title and a portrait', () => {
    const failed = ['NO_MULTIPLE_DOCUMENT_CHECK_FAILED', ['1536']];
    const labelled = { surname: 'OTHER', documentNumber: 'X1234567' };
    expect(looked({ found: 12, print: print(labelled) })).toEqual(failed);
    expect(looked({ found: 12, print: print(labelled, true) })).toEqual(failed);
    const card = model('IDENTITY_CARD', 'LAYOUT');
    expect(looked({ found: 12, print: print({}), model: card }, { faceBeside: true })).toEqual(failed);
    expect(looked({ found: 12, print: print({}), model: card })).toEqual([unknown, ['1538']]);
  });

  test('is unknown if it is only print, or only a face', () => {
    expect(looked({ found: 12, print: print({ surname: 'OTHER' }) })).toEqual([unknown, ['1538']]);
    expect(looked({ found: 0 }, { faceBeside: true })).toEqual([unknown, []]);
    expect(looked(undefined, { faceBeside: true })).toEqual([unknown, []]);
  });

  test('is ignored if there is no room for it, or hardly any print', () => {
    for (const beside of [undefined, { found: 0 }, { found: 5 }])
      expect(looked(beside)).toEqual(['NO_MULTIPLE_DOCUMENT_CHECK_OK', []]);
  });
});

test('the sides of a card belong to one document only if the front shows the values of the back', () => {
  const several = (parts: Partial<DocumentReading>) =>
    indicatorsOf(
      readingOf({
        ...{ back: BACK, several: 'OK', recognition: model('IDENTITY_CARD', 'MRZ', { sides: ['FRONT', 'BACK'] }) },
        ...{ mrz: { ...ZONE, format: 'TD1', side: 'BACK' }, counterpartSeen: true, ...parts },
      }),
    ).find((name) => name.startsWith('NO_MULTIPLE_DOCUMENT_CHECK'));
  const front = (documentNumber: typeof exact | typeof absent) => ({
    visual: { lines: [], found: 9, checks: { surname: exact, documentNumber }, machinePrint: [], turned: {} },
  });
  expect(several(front(exact))).toBe('NO_MULTIPLE_DOCUMENT_CHECK_OK');
  expect(several(front(absent))).toBe('NO_MULTIPLE_DOCUMENT_CHECK_UNVERIFIED');
  expect(several({ ...front(exact), counterpartSeen: false })).toBe('NO_MULTIPLE_DOCUMENT_CHECK_UNVERIFIED');
  const licence = model('DRIVING_LICENSE', 'LAYOUT');
  expect(several({ ...front(exact), counterpartModel: licence })).toBe('NO_MULTIPLE_DOCUMENT_CHECK_FAILED');
});

test('characters that are too small because the document is far away', () => {
  const looked = (pitch: number, share: number) => {
    const reading = readingOf({
      ...{ several: 'OK', recognition: model('PASSPORT', 'MRZ'), mrz: { ...ZONE, pitch } },
      visual: { lines: [], found: 9, checks: { surname: exact }, machinePrint: [], turned: {} },
    });
    const taken = { ...reading, front: { ...reading.front, share } };
    return faultsOf(taken, indicatorsOf(taken)).map(({ code }) => code);
  };
  expect(looked(6, 0.35)).toEqual(['1506', '1541']);
  expect(looked(9, 0.35)).toEqual(['1541']);
  expect(looked(9, 0.9)).toEqual([]);
  expect(looked(20, 0.35)).toEqual([]);
});

test('the front of a Mexican voting card prints neither number nor last day, which raises nothing', () => {
  const line = { side: 'FRONT' as const, confidence: 0.99, left: 0, right: 200, x: 100, height: 20 };
  const lines = Array.from({ length: 9 }, (_, i) => ({ ...line, y: 30 * i, text: `PRINT ${i}` }));
  const raised = (country: string) =>
    indicatorsOf(
      readingOf({
        back: BACK,
        recognition: model('IDENTITY_CARD', 'MRZ', { sides: ['FRONT', 'BACK'], country }),
        counterpartSeen: true,
        counterpartModel: model('IDENTITY_CARD', 'LAYOUT', { country: 'MEX', unprinted: ['documentNumber'] }),
        mrz: { ...ZONE, format: 'TD1', side: 'FRONT' },
        visual: { lines, found: 9, checks: { surname: exact, documentNumber: absent }, machinePrint: [], turned: {} },
      }),
    );
  expect(raised('MEX')).toContain('OCR_DOCNUM_UNVERIFIED');
  expect(raised('ESP')).toContain('OCR_DOCNUM_WARNING');
});
