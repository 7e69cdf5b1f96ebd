import { readFile } from 'node:fs/promises';
import type { SoftwareChip } from '@assay/chip/software';
import { evidenceDeleted, formatDateTime, identityClosed } from '@assay/contracts';
import {
  type Engine,
  EngineCrashed,
  EngineUnavailable,
  type FaceTemplate,
  isUnreadable,
  openEnginePool,
  type PortraitJob,
  type PortraitResult,
} from '@assay/engine';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { bringChip, issue, trustIssuer } from '../testing/chips.ts';
import { anIdentity, type Identity, type Rig, startRig, submission } from '../testing/rig.ts';

const specimen = (name: string) => readFile(new URL(`../../../../specimens/${name}`, import.meta.url));
const DAY = formatDateTime(new Date());
const ofDocument = (job: PortraitJob): boolean => job.of === 'DOCUMENT';

let own: Engine;
let rig: Rig;
let selfie: Buffer;
let portrait: Buffer;
let chip: SoftwareChip;
/** The jobs about portraits of documents that the engine received. */
let asked: PortraitJob[] = [];
/** How many comparisons fail for a reason that says nothing about the faces. */
let comparisonsLost = 0;
/** How often the chip process was asked whether a portrait can be decoded. */
let decodings = 0;
/** Replaces the engine's answer to a job; undefined for the usual answer. */
let instead: (job: PortraitJob) => Promise<PortraitResult> | undefined = () => undefined;

beforeAll(async () => {
  own = await openEnginePool({ size: 1 });
  const engine: Engine = {
    ...own,
    portrait: async (job) => {
      if (ofDocument(job)) asked.push(job);
      return (await instead(job)) ?? own.portrait(job);
    },
    compare: async (one, other) => {
      if (comparisonsLost === 0) return own.compare(one, other);
      comparisonsLost -= 1;
      throw new Error('lost');
    },
  };
  rig = await startRig(engine, undefined, (process) => ({
    ...process,
    decode: (bytes) => {
      decodings += 1;
      return process.decode(bytes);
    },
  }));
  await trustIssuer(rig);
  selfie = await specimen('selfie-same.jpg');
  portrait = await specimen('portraits/holder.jpg');
  chip = issue({ portrait });
}, 60_000);
beforeEach(() => {
  asked = [];
  comparisonsLost = 0;
  decodings = 0;
  instead = () => undefined;
});
afterAll(async () => {
  await rig.close();
  await own.close();
});

const described = () => asked.map(({ describe: isDescribed }) => isDescribed !== false);

const bring = async (identity: Identity) => {
  const event = await bringChip(rig, identity, chip, { answers: ['ACTIVE'] });
  return { event, one: await rig.settled(event) };
};
const asSelfie = (identity: Identity) =>
  submission(identity, rig, { type: 'PORTRAIT', operation: 'PORTRAIT_CAPTURE', images: { PORTRAIT: selfie } });
const sendSelfie = async (identity: Identity) => {
  const event = asSelfie(identity);
  await rig.send(event);
  return { event, one: await rig.settled(event) };
};
const stored = async ({ identityId }: Identity) => (await rig.cases.find(identityId))!;
const chipOf = async (identity: Identity) =>
  (await stored(identity)).evidences.find(({ kind }) => kind === 'documentChip')!;

const templateOf = async (job: PortraitJob): Promise<FaceTemplate> => {
  const seen = await own.portrait(job);
  if (isUnreadable(seen) || !seen.template) throw new Error('no face');
  return seen.template;
};
/** The distance between a selfie and the chip's portrait if both are described at once. */
const distanceAtOnce = async (): Promise<number> => {
  const [one, other] = [await templateOf({ image: selfie }), await templateOf({ image: portrait, of: 'DOCUMENT' })];
  return (await own.compare(one, other)).distance;
};

const fails = (job: PortraitJob) => (ofDocument(job) ? Promise.reject(new EngineCrashed('died twice')) : undefined);
const UNREADABLE = { error: { code: '1500', message: 'cannot be decoded' } };

test('a portrait that the chip has and the reader left out counts like a damaged one', async () => {
  const one = await rig.settled(await bringChip(rig, anIdentity(), chip, { answers: ['ACTIVE'], without: ['dg2'] }));
  expect(one).toMatchObject({
    status: 'NOT_VERIFIED',
    errors: [{ code: '1615', message: 'The chip has a portrait that the reader did not send' }],
  });
});

describe('a portrait in JPEG', () => {
  const bringPortrait = async (bytes: Buffer) =>
    rig.settled(await bringChip(rig, anIdentity(), issue({ portrait: bytes }), { answers: ['ACTIVE'] }));

  test('is decoded by the engine alone', async () => {
    const one = await bringPortrait(portrait);
    expect(one).toMatchObject({ status: 'VERIFIED', score: 'LEVEL4' });
    expect(one.proof.crops).toHaveLength(1);
    expect(asked).toHaveLength(1);
    expect(decodings).toBe(0);
  });

  test.each([
    ['the engine', () => undefined],
    ['the decoder, where the engine fails', fails],
  ])('that is cut off is detected by %s', async (_who, behaviour) => {
    instead = behaviour;
    const one = await bringPortrait(portrait.subarray(0, portrait.length / 2));
    expect(one).toMatchObject({ status: 'NOT_VERIFIED', errors: [{ code: '1615' }] });
    expect(one.proof.crops).toHaveLength(0);
    expect(decodings).toBe(1);
  });

  test('that came as a crop with the files is not stored again; another crop is no portrait', async () => {
    const at = Buffer.from(chip.dataGroups[2]!).indexOf(portrait);
    for (const [cropAt, stored] of [
      [at, 0],
      [at + 1, 1],
    ] as const) {
      const before = rig.crops.length;
      const event = await bringChip(rig, anIdentity(), chip, { answers: ['ACTIVE'], cropAt });
      const one = await rig.settled(event);
      expect(one).toMatchObject({ status: 'VERIFIED', score: 'LEVEL4' });
      expect(rig.crops.length - before).toBe(stored);
      const [crop] = one.proof.crops;
      expect(rig.media.get(crop!.mediaId)).toEqual(portrait);
      expect(rig.media.get(crop!.originalMediaId)).toEqual(Buffer.from(chip.dataGroups[2]!));
    }
  });

  test('larger than it says in a segment that decoders skip is not decoded', async () => {
    const large = await sharp({ create: { width: 3000, height: 2000, channels: 3, background: '#888' } })
      .jpeg()
      .toBuffer();
    // A marker without content is followed by bytes that read as its length. That length leads into
    // a comment.
    const frame = Buffer.from('ffc0001108006400640301220002110103110100', 'hex');
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, frame.length + 2]), frame]);
    const start = Buffer.concat([large.subarray(0, 2), Buffer.from('ff010006', 'hex')]);
    const one = await bringPortrait(Buffer.concat([start, comment, large.subarray(2)]));
    expect(one).toMatchObject({ status: 'NOT_VERIFIED', errors: [{ code: '1615' }] });
    expect(asked).toHaveLength(0);
  });

  test.each([
    ['fails at', fails],
    ['cannot read', async () => UNREADABLE],
  ])('that the engine %s, but that can be decoded, is stored and shows no face', async (_how, behaviour) => {
    instead = behaviour;
    const one = await bringPortrait(portrait);
    expect(one).toMatchObject({ status: 'VERIFIED', score: 'LEVEL4' });
    expect(one.proof.crops).toHaveLength(1);
    expect(decodings).toBe(1);
  });
});

describe("the face on a chip's portrait", () => {
  test('is detected when the chip comes, and described when the first selfie comes', async () => {
    const identity = anIdentity();
    const { one } = await bring(identity);
    expect(one).toMatchObject({ status: 'VERIFIED', score: 'LEVEL4' });
    expect(one.proof.crops).toHaveLength(1);
    expect(described()).toEqual([false]);
    const before = await chipOf(identity);
    expect(before).toMatchObject({ face: { width: expect.any(Number) }, undescribed: before.media[0]?.mediaId });
    expect(before.sealed).not.toHaveProperty('face');

    const { one: first } = await sendSelfie(identity);
    expect(first.proof.parent).toBe(one.evidenceId);
    expect(described()).toEqual([false, true]);
    expect((await stored(identity)).comparisons).toMatchObject([{ distance: await distanceAtOnce() }]);
    const after = await chipOf(identity);
    expect(after).not.toHaveProperty('undescribed');
    const template = await templateOf({ image: portrait, of: 'DOCUMENT' });
    expect(after.face).toEqual({ width: template.faceWidth });
    expect(identity.open('template', after.sealed.face)).toEqual(template);

    await sendSelfie(identity);
    expect(described()).toEqual([false, true]);
    expect((await stored(identity)).comparisons).toHaveLength(2);
  });

  test('is described at once if a selfie waits for it, with the same result', async () => {
    const identity = anIdentity();
    const { event } = await sendSelfie(identity);
    const { one } = await bring(identity);
    expect(described()).toEqual([true]);
    expect(await chipOf(identity)).not.toHaveProperty('undescribed');
    expect((await stored(identity)).comparisons).toMatchObject([{ distance: await distanceAtOnce() }]);
    await rig.settled(event, ({ proof }) => proof.parent === one.evidenceId);
  });

  test('is described once, however often the message of a selfie comes', async () => {
    const identity = anIdentity();
    await bring(identity);
    const { event } = await sendSelfie(identity);
    await rig.send(event);
    await sendSelfie(identity);
    expect(described()).toEqual([false, true]);
    expect((await stored(identity)).comparisons).toHaveLength(2);
  });

  test('waits with the message of the selfie for an engine that is unavailable', async () => {
    const identity = anIdentity();
    const { one } = await bring(identity);
    let away = 2;
    instead = (job) => {
      if (!ofDocument(job) || away === 0) return undefined;
      away -= 1;
      return Promise.reject(new EngineUnavailable('away'));
    };
    const { one: settled } = await sendSelfie(identity);
    expect(away).toBe(0);
    expect(settled.proof.parent).toBe(one.evidenceId);
    expect((await stored(identity)).comparisons).toMatchObject([{ distance: await distanceAtOnce() }]);
  });

  test('is described again, and stored once, if work was lost between its description and the write', async () => {
    const identity = anIdentity();
    const { one } = await bring(identity);
    comparisonsLost = 1;
    const { one: settled } = await sendSelfie(identity);
    expect(comparisonsLost).toBe(0);
    expect(settled.proof.parent).toBe(one.evidenceId);
    expect(described()).toEqual([false, true, true]);
    expect((await stored(identity)).comparisons).toMatchObject([{ distance: await distanceAtOnce() }]);
    expect(await chipOf(identity)).not.toHaveProperty('undescribed');
  });

  test('that the engine fails at can no longer be compared with a selfie', async () => {
    const identity = anIdentity();
    await bring(identity);
    instead = (job) => (ofDocument(job) ? Promise.reject(new EngineCrashed('died twice')) : undefined);
    const { one } = await sendSelfie(identity);
    expect(one.unverifiedIndicators).toContain('BIOMETRIC_MATCHING_CHECK_UNVERIFIED');
    expect(await chipOf(identity)).not.toHaveProperty('face');
    expect(await chipOf(identity)).not.toHaveProperty('undescribed');
    instead = () => undefined;
    await sendSelfie(identity);
    expect(described()).toEqual([false, true]);
  });

  test('that an engine describes at once is not described again', async () => {
    instead = (job) => (ofDocument(job) ? own.portrait({ image: job.image, of: 'DOCUMENT' }) : undefined);
    const identity = anIdentity();
    await bring(identity);
    expect(await chipOf(identity)).not.toHaveProperty('undescribed');
    await sendSelfie(identity);
    expect(described()).toEqual([false]);
    expect((await stored(identity)).comparisons).toMatchObject([{ distance: await distanceAtOnce() }]);
  });

  test('does not count if an engine says that it cannot be compared', async () => {
    instead = async (job) => {
      if (!ofDocument(job)) return own.portrait(job);
      return { ...(await own.portrait(job)), usable: false };
    };
    const identity = anIdentity();
    await bring(identity);
    expect(await chipOf(identity)).not.toHaveProperty('face');
  });
});

test('a selfie whose chip is deleted meanwhile is settled without it', async () => {
  const identity = anIdentity();
  const { one } = await bring(identity);
  const { undescribed } = await chipOf(identity);
  rig.media.delete(undescribed!);
  const event = asSelfie(identity);
  await rig.send(event);
  const { evidenceId } = one;
  const deletion = { evidenceId, type: 'PASSPORT', operation: 'EVIDENCE_NFC_VERIFICATION', deletedAt: DAY } as const;
  await rig.send(identity.event(evidenceDeleted, { ...deletion, reason: 'DELETED' }));
  const settled = await rig.settled(event);
  expect(settled.proof.parent).toBeUndefined();
  expect((await stored(identity)).comparisons).toEqual([]);
});

test('nothing of a face that was never described outlives its identity', async () => {
  const identity = anIdentity();
  await bring(identity);
  await rig.send(
    identity.event(identityClosed, { reason: 'DELETED', closedAt: DAY, forgetAt: '2040-01-01T00:00:00.000' }),
  );
  const closed = await waitFor('the tombstone', async () => {
    const left = await rig.cases.find(identity.identityId);
    return left?.closed && left;
  });
  expect(closed).not.toHaveProperty('evidences');
});
