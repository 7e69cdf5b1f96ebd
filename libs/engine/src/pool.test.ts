import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { todayAt } from '@assay/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import {
  type DocumentSeen,
  type Engine,
  isUnreadable,
  type OnPortrait,
  type PortraitCut,
  type PortraitSeen,
} from './engine.ts';
import type { FaceTemplate } from './faces/template.ts';
import { openEnginePool } from './pool.ts';

// The nets run in the engine's own process here too: in the context of a test runner, onnxruntime
// refuses the typed arrays.
const specimens = path.resolve(import.meta.dirname, '../../../specimens');
const picture = (name: string) => readFile(path.join(specimens, name));

let engine: Engine;
let holder: FaceTemplate;
let other: FaceTemplate;

async function document(front: Uint8Array, onPortrait?: OnPortrait): Promise<DocumentSeen> {
  const seen = await engine.document({ front, details: {}, today: todayAt(new Date('2026-01-01')) }, onPortrait);
  if (isUnreadable(seen)) throw new Error(seen.error.code);
  return seen;
}

async function portrait(image: Uint8Array): Promise<PortraitSeen> {
  const seen = await engine.portrait({ image });
  if (isUnreadable(seen)) throw new Error(seen.error.code);
  return seen;
}

const templateOf = ({ template }: PortraitSeen): FaceTemplate => {
  if (!template) throw new Error('no template');
  return template;
};

beforeAll(async () => {
  engine = await openEnginePool({ size: 1, limits: { startMs: 110_000 } });
  holder = templateOf(await portrait(await picture('selfie-same.jpg')));
  other = templateOf(await portrait(await picture('selfie-other.jpg')));
}, 120_000);

afterAll(() => engine.close());

describe('the portrait on a passport', () => {
  let passport: DocumentSeen;
  let template: FaceTemplate;
  const heard: PortraitCut[] = [];

  beforeAll(async () => {
    passport = await document(await picture('passport.jpg'), (early) => heard.push(early));
    template = passport.portrait?.template as FaceTemplate;
  }, 60_000);

  test('is found, cut out as a JPEG, and raises PORTRAIT_OK', async () => {
    expect(passport.indicators).toContain('PORTRAIT_OK');
    expect(passport.portrait?.side).toBe('FRONT');
    expect((await sharp(passport.portrait?.crop).metadata()).format).toBe('jpeg');
  });

  test('is reported before the rest, and does not change afterwards', () => {
    expect(heard).toEqual([{ side: 'FRONT', crop: passport.portrait?.crop }]);
  });

  test('matches its holder and no other person', async () => {
    expect((await engine.compare(template, holder)).distance).toBeLessThan(0.58);
    expect((await engine.compare(template, other)).distance).toBeGreaterThan(0.66);
  });

  test('is recognised as the same photograph when its crop comes back as a selfie', async () => {
    const replayed = await portrait(passport.portrait?.crop as Uint8Array);
    expect((await engine.compare(templateOf(replayed), template)).distance).toBeLessThan(0.3);
  });

  test('does not match the holder when another was put in its place', async () => {
    const seen = await document(await picture('passport-other-portrait.jpg'));
    expect((await engine.compare(seen.portrait?.template as FaceTemplate, holder)).distance).toBeGreaterThan(0.66);
  }, 60_000);
});

describe('a face that is not on the document', () => {
  const picturesWith = async (): Promise<[string, { front: Buffer; back?: Buffer }][]> => {
    const [passport, stranger] = await Promise.all([picture('passport.jpg'), picture('selfie-other.jpg')]);
    const page = { create: { width: 2500, height: 1200, channels: 3 as const, background: '#888' } };
    const beside = sharp(page).composite([
      { input: passport, left: 0, top: 0 },
      { input: await sharp(stranger).resize({ height: 1200 }).toBuffer(), left: 1600, top: 0 },
    ]);
    return [
      ['beside it', { front: await beside.jpeg({ quality: 92 }).toBuffer() }],
      ['on a picture before it', { front: stranger, back: passport }],
    ];
  };

  test('is not its portrait, however large it is', async () => {
    for (const [where, pictures] of await picturesWith()) {
      const seen = await engine.document({ ...pictures, details: {}, today: todayAt(new Date('2026-01-01')) });
      const template = isUnreadable(seen) ? undefined : seen.portrait?.template;
      const { distance } = await engine.compare(template as FaceTemplate, holder);
      expect({ where, ofHolder: distance < 0.58 }).toEqual({ where, ofHolder: true });
    }
  }, 60_000);

  test('is no portrait of a card whose front was not read', async () => {
    const [front, back] = [await picture('selfie-other.jpg'), await picture('us-licence-back.jpg')];
    const seen = await engine.document({ front, back, details: {}, today: todayAt(new Date('2026-01-01')) });
    expect(seen).toMatchObject({ indicators: expect.arrayContaining(['PORTRAIT_UNVERIFIED']) });
    expect(seen).not.toHaveProperty('portrait');
  }, 60_000);
});

test('a portrait is found on a card that lies on its side', async () => {
  const seen = await document(
    await sharp(await picture('us-licence-front.jpg'))
      .rotate(270)
      .jpeg()
      .toBuffer(),
  );
  expect((await engine.compare(seen.portrait?.template as FaceTemplate, holder)).distance).toBeLessThan(0.58);
}, 60_000);

test('and reported as missing if there is none', async () => {
  const seen = await document(await picture('us-licence-back.jpg'));
  expect(seen.portrait).toBeUndefined();
  expect(seen.indicators).toContain('PORTRAIT_FAILED');
}, 60_000);

test('templates of another version are refused, and the process survives', async () => {
  await expect(engine.compare(holder, { ...other, recipe: 'other-1' })).rejects.toMatchObject({ name: 'EngineFault' });
  expect((await engine.compare(holder, holder)).distance).toBe(0);
});

test.each([90, 180, 270])(
  'a selfie that is turned by %i degrees is the same as upright',
  async (degrees) => {
    const upright = await sharp(await picture('selfie-same.jpg'))
      .rotate()
      .toBuffer();
    const turned = await portrait(await sharp(upright).rotate(degrees).jpeg({ quality: 92 }).toBuffer());
    expect(turned).toMatchObject({ usable: true, refusals: [] });
    expect((await engine.compare(turned.template as FaceTemplate, holder)).distance).toBeLessThan(0.3);
  },
  30_000,
);

test.each([
  ['portraits/holder.jpg', -40],
  ['portraits/holder.jpg', 40],
  ['selfie-same.jpg', 40],
])(
  'a head that is tilted is refused as that: %s by %i degrees',
  async (file, degrees) => {
    const tilted = sharp(await picture(file)).rotate(degrees, { background: '#887' });
    expect(await portrait(await tilted.jpeg({ quality: 92 }).toBuffer())).toMatchObject({
      usable: false,
      refusals: expect.arrayContaining(['HEAD_TILTED']),
    });
  },
  30_000,
);

test('a blurred selfie is refused in words', async () => {
  const blurred = await portrait(
    await sharp(await picture('selfie-other.jpg'))
      .blur(6)
      .jpeg()
      .toBuffer(),
  );
  expect(blurred).toMatchObject({ usable: false, refusals: ['BLURRED'] });
  expect(blurred.template).toBeUndefined();
  expect(blurred.errors).toMatchObject([{ code: '1570' }]);
}, 30_000);

test('a small portrait of an issuer is compared, though a selfie of its size is refused', async () => {
  const image = await sharp(await picture('portraits/holder.jpg'))
    .resize({ width: 160 })
    .jpeg()
    .toBuffer();
  expect(await portrait(image)).toMatchObject({ usable: false, refusals: ['FACE_TOO_SMALL'] });
  const issued = await engine.portrait({ image, of: 'DOCUMENT' });
  if (isUnreadable(issued)) throw new Error(issued.error.code);
  expect(issued).toMatchObject({ usable: true, indicators: [], errors: [] });
  expect(issued).not.toHaveProperty('crop');
  expect((await engine.compare(templateOf(issued), holder)).distance).toBeLessThan(0.58);
  expect((await engine.compare(templateOf(issued), other)).distance).toBeGreaterThan(0.66);
}, 30_000);

test('a face that is not compared yet is detected and assessed, but not described', async () => {
  const image = await picture('portraits/holder.jpg');
  const [whole, found] = await Promise.all([
    engine.portrait({ image, of: 'DOCUMENT' }),
    engine.portrait({ image, of: 'DOCUMENT', describe: false }),
  ]);
  if (isUnreadable(whole) || isUnreadable(found)) throw new Error('unreadable');
  const { template, timings: _timings, measures, ...assessed } = whole;
  const { timings: _others, measures: atAGlance, ...seen } = found;
  expect(seen).toEqual(assessed);
  expect(measures?.faceWidth).toBe(template?.faceWidth);
  expect(atAGlance!.faceWidth / measures!.faceWidth).toBeCloseTo(1, 0);
  const selfie = await engine.portrait({ image: await picture('selfie-same.jpg'), describe: false });
  expect(selfie).toMatchObject({ usable: true, crop: expect.any(Uint8Array) });
  expect(selfie).not.toHaveProperty('template');
});

test.each([
  ['as an issuer cuts it', (image: Sharp) => image],
  ['small', (image: Sharp) => image.resize({ width: 120 })],
  ['so small that nothing can be compared with it', (image: Sharp) => image.resize({ width: 60 })],
  ['blurred', (image: Sharp) => image.blur(6)],
  ['blurred beyond use', (image: Sharp) => image.blur(16)],
  [
    'in the corner of a larger picture',
    (image: Sharp) => image.extend({ right: 1000, bottom: 600, background: '#ccc' }),
  ],
  ['without a face', (image: Sharp) => image.extract({ left: 0, top: 480, width: 462, height: 122 })],
])('a portrait %s is found usable by the quick detection as by the full one', async (_how, change) => {
  const image = await change(sharp(await picture('portraits/holder.jpg')))
    .jpeg()
    .toBuffer();
  const [close, glance] = await Promise.all([
    engine.portrait({ image, of: 'DOCUMENT' }),
    engine.portrait({ image, of: 'DOCUMENT', describe: false }),
  ]);
  if (isUnreadable(close) || isUnreadable(glance)) throw new Error('unreadable');
  const said = ({ usable, refusals, faceCount }: typeof close) => ({ usable, refusals, faceCount });
  expect(said(glance)).toEqual(said(close));
});

test('two people on a portrait of an issuer are detected, however small', async () => {
  const [one, two] = await Promise.all(
    ['portraits/holder.jpg', 'portraits/other.jpg'].map(async (name) =>
      sharp(await picture(name))
        .resize(400, 500)
        .toBuffer(),
    ),
  );
  const beside = await sharp({ create: { width: 800, height: 500, channels: 3, background: '#888' } })
    .composite([
      { input: one!, left: 0, top: 0 },
      { input: two!, left: 400, top: 0 },
    ])
    .jpeg()
    .toBuffer();
  for (const describe of [true, false]) {
    const seen = await engine.portrait({ image: beside, of: 'DOCUMENT', describe });
    expect(seen).toMatchObject({ usable: false, refusals: ['SEVERAL_FACES'], faceCount: 2 });
  }
}, 30_000);
