import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { part, upload } from '../testing/forms.ts';
import { anIdentity, anImage, type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

const animatedWebp = async (): Promise<Buffer> => {
  const pictures = [await anImage(320, 200, 'png'), await anImage(320, 200, 'png')];
  return sharp(pictures, { join: { animated: true } })
    .webp()
    .toBuffer();
};

/** A PNG with a chunk that says that it is an animation, behind others of so many bytes. */
const animatedPng = async (before: number): Promise<Buffer> => {
  const png = await anImage(320, 200, 'png');
  const chunk = (type: string, bytes: number): Buffer => {
    const made = Buffer.alloc(12 + bytes);
    made.writeUInt32BE(bytes);
    made.write(type, 4, 'latin1');
    return made;
  };
  return Buffer.concat([png.subarray(0, 33), chunk('juNk', before), chunk('acTL', 8), png.subarray(33)]);
};

/** A JPEG with a colour profile of which browsers take the table, and the decoder the curves. */
const withTwoProfiles = async (): Promise<Buffer> => {
  const jpeg = await anImage(320, 200);
  const profile = Buffer.alloc(132 + 2 * 12);
  profile.writeUInt32BE(2, 128);
  profile.write('rTRC', 132, 'latin1');
  profile.write('A2B1', 144, 'latin1');
  const segment = Buffer.concat([Buffer.from('\xff\xe2\0\0ICC_PROFILE\0\x01\x01', 'latin1'), profile]);
  segment.writeUInt16BE(segment.length - 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
};

test.each([
  ['an animated WebP', 'an animation', animatedWebp],
  ['an animated PNG that says so late', 'an animation', () => animatedPng(1_200_000)],
  ['a JPEG with two sets of colours', 'a colour profile that programs read differently', withTwoProfiles],
])('%s, of which people see another picture than the engine, is refused and not stored', async (_what, found, make) => {
  const before = await rig.stored();
  const uploads = [
    ['ID_DOCUMENT_CAPTURE', 'DocumentFront'],
    ['PORTRAIT_CAPTURE', 'Portrait'],
  ] as const;
  for (const [operation, field] of uploads) {
    const { status, body } = await upload(rig, anIdentity().claims({ operation }), [part(field, await make())]);
    expect({ status, error: body.errors?.[0] }).toMatchObject({
      status: 400,
      error: { code: '1500', field, message: expect.stringContaining(`it has ${found}`) },
    });
  }
  expect(await rig.stored()).toEqual(before);
});

test('a still picture with anything behind it is taken', async () => {
  for (const bytes of [0, 1_200_000]) {
    const image = Buffer.concat([await anImage(320, 200), randomBytes(bytes)]);
    expect((await upload(rig, anIdentity().claims(), [part('DocumentFront', image)])).status).toBe(200);
  }
});
