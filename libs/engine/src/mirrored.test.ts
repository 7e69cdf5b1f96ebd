import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { todayAt } from '@assay/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { type Engine, isUnreadable } from './engine.ts';
import { openEnginePool } from './pool.ts';

const specimen = (name: string): Promise<Buffer> =>
  readFile(path.resolve(import.meta.dirname, '../../../specimens', name));
const mirrored = (picture: Buffer): Promise<Buffer> => sharp(picture).flop().jpeg({ quality: 90 }).toBuffer();

let engine: Engine;
beforeAll(async () => {
  engine = await openEnginePool({ size: 1, limits: { startMs: 110_000 } });
}, 120_000);
afterAll(() => engine.close());

const seen = async (front: Buffer, back?: Buffer) => {
  const today = todayAt(new Date('2026-11-21'));
  const settings = { portrait: false };
  const result = await engine.document({ front, ...(back && { back }), details: {}, today, settings });
  if (isUnreadable(result)) throw new Error(result.error.code);
  return result;
};

const MIRRORED = 'DOC_CAPTURE_ORIENTATION_FAILED';

describe('a mirrored picture', () => {
  test.each(['passport.jpg', 'au-licence.jpg'])(
    '%s: is said to be mirrored, and nothing of it is read',
    async (name) => {
      const { reading, indicators, errors } = await seen(await mirrored(await specimen(name)));
      expect(indicators).toContain(MIRRORED);
      expect(reading.data).toEqual({ givenNames: [] });
      expect(reading.mrz).toBeUndefined();
      expect(errors).toMatchObject([
        { code: '1530', field: 'DocumentFront', message: expect.stringContaining('mirrored') },
      ]);
      expect(
        indicators.filter((name) => /^(MRZ_|OCR_|IMAGE_WITHOUT|CUT_OFF_DOCUMENT_CHECK_FAILED)/.test(name)),
      ).toEqual(['IMAGE_WITHOUT_DOCUMENT_CHECK_UNVERIFIED']);
    },
    60_000,
  );

  test('of one side of a card is named, and what the other side says is kept', async () => {
    const [front, back] = await Promise.all([specimen('identity-card-front.jpg'), specimen('identity-card-back.jpg')]);
    const { reading, indicators, errors } = await seen(await mirrored(front), back);
    expect(indicators).toEqual(expect.arrayContaining([MIRRORED, 'MODEL_RECOGNIZED_WARNING', 'MRZ_CHECKSUMS_OK']));
    expect(indicators.filter((name) => name.startsWith('OCR_'))).toEqual([]);
    expect(reading.data.surname).toMatchObject({ value: 'SPECIMEN' });
    expect(errors).toMatchObject([
      { code: '1530', field: 'DocumentFront', message: expect.stringContaining('mirrored') },
    ]);
  }, 60_000);

  test('is nothing else that cannot be read: a page whose zone is covered', async () => {
    const page = await specimen('passport.jpg');
    const { width, height } = await sharp(page).metadata();
    const cover = { create: { width, height: Math.round(height * 0.4), channels: 3 as const, background: '#d0c8b8' } };
    const covered = await sharp(page)
      .composite([{ input: cover, left: 0, top: height - cover.create.height }])
      .jpeg()
      .toBuffer();
    const { reading, indicators } = await seen(covered);
    expect(reading.mrz).toBeUndefined();
    expect(indicators).not.toContain(MIRRORED);
    expect(reading.visual.lines.map(({ text }) => text)).toContain('SPECIMEN');
  }, 60_000);
});
