import { expect, test } from '@jest/globals';
import { BACK, model, readingOf, ZONE } from '../testing/readings.ts';
import { faultsOf, indicatorsOf } from './document-indicators.ts';

const absent = { verdict: 'absent' as const, edits: 99 };
const exact = { verdict: 'exact' as const, edits: 0 };
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

test('a page that shows nothing of what its zone says is covered', () => {
  const covered = passport(8, absent);
  const raised = indicatorsOf(covered);
  expect(raised).toEqual(
    expect.arrayContaining(['OCR_SURNAME_WARNING', 'OCR_DOCNUM_WARNING', 'OCR_BIRTHDATE_WARNING']),
  );
  expect(faultsOf(covered, raised)).toContainEqual(expect.objectContaining({ code: '1543', field: 'DocumentFront' }));
});

test('print that may just be too small, or of which something was seen, is not called covered', () => {
  for (const reading of [passport(6, absent), passport(25, exact)]) {
    const raised = indicatorsOf(reading);
    expect(raised).toContain('OCR_SURNAME_UNVERIFIED');
    expect(faultsOf(reading, raised).map(({ code }) => code)).not.toContain('1543');
  }
});

test('the front of a Mexican voting card prints neither number nor last day, which is nothing against it', () => {
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
