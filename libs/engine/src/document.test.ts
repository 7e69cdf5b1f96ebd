import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { todayAt } from '@assay/contracts';
import { drawIdentityCard, drawPassport, drawUsLicence, photograph, SPECIMEN } from '@assay/specimens';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import type { DocumentReading } from './document.ts';
import type { DocumentHints } from './document-hints.ts';
import { type Engine, isUnreadable } from './engine.ts';
import { openEnginePool } from './pool.ts';
import { faultsOf } from './rules/document-faults.ts';
import { indicatorsOf } from './rules/document-indicators.ts';

// The nets run in the engine's own process: inside a test runner's context onnxruntime refuses the
// typed arrays.
const specimen = (name: string): Promise<Buffer> =>
  readFile(path.resolve(import.meta.dirname, '../../../specimens', name));

let engine: Engine;
beforeAll(async () => {
  engine = await openEnginePool({ size: 1, limits: { startMs: 110_000 } });
}, 120_000);
afterAll(() => engine.close());

const read = async (front: Buffer, back?: Buffer, details: DocumentHints = {}): Promise<DocumentReading> => {
  const settings = { portrait: false };
  const seen = await engine.document({
    front,
    ...(back && { back }),
    details,
    today: todayAt(new Date('2026-11-21')),
    settings,
  });
  if (isUnreadable(seen)) throw new Error(seen.error.code);
  return seen.reading;
};

describe('whole documents', () => {
  test('a good passport raises nothing against it but being a specimen', async () => {
    const passport = await read(await specimen('passport.jpg'), undefined, { documentType: 'PASSPORT' });
    const raised = indicatorsOf(passport);
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
    expect(faultsOf(passport, raised)).toEqual([]);
    expect(passport.data.issuingDate).toEqual({ value: '2025-04-16', source: 'VISUAL', confirmed: false });
    expect(raised).toContain('OCR_ISSUING_DATE_UNVERIFIED');
    expect(passport.visual.printed).toMatchObject({
      surname: 'SPECIMEN',
      givenNames: 'BARRY HENRY',
      documentNumber: 'L898902C3',
      birthDate: '12 AUG 1974',
      expiryDate: '15 APR 2035',
      issuingDate: '16 APR 2025',
      sex: 'M',
    });
  }, 120_000);

  test('the same passport on its side reads the same', async () => {
    const turned = await sharp(await specimen('passport.jpg'))
      .rotate(90)
      .jpeg()
      .toBuffer();
    const { mrz, front, data } = await read(turned);
    expect(mrz).toMatchObject({ valid: true, rotation: 270 });
    expect(front.rotation).toBe(270);
    expect(front.share).toBeGreaterThan(0.75);
    expect(front.share).toBeLessThan(1.1);
    expect(data.surname).toEqual({ value: 'SPECIMEN', source: 'MRZ', confirmed: true });
  }, 120_000);

  test('an altered birth date is a warning, an expired passport a failure with its error', async () => {
    const altered = await read(await specimen('passport-altered.jpg'));
    expect(indicatorsOf(altered)).toContain('OCR_BIRTHDATE_WARNING');
    expect(altered.visual.printed).not.toHaveProperty('birthDate');
    expect(altered.visual.places).toEqual({
      birthDate: expect.objectContaining({ side: 'FRONT', text: '15 JAN 1982' }),
    });
    const reading = await read(await specimen('passport-expired.jpg'));
    const expired = indicatorsOf(reading);
    expect(expired).toContain('DOC_EXPIRATION_DATE_FAILED');
    expect(faultsOf(reading, expired)).toEqual([expect.objectContaining({ code: '1501' })]);
  }, 120_000);

  test('the sides of a card may be exchanged; a missing one is said', async () => {
    const [front, back] = await Promise.all([specimen('identity-card-front.jpg'), specimen('identity-card-back.jpg')]);
    const swapped = await read(back, front);
    expect(swapped.recognition).toMatchObject({ type: 'IDENTITY_CARD', country: 'UTO' });
    expect(indicatorsOf(swapped)).toEqual(
      expect.arrayContaining(['EXPECTED_DOCUMENT_SIDES_WARNING', 'REQUIRED_SIDES_CHECK_OK', 'OCR_SURNAME_OK']),
    );
    const faults = async (...sides: [Buffer, Buffer?]) => {
      const reading = await read(...sides);
      const raised = indicatorsOf(reading);
      return [faultsOf(reading, raised), raised] as const;
    };
    expect(faultsOf(swapped, [])).toEqual([expect.objectContaining({ code: '1588' })]);
    const [alone, raised] = await faults(back);
    expect(raised).toContain('REQUIRED_SIDES_CHECK_FAILED');
    expect(alone).toContainEqual(expect.objectContaining({ code: '1508', field: 'DocumentFront' }));
    const [withoutBack] = await faults(front);
    expect(withoutBack).toContainEqual(expect.objectContaining({ code: '1508', field: 'DocumentBack' }));
    const again = await sharp(front).jpeg({ quality: 60 }).toBuffer();
    const [twice, raisedTwice] = await faults(front, again);
    expect(raisedTwice).toEqual(
      expect.arrayContaining(['REQUIRED_SIDES_CHECK_FAILED', 'EXPECTED_DOCUMENT_SIDES_FAILED']),
    );
    expect(twice).toContainEqual(expect.objectContaining({ code: '1587', field: 'DocumentBack' }));
    const [backTwice] = await faults(back, back);
    expect(backTwice).toContainEqual(expect.objectContaining({ code: '1587', field: 'DocumentFront' }));
  }, 120_000);

  test('a picture of anything else beside the back is no front of the document', async () => {
    const grey = { create: { width: 900, height: 600, channels: 3 as const, background: '#888' } };
    const blank = await sharp(grey).jpeg().toBuffer();
    const stranger = await specimen('selfie-same.jpg');
    const backs = await Promise.all(['identity-card-back.jpg', 'us-licence-back.jpg'].map(specimen));
    for (const front of [blank, stranger])
      for (const back of backs) {
        const reading = await read(front, back);
        const raised = indicatorsOf(reading);
        expect(raised).toEqual(
          expect.arrayContaining([
            'MODEL_RECOGNIZED_WARNING',
            'REQUIRED_SIDES_CHECK_UNVERIFIED',
            'EXPECTED_DOCUMENT_SIDES_UNVERIFIED',
            'IMAGE_WITHOUT_DOCUMENT_CHECK_FAILED',
          ]),
        );
        const unread = expect.objectContaining({ code: '1530', field: 'DocumentFront' });
        expect(faultsOf(reading, raised).filter(({ code }) => code === '1530' || code === '1587')).toEqual([unread]);
      }
  }, 120_000);

  test('a second picture confirms no print of a passport', async () => {
    const [altered, genuine] = await Promise.all([specimen('passport-altered.jpg'), specimen('passport.jpg')]);
    const zoneless = await sharp(genuine).extract({ left: 0, top: 0, width: 1600, height: 900 }).jpeg().toBuffer();
    for (const [front, back] of [
      [altered, zoneless],
      [zoneless, altered],
    ] as const) {
      const reading = await read(front, back);
      const raised = indicatorsOf(reading);
      expect(raised).toEqual(expect.arrayContaining(['OCR_BIRTHDATE_WARNING', 'EXPECTED_DOCUMENT_SIDES_WARNING']));
    }
  }, 120_000);

  test('two passports on two pictures are several documents, one passport twice is not', async () => {
    const [passport, expired, other] = await Promise.all(
      ['passport.jpg', 'passport-expired.jpg', 'passport-other-portrait.jpg'].map(specimen),
    );
    for (const [front, back] of [
      [expired, passport],
      [passport, expired],
    ] as const) {
      const reading = await read(front!, back);
      const raised = indicatorsOf(reading);
      expect(raised).toContain('NO_MULTIPLE_DOCUMENT_CHECK_FAILED');
      expect(faultsOf(reading, raised)).toContainEqual(expect.objectContaining({ code: '1536' }));
    }
    expect(indicatorsOf(await read(passport!, other))).toContain('NO_MULTIPLE_DOCUMENT_CHECK_OK');
  }, 120_000);

  test('a second picture of the same page that says otherwise contradicts it, whichever is read first', async () => {
    const [altered, genuine] = await Promise.all(['passport-altered.jpg', 'passport.jpg'].map(specimen));
    for (const [front, back] of [
      [altered, genuine],
      [genuine, altered],
    ] as const)
      expect(indicatorsOf(await read(front!, back))).toContain('OCR_BIRTHDATE_WARNING');
  }, 120_000);

  test('a second passport is one without its zone, too, and so is a card', async () => {
    const [passport, card] = await Promise.all(['passport.jpg', 'identity-card-back.jpg'].map(specimen));
    const person = {
      ...SPECIMEN,
      surname: 'KLAUMER',
      givenNames: ['TINA'],
      number: 'X1234567',
      birthDate: '1980-05-12',
    };
    const drawn = await drawPassport(person, { portrait: await specimen('portraits/holder.jpg') });
    const page = await sharp(drawn.front).extract({ left: 0, top: 0, width: 1250, height: 700 }).png().toBuffer();
    const zoneless = await photograph(page, { width: 1500, seed: 3 });
    for (const [front, back] of [
      [passport, zoneless],
      [zoneless, passport],
      [passport, card],
    ] as const)
      expect(indicatorsOf(await read(front!, back))).toContain('NO_MULTIPLE_DOCUMENT_CHECK_FAILED');
  }, 120_000);

  test('a zone that names another state or nationality than the page does is not believed', async () => {
    const portrait = await specimen('portraits/holder.jpg');
    const { front } = await drawPassport(SPECIMEN, { portrait });
    const print = await sharp(front).extract({ left: 0, top: 0, width: 1250, height: 690 }).png().toBuffer();
    const withZoneOf = async (states: { issuingState?: string; nationality?: string }) => {
      const forged = await drawPassport({ ...SPECIMEN, ...states }, { portrait });
      const page = await sharp(forged.front)
        .composite([{ input: print, left: 0, top: 0 }])
        .png()
        .toBuffer();
      return indicatorsOf(await read(await photograph(page, { width: 1600, seed: 11 })));
    };
    const altered = await withZoneOf({ issuingState: 'DEU', nationality: 'DEU' });
    expect(altered).toEqual(
      expect.arrayContaining(['MODEL_RECOGNIZED_WARNING', 'OCR_DOC_NATIONALITY_WARNING', 'DOC_SPECIMEN_FAILED']),
    );
    const foreigner = await withZoneOf({ nationality: 'FRA' });
    expect(foreigner).toEqual(expect.arrayContaining(['MODEL_RECOGNIZED_OK', 'OCR_DOC_NATIONALITY_WARNING']));
    expect(await withZoneOf({})).toEqual(expect.arrayContaining(['MODEL_RECOGNIZED_OK', 'OCR_DOC_NATIONALITY_OK']));
  }, 120_000);

  describe('two documents on one picture', () => {
    const OTHER = {
      ...SPECIMEN,
      surname: 'KLAUMER',
      givenNames: ['TINA'],
      number: 'X1234567',
      birthDate: '1980-05-12',
    };
    const portraits = () =>
      Promise.all(['holder.jpg', 'other-portrait.jpg'].map((name) => specimen(`portraits/${name}`)));
    const table = { channels: 3 as const, background: '#7a624c' };
    const seenOn = async (parts: readonly { input: Buffer; left: number }[], width: number, back?: Buffer) => {
      const scene = await sharp({ create: { ...table, width, height: 960 } })
        .composite(parts.map((part) => ({ ...part, top: 30 })))
        .png()
        .toBuffer();
      const front = await photograph(scene, { width: 2100, seed: 7, margin: 0.03 });
      const today = todayAt(new Date('2026-11-21'));
      const seen = await engine.document({ front, ...(back && { back }), details: {}, today });
      if (isUnreadable(seen)) throw new Error(seen.error.code);
      return seen;
    };

    test('are found without a second zone, and a table beside one document is none', async () => {
      const [holder, stranger] = await portraits();
      const { front } = await drawPassport(SPECIMEN, { portrait: holder! });
      const other = await drawPassport(OTHER, { portrait: stranger! });
      const zoneless = await sharp(other.front).extract({ left: 0, top: 0, width: 1250, height: 690 }).png().toBuffer();
      const passport = { input: front, left: 30 };
      const both = await seenOn([passport, { input: zoneless, left: 1310 }], 2600);
      expect(both.indicators).toContain('NO_MULTIPLE_DOCUMENT_CHECK_FAILED');
      expect(both.errors).toContainEqual(expect.objectContaining({ code: '1536' }));
      const card = await drawIdentityCard(SPECIMEN, { portrait: holder! });
      const sameHolder = await seenOn([passport, { input: card.front, left: 1310 }], 2400);
      expect(sameHolder.indicators).toContain('NO_MULTIPLE_DOCUMENT_CHECK_FAILED');
      expect((await seenOn([passport], 2600)).indicators).toContain('NO_MULTIPLE_DOCUMENT_CHECK_OK');
    }, 90_000);

    test('may be there where the only face lies beside the document', async () => {
      const [holder, stranger] = await portraits();
      const { front } = await drawPassport(SPECIMEN, { portrait: holder! });
      const cover = { create: { width: 350, height: 450, channels: 3 as const, background: '#d8c8b8' } };
      const covered = await sharp(front)
        .composite([{ input: await sharp(cover).png().toBuffer(), left: 50, top: 120 }])
        .png()
        .toBuffer();
      const loose = await sharp(stranger!).resize(330).png().toBuffer();
      const { indicators } = await seenOn(
        [
          { input: covered, left: 30 },
          { input: loose, left: 1500 },
        ],
        2200,
      );
      expect(indicators).toEqual(expect.arrayContaining(['PORTRAIT_FAILED', 'NO_MULTIPLE_DOCUMENT_CHECK_UNVERIFIED']));
    }, 120_000);

    test('are doubted where the larger front is not the one of the back', async () => {
      const [holder, stranger] = await portraits();
      const mine = await drawUsLicence(SPECIMEN, 'VA', { portrait: holder! });
      const other = await drawUsLicence(OTHER, 'VA', { portrait: stranger! });
      const small = await sharp(mine.front).resize(900).png().toBuffer();
      const large = await sharp(other.front).resize(1150).png().toBuffer();
      const back = await photograph(mine.back!, { width: 1500, seed: 3 });
      const fronts = [
        { input: small, left: 30 },
        { input: large, left: 1000 },
      ];
      expect((await seenOn(fronts, 2400, back)).indicators).toContain('PORTRAIT_SUBSTITUTION_WARNING');
    }, 120_000);
  });

  test('somebody else on the second picture of a passport is a warning', async () => {
    const [passport, exchanged] = await Promise.all(['passport.jpg', 'passport-other-portrait.jpg'].map(specimen));
    const job = { front: exchanged!, back: passport!, details: {}, today: todayAt(new Date('2026-11-21')) };
    const seen = await engine.document(job);
    expect(seen).toMatchObject({ indicators: expect.arrayContaining(['PORTRAIT_SUBSTITUTION_WARNING']) });
  }, 120_000);

  test('a front whose portrait is covered is not its back again', async () => {
    const { front, back } = await drawIdentityCard(SPECIMEN, { portrait: await specimen('portraits/holder.jpg') });
    const cover = { create: { width: 330, height: 440, channels: 3 as const, background: '#d0c8b8' } };
    const covered = await sharp(front)
      .composite([{ input: await sharp(cover).png().toBuffer(), left: 30, top: 110 }])
      .png()
      .toBuffer();
    const lying = (side: Buffer) => photograph(side, { width: 1500, seed: 3 });
    const reading = await read(await lying(covered), await lying(back!));
    expect(faultsOf(reading, indicatorsOf(reading)).map(({ code }) => code)).not.toContain('1587');
  }, 120_000);

  test('what was examined on one side is not said to be OK of the other', async () => {
    const [front, back] = await Promise.all([specimen('identity-card-front.jpg'), specimen('identity-card-back.jpg')]);
    const { width, height } = await sharp(front).metadata();
    const right = { left: Math.round(width / 4), top: 0, width: width - Math.round(width / 4), height };
    const cut = await sharp(front).extract(right).jpeg().toBuffer();
    expect(indicatorsOf(await read(cut, back))).toContain('CUT_OFF_DOCUMENT_CHECK_UNVERIFIED');
  }, 120_000);

  test('a passport whose zone is cut off too is not said to be whole', async () => {
    const passport = await specimen('passport.jpg');
    const { width, height } = await sharp(passport).metadata();
    const left = Math.round(width / 4);
    const cut = await sharp(passport)
      .extract({ left, top: 0, width: width - left, height })
      .jpeg()
      .toBuffer();
    const raised = indicatorsOf(await read(cut));
    expect(raised).not.toContain('CUT_OFF_DOCUMENT_CHECK_OK');
    expect(raised.some((name) => name.startsWith('CUT_OFF_DOCUMENT_CHECK_'))).toBe(true);
  }, 120_000);

  test('the colour of a table is not that of the grey copy on it', async () => {
    const licence = await drawUsLicence(SPECIMEN, 'VA', { portrait: await specimen('portraits/holder.jpg') });
    const copied = (side: Buffer) => sharp(side).greyscale().toColourspace('srgb').png().toBuffer();
    const taken = async (side: Buffer) => photograph(await copied(side), { width: 1500, seed: 5 });
    const raised = indicatorsOf(await read(await taken(licence.front), await taken(licence.back!)));
    expect(raised).toContain('PHOTOCOPY_DETECTION_UNVERIFIED');
  }, 120_000);

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
      expect.arrayContaining([
        'DOCUMENT_BARCODE_PARSING_OK',
        'CB2D_FIELDS_SYNTAX_OK',
        'OCR_DOCNUM_OK',
        'OCR_ISSUING_DATE_OK',
      ]),
    );
  }, 120_000);

  test('the address of a US licence is confirmed where its front prints the one of the barcode', async () => {
    const options = { portrait: await specimen('portraits/holder.jpg') };
    const { front, back } = await drawUsLicence(SPECIMEN, 'VA', options);
    const moved = await drawUsLicence({ ...SPECIMEN, street: '17 OTHER AVENUE' }, 'VA', options);
    const confirmedOn = async (side: Buffer) => (await read(front, side)).data.address?.confirmed;
    expect([await confirmedOn(back!), await confirmedOn(moved.back!)]).toEqual([true, false]);
  }, 120_000);

  test('two photographs of the back of a US licence show one side', async () => {
    const back = await specimen('us-licence-back.jpg');
    const askew = await sharp(back).rotate(7, { background: '#556' }).linear(0.7, 10).jpeg({ quality: 80 }).toBuffer();
    const reading = await read(back, askew);
    const raised = indicatorsOf(reading);
    expect(raised).toContain('REQUIRED_SIDES_CHECK_FAILED');
    expect(faultsOf(reading, raised)).toContainEqual(expect.objectContaining({ code: '1587', field: 'DocumentFront' }));
  }, 120_000);

  test('an Australian licence is read by its labels', async () => {
    const { data, recognition, visual } = await read(await specimen('au-licence.jpg'));
    expect(recognition).toMatchObject({ country: 'AUS', state: 'NSW', by: 'LAYOUT' });
    expect(data).toMatchObject({
      surname: { value: 'SPECIMEN', confirmed: false },
      documentNumber: { value: '12345678' },
      cardNumber: { value: '2034567890' },
      birthDate: { value: '1974-08-12' },
      expiryDate: { value: '2035-04-15' },
      address: { streetLines: ['1 EXAMPLE STREET'], city: 'SYDNEY', state: 'NSW', postcode: '2000' },
    });
    expect(visual.printed).toMatchObject({ documentNumber: '12345678', expiryDate: '15 APR 2035' });
    expect(visual.printed?.issuingCountry).toBe('Australia');
  }, 120_000);

  test('a second portrait is compared with the first', async () => {
    const [holder, other] = await Promise.all(
      ['holder.jpg', 'other-portrait.jpg'].map((name) => specimen(`portraits/${name}`)),
    );
    const raised = async (ghost: Buffer | undefined) => {
      const drawn = await drawPassport(SPECIMEN, {
        portrait: holder!,
        ...(ghost && { ghost: { portrait: ghost, strength: 0.8 } }),
      });
      const front = await photograph(drawn.front, { width: 1600, seed: 23 });
      const seen = await engine.document({ front, details: {}, today: todayAt(new Date('2026-11-21')) });
      if (isUnreadable(seen)) throw new Error(seen.error.code);
      return seen.indicators.filter((name) => name.startsWith('PORTRAIT_'));
    };
    expect(await raised(undefined)).toEqual(['PORTRAIT_OK', 'PORTRAIT_SUBSTITUTION_UNVERIFIED']);
    expect(await raised(holder)).toEqual(['PORTRAIT_OK', 'PORTRAIT_SUBSTITUTION_OK']);
    expect(await raised(other)).toEqual(['PORTRAIT_OK', 'PORTRAIT_SUBSTITUTION_WARNING']);
  }, 120_000);

  test('an empty picture is no document', async () => {
    const grey = { create: { width: 900, height: 600, channels: 3 as const, background: '#888' } };
    const reading = await read(await sharp(grey).jpeg().toBuffer());
    const raised = indicatorsOf(reading);
    expect(raised).toEqual(expect.arrayContaining(['IMAGE_WITHOUT_DOCUMENT_CHECK_FAILED', 'MODEL_RECOGNIZED_FAILED']));
    expect(raised).toContain('DOC_SPECIMEN_UNVERIFIED');
    expect(faultsOf(reading, raised).map(({ code }) => code)).toContain('1530');
  }, 120_000);
});
