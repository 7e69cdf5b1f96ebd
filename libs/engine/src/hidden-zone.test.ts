import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Alteration, type DrawnDocument, drawIdentityCard, drawPassport, SPECIMEN } from '@assay/specimens';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { decodePage } from './image.ts';
import { type MrzReading, readMrz } from './mrz/read.ts';
import { openReadingEngine, type ReadingEngine } from './reading-engine.ts';
import { faultsOf } from './rules/document-faults.ts';
import { zoneIndicators } from './rules/reading-rules.ts';
import { readingOf } from './testing/readings.ts';

let engine: ReadingEngine;
let portrait: Buffer;
beforeAll(async () => {
  portrait = await readFile(path.resolve(import.meta.dirname, '../../../specimens/portraits/holder.jpg'));
  engine = await openReadingEngine();
}, 60_000);
afterAll(() => engine.close());

/** Where the drawings have their zones, in pixels. */
const ZONES = {
  passport: { x: 62, y: 742, pitch: 25.4, leading: 64 },
  card: { x: 62, y: 436, pitch: 29.9, leading: 66 },
} as const;
type Kind = keyof typeof ZONES;
interface Spot {
  line: number;
  column: number;
  /** Its radius, in characters. */
  radius: number;
  /** Of its middle, 0..1: a weaker one leaves grey print. */
  strength?: number;
}

const drawn = (kind: Kind, alter?: Alteration): Promise<DrawnDocument> => {
  const options = { portrait, ...(alter && { alter }) };
  return kind === 'passport' ? drawPassport(SPECIMEN, options) : drawIdentityCard(SPECIMEN, options);
};

/** A highlight on the picture, as a lamp makes it. */
const lit = async (picture: Buffer, kind: Kind, { line, column, radius, strength = 1 }: Spot): Promise<Buffer> => {
  const { x, y, pitch, leading } = ZONES[kind];
  const { width, height } = await sharp(picture).metadata();
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><radialGradient id="g"><stop offset=".6" stop-color="#fff" stop-opacity="${strength}"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient></defs><circle cx="${x + (column + 0.5) * pitch}" cy="${y + line * leading}" r="${radius * pitch}" fill="url(#g)"/></svg>`;
  return sharp(picture)
    .composite([{ input: Buffer.from(drawing) }])
    .jpeg({ quality: 88 })
    .toBuffer();
};

const readOf = async (picture: Buffer): Promise<MrzReading> => {
  const page = await decodePage(picture);
  const mrz = await readMrz(page, engine.recogniseLines, { today: '2026-11-21', search: 'quick' });
  if (!mrz) throw new Error('no zone was read');
  return mrz;
};

const saidOf = (mrz: MrzReading): string[] =>
  zoneIndicators(readingOf({ mrz: { ...mrz, side: 'FRONT' } })).map(([name, status]) => `${name}_${status}`);

const seen = async (kind: Kind, spot?: Spot, alter?: Alteration): Promise<MrzReading> => {
  const { front, back } = await drawn(kind, alter);
  return readOf(spot ? await lit(back ?? front, kind, spot) : (back ?? front));
};

describe('a highlight on an honest zone', () => {
  const spots: readonly (readonly [Kind, Spot])[] = [
    ['passport', { line: 1, column: 24, radius: 1.4 }],
    ['passport', { line: 1, column: 17, radius: 2.2 }],
    ['passport', { line: 1, column: 6, radius: 3.5, strength: 0.93 }],
    ['passport', { line: 1, column: 43, radius: 1 }],
    ['passport', { line: 0, column: 0, radius: 1.2 }],
    ['card', { line: 1, column: 13, radius: 2.2 }],
    ['card', { line: 0, column: 9, radius: 3.5 }],
  ];
  test.each(spots)('%s %j is not called a wrong check digit', async (kind, spot) => {
    const mrz = await seen(kind, spot);
    expect(mrz.valid).toBe(false);
    expect(mrz.unread).toBeGreaterThan(0);
    expect(saidOf(mrz)).toContain('MRZ_CHECKSUMS_UNVERIFIED');
    expect(Object.values(mrz.checks)).not.toContain(false);
  });
});

describe('a wrong check digit', () => {
  const number: Alteration = { kind: 'check-digit', field: 'number' };

  test.each<Kind>(['passport', 'card'])('of a %s is refuted, also beside a highlight', async (kind) => {
    const clear = await seen(kind, undefined, number);
    expect(clear).toMatchObject({ valid: false, unread: 0, checks: { documentNumber: false } });
    expect(saidOf(clear)).toContain('MRZ_CHECKSUMS_FAILED');
    const beside = await seen(kind, { line: 1, column: 21, radius: 2.2 }, number);
    expect(beside).toMatchObject({ valid: false, checks: { documentNumber: false } });
    expect(saidOf(beside)).toContain('MRZ_CHECKSUMS_FAILED');
  });

  test.each<readonly [Kind, Spot]>([
    ['passport', { line: 1, column: 9, radius: 1.4 }],
    ['card', { line: 0, column: 14, radius: 1.4 }],
  ])('under a highlight is not accepted: %s', async (kind, spot) => {
    const mrz = await seen(kind, spot, number);
    expect(mrz.valid).toBe(false);
    expect(saidOf(mrz)).toContain('MRZ_CHECKSUMS_UNVERIFIED');
  });
});

describe('a name that print has otherwise', () => {
  const OTHERWISE = 'OCR_SURNAME_WARNING';
  const codesOf = (mrz: MrzReading) =>
    faultsOf(readingOf({ mrz: { ...mrz, side: 'FRONT' } }), [OTHERWISE]).map(({ code }) => code);

  test.each<readonly [Kind, Spot]>([
    ['passport', { line: 0, column: 8, radius: 1.4 }],
    ['passport', { line: 0, column: 17, radius: 0.7 }],
    ['card', { line: 2, column: 3, radius: 2.2 }],
  ])('asks for another picture of a %s where a highlight hides letters: %j', async (kind, spot) => {
    const mrz = await seen(kind, spot);
    expect(mrz.valid).toBe(true);
    expect(codesOf(mrz)).toEqual(['1530']);
  });

  test.each<Kind>(['passport', 'card'])('asks for nothing where the names of a %s were read', async (kind) => {
    const other: Alteration = { kind: 'machine', field: 'surname' };
    for (const mrz of [await seen(kind), await seen(kind, undefined, other)]) {
      expect(mrz).toMatchObject({ valid: true, namesUnread: 0 });
      expect(codesOf(mrz)).toEqual([]);
    }
  });
});
