import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { faultsOf, indicatorsOf } from '../domain/document-indicators.ts';
import type { DocumentReading } from './document.ts';
import { type CaptureDetails, type Engine, isUnreadable } from './engine.ts';
import { openEnginePool } from './pool.ts';

// The nets run in the engine's own process: inside a test runner's context onnxruntime refuses the typed arrays.
const specimen = (name: string): Promise<Buffer> =>
  readFile(path.resolve(import.meta.dirname, '../../../../specimens', name));

let engine: Engine;
beforeAll(async () => {
  engine = await openEnginePool({ size: 1, limits: { startMs: 110_000 } });
}, 120_000);
afterAll(() => engine.close());

const read = async (front: Buffer, back?: Buffer, details: CaptureDetails = {}): Promise<DocumentReading> => {
  const settings = { portrait: false };
  const seen = await engine.document({ front, ...(back && { back }), details, today: '2026-11-21', settings });
  if (isUnreadable(seen)) throw new Error(seen.error.code);
  return seen.reading;
};

describe('whole documents', () => {
  test('a good passport raises nothing against it but being a specimen', async () => {
    const raised = indicatorsOf(await read(await specimen('passport.jpg'), undefined, { documentType: 'PASSPORT' }));
    expect(raised.filter((name) => /_(FAILED|WARNING)$/.test(name))).toEqual(['DOC_SPECIMEN_FAILED']);
    expect(raised).toEqual(
      expect.arrayContaining([
        'MODEL_RECOGNIZED_OK',
        'MRZ_CHECKSUMS_OK',
        'MRZ_FIELDS_SYNTAX_OK',
        'OCR_SURNAME_OK',
        'OCR_BIRTHDATE_OK',
        'OCR_SEX_OK',
        'DOC_EXPIRATION_DATE_OK',
        'VISUAL_SECURITY_UNVERIFIED',
      ]),
    );
    expect(faultsOf(raised)).toEqual([]);
  }, 60_000);

  test('the same passport on its side reads the same', async () => {
    const turned = await sharp(await specimen('passport.jpg'))
      .rotate(90)
      .jpeg()
      .toBuffer();
    const { mrz, front, data } = await read(turned);
    expect(mrz).toMatchObject({ valid: true, rotation: 270 });
    expect(front.rotation).toBe(270);
    expect(data.surname).toEqual({ value: 'SPECIMEN', source: 'MRZ', confirmed: true });
  }, 60_000);

  test('an altered birth date is a warning, an expired passport a failure with its error', async () => {
    expect(indicatorsOf(await read(await specimen('passport-altered.jpg')))).toContain('OCR_BIRTHDATE_WARNING');
    const expired = indicatorsOf(await read(await specimen('passport-expired.jpg')));
    expect(expired).toContain('DOC_EXPIRATION_DATE_FAILED');
    expect(faultsOf(expired)).toEqual([expect.objectContaining({ code: '1501' })]);
  }, 60_000);

  test('the sides of a card may be exchanged; a missing one is said', async () => {
    const [front, back] = await Promise.all([specimen('identity-card-front.jpg'), specimen('identity-card-back.jpg')]);
    const swapped = await read(back, front);
    expect(swapped.recognition).toMatchObject({ type: 'IDENTITY_CARD', country: 'UTO' });
    expect(indicatorsOf(swapped)).toEqual(
      expect.arrayContaining(['EXPECTED_DOCUMENT_SIDES_WARNING', 'REQUIRED_SIDES_CHECK_OK', 'OCR_SURNAME_OK']),
    );
    const alone = indicatorsOf(await read(back));
    expect(alone).toContain('REQUIRED_SIDES_CHECK_FAILED');
    expect(faultsOf(alone)).toContainEqual(expect.objectContaining({ code: '1508', field: 'DocumentBack' }));
  }, 60_000);

  test('a US licence: barcode, issuer, and what only the barcode knows', async () => {
    const licence = await read(await specimen('us-licence-front.jpg'), await specimen('us-licence-back.jpg'));
    expect(licence.recognition).toMatchObject({ model: 'AAMVA-636000-DL', type: 'DRIVING_LICENSE', state: 'VA' });
    expect(licence.data).toMatchObject({
      documentNumber: { value: 'T64235789', source: 'BARCODE', confirmed: true },
      height: { value: '511' },
      weight: { value: '175' },
      address: { city: 'RICHMOND', state: 'VA' },
    });
    expect(indicatorsOf(licence)).toEqual(
      expect.arrayContaining(['DOCUMENT_BARCODE_PARSING_OK', 'CB2D_FIELDS_SYNTAX_OK', 'OCR_DOCNUM_OK']),
    );
  }, 60_000);

  test('an Australian licence is read by its labels', async () => {
    const { data, recognition } = await read(await specimen('au-licence.jpg'));
    expect(recognition).toMatchObject({ country: 'AUS', state: 'NSW', by: 'LAYOUT' });
    expect(data).toMatchObject({
      surname: { value: 'SPECIMEN', confirmed: false },
      documentNumber: { value: '12345678' },
      cardNumber: { value: '2034567890' },
      birthDate: { value: '1974-08-12' },
      expiryDate: { value: '2035-04-15' },
      address: { streetLines: ['1 EXAMPLE STREET'], city: 'SYDNEY', state: 'NSW', postcode: '2000' },
    });
  }, 60_000);

  test('an empty picture is no document', async () => {
    const grey = { create: { width: 900, height: 600, channels: 3 as const, background: '#888' } };
    const raised = indicatorsOf(await read(await sharp(grey).jpeg().toBuffer()));
    expect(raised).toEqual(expect.arrayContaining(['IMAGE_WITHOUT_DOCUMENT_CHECK_FAILED', 'MODEL_RECOGNIZED_FAILED']));
    expect(faultsOf(raised).map(({ code }) => code)).toContain('1530');
  }, 60_000);
});
