import { newId } from '@assay/runtime';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { part, upload } from '../testing/forms.ts';
import { anIdentity, anImage, type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
let sharpFrame: Buffer;
let softFrame: Buffer;
beforeAll(async () => {
  rig = await startRig();
  sharpFrame = await anImage(400, 300);
  softFrame = await sharp(sharpFrame).blur(6).jpeg().toBuffer();
});
afterAll(() => rig.close());

const VIDEO_HEAD = Buffer.from('\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isomiso2', 'latin1');
const WEBM_HEAD = Buffer.from(
  '1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701',
  'hex',
);

const start = async (operation: 'LIVENESS_VIDEO' | 'ID_DOCUMENT_LIVE_CAPTURE', body: object, more = {}) => {
  const identity = anIdentity();
  const granted = identity.claims({ operation, ...more });
  rig.granted.set(identity.identityId, granted);
  const answer = await rig.call('POST', '/live-sessions', granted, Buffer.from(JSON.stringify(body)), {
    'content-type': 'application/json',
  });
  return { ...identity, granted, answer, path: `/live-sessions/${String(answer.body.sessionId)}` };
};
const eventOf = (evidenceId: string | undefined) =>
  waitFor('evidence.submitted', () => rig.published.find(({ data }) => data.evidenceId === evidenceId));

test.each([
  ['ID_DOCUMENT_LIVE_CAPTURE', { idDocumentType: 'PASSPORT' }, 'PASSPORT'],
  ['LIVENESS_VIDEO', { type: 'LIVENESS_PASSIVE' }, 'PORTRAIT'],
] as const)(
  'a session that was granted as %s has that kind, whatever kind its request names',
  async (granted, asked, type) => {
    for (const kind of ['PORTRAIT', 'DOCUMENT', 'CHIP', 'X']) {
      const { answer } = await start(granted, { type: 'LIVENESS_PASSIVE', ...asked, kind });
      expect(answer).toMatchObject({ status: 200, body: { type } });
    }
  },
);

describe('a live capture session of a portrait', () => {
  test('submits its sharpest frame and stores the video only when the tenant stores videos', async () => {
    const { answer, granted, path } = await start('LIVENESS_VIDEO', { type: 'LIVENESS_HIGH' }, { keepVideo: true });
    expect(answer).toMatchObject({
      status: 200,
      body: { type: 'PORTRAIT', livenessParameters: { type: 'LIVENESS_HIGH', timeout: 120 } },
    });
    expect(rig.published.some(({ data }) => data.evidenceId === granted.evidenceId)).toBe(false);
    const video = Buffer.concat([VIDEO_HEAD, Buffer.alloc(2000)]);
    const frames = [
      part('Frame', softFrame),
      part('Frame', sharpFrame),
      part('Frame', softFrame),
      part('Video', video, 'v.mp4', 'video/mp4'),
    ];
    expect(await upload(rig, granted, frames, `${path}/frames`)).toMatchObject({ status: 200, body: { frames: 3 } });
    const ended = await rig.call('POST', `${path}/end`, granted);
    expect(ended).toMatchObject({
      status: 200,
      body: { media: [{ role: 'PORTRAIT' }, { role: 'VIDEO', contentType: 'video/mp4' }] },
    });
    const { data } = await eventOf(granted.evidenceId);
    expect(data).toMatchObject({
      operation: 'LIVENESS_VIDEO',
      media: ended.body.media,
      sessionId: answer.body.sessionId,
    });
    const media = ended.body.media as { mediaId: string }[];
    expect((await rig.call('GET', `/media/${media[0]!.mediaId}`, granted)).bytes).toEqual(sharpFrame);
    expect((await rig.call('POST', `${path}/end`, granted)).body.media).toEqual(media);
    expect((await upload(rig, granted, frames, `${path}/frames`)).status).toBe(409);
    await waitFor('the rest to go', async () => {
      const list = await rig.call('GET', `/evidences/${granted.evidenceId}/media`, granted);
      return (list.body as unknown as unknown[]).length === 2;
    });
  });

  test('repeats the security level that the client names, and stores none of its text', async () => {
    const asked = { type: 'LIVENESS_HIGH', securityLevel: 'as Ann wishes', nbChallenge: 3 };
    const { answer, granted } = await start('LIVENESS_VIDEO', asked);
    expect(answer.body.livenessParameters).toEqual({ ...asked, timeout: 120 });
    const stored = await rig.mongodb.connection.collection('evidences').findOne({ _id: granted.evidenceId as never });
    expect(stored!.session.request).toEqual({ kind: 'PORTRAIT', type: 'LIVENESS_HIGH', nbChallenge: 3 });
  });

  test('adds the frames of a batch once, and none of an incomplete batch', async () => {
    const { granted, path } = await start('LIVENESS_VIDEO', { type: 'LIVENESS_PASSIVE' });
    const send = (batchId: string, ...frames: Buffer[]) => {
      const parts = frames.map((frame) => part('Frame', frame));
      return upload(rig, { ...granted, batchId }, parts, `${path}/frames`);
    };
    const [one, two, broken] = [newId(), newId(), newId()];
    expect((await send(one, softFrame)).body.frames).toBe(1);
    const again = await Promise.all([send(two, sharpFrame, softFrame), send(two, sharpFrame, softFrame)]);
    expect(again.map(({ status, body }) => [status, body.frames])).toEqual([
      [200, 3],
      [200, 3],
    ]);
    expect((await send(one, softFrame)).body.frames).toBe(1);
    expect((await send(broken, softFrame, Buffer.from('no image'))).status).toBe(400);
    const media = async () => (await rig.call('GET', `/evidences/${granted.evidenceId}/media`, granted)).body.length;
    await waitFor('the frames that counted', async () => (await media()) === 3);
    expect((await rig.call('POST', `${path}/end`, granted)).body.media).toMatchObject([{ role: 'PORTRAIT' }]);
    expect(await send(two, sharpFrame, softFrame)).toMatchObject({ status: 200, body: { frames: 3 } });
    expect((await send(broken, softFrame)).status).toBe(409);
  });

  test('accepts frames up to its limit, however many requests bring them at a time', async () => {
    const { granted, path } = await start('LIVENESS_VIDEO', { type: 'LIVENESS_PASSIVE' });
    const small = part('Frame', await anImage(200, 150));
    const ten = Array.from({ length: 10 }, () => small);
    const send = () => upload(rig, { ...granted, batchId: newId() }, ten, `${path}/frames`);
    const answers = await Promise.all(Array.from({ length: 9 }, send));
    const taken = answers.filter(({ status }) => status === 200).map(({ body }) => body.frames as number);
    expect(taken.sort((a, b) => a - b)).toEqual([10, 20, 30, 40, 50, 60]);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
    await waitFor('the others to go', async () => {
      const list = await rig.call('GET', `/evidences/${granted.evidenceId}/media`, granted);
      return (list.body as unknown as unknown[]).length === 60;
    });
  });

  test('accepts ten files in a request, and no batch that exceeds the limit of the session', async () => {
    const { granted, path } = await start('LIVENESS_VIDEO', { type: 'LIVENESS_PASSIVE' });
    const small = part('Frame', await anImage(200, 150));
    const send = (count: number) =>
      upload(rig, { ...granted, batchId: newId() }, Array<typeof small>(count).fill(small), `${path}/frames`);
    for (const count of [11, 30])
      expect(await send(count)).toMatchObject({ status: 400, body: { errors: [{ code: '1006', field: 'Frame' }] } });
    for (const frames of [10, 20, 30, 40, 50]) expect((await send(10)).body.frames).toBe(frames);
    expect((await send(5)).body.frames).toBe(55);
    expect((await send(6)).status).toBe(409);
    expect((await send(5)).body.frames).toBe(60);
    // The video of the session comes last, and is no frame.
    const bring = (...parts: (typeof small)[]) =>
      upload(rig, { ...granted, batchId: newId() }, parts, `${path}/frames`);
    const video = part('Video', Buffer.concat([VIDEO_HEAD, Buffer.alloc(1000)]), 'v.mp4');
    expect((await bring(video)).body.frames).toBe(60);
    for (const more of [[small], [video, small]]) expect((await bring(...more)).status).toBe(409);
  });

  test('refuses a request without a frame or a video: one that misnames its parts would lose them', async () => {
    const { granted, path } = await start('LIVENESS_VIDEO', { type: 'LIVENESS_PASSIVE' });
    const refused = { status: 400, body: { errors: [{ code: '1006', field: 'Frame' }] } };
    for (const parts of [[], [part('frame', sharpFrame)], [part('side', Buffer.from('FRONT'))]])
      expect(await upload(rig, { ...granted, batchId: newId() }, parts, `${path}/frames`)).toMatchObject(refused);
    const video = part('Video', Buffer.concat([VIDEO_HEAD, Buffer.alloc(1000)]), 'v.mp4');
    const answer = await upload(rig, { ...granted, batchId: newId() }, [video], `${path}/frames`);
    expect(answer).toMatchObject({ status: 200, body: { frames: 0 } });
  });

  test('keeps the last video, also of those that one request brings', async () => {
    const { granted, path } = await start('LIVENESS_VIDEO', { type: 'LIVENESS_PASSIVE_VIDEO' }, { keepVideo: true });
    const video = (bytes: number) => part('Video', Buffer.concat([VIDEO_HEAD, Buffer.alloc(bytes)]), 'v.mp4');
    // The type of a WebM takes longer to find than that of an MP4.
    const webm = part('Video', Buffer.concat([WEBM_HEAD, Buffer.alloc(5000)]), 'v.webm');
    const videos = [webm, webm, video(2000), video(1000)];
    const batch = { ...granted, batchId: newId() };
    await upload(rig, { ...granted, batchId: newId() }, [video(4000)], `${path}/frames`);
    expect((await upload(rig, batch, [part('Frame', sharpFrame), ...videos], `${path}/frames`)).body.frames).toBe(1);
    const ended = await rig.call('POST', `${path}/end`, granted);
    const [, medium] = ended.body.media as { mediaId: string }[];
    const { bytes } = await rig.call('GET', `/media/${medium!.mediaId}`, granted);
    expect(bytes).toHaveLength(VIDEO_HEAD.length + 1000);
  });

  test('cannot be ended without a frame, and ends by itself', async () => {
    const { granted, path, claims } = await start(
      'LIVENESS_VIDEO',
      { type: 'LIVENESS_PASSIVE' },
      { sessionTimeoutSeconds: 1 },
    );
    expect((await rig.call('POST', `${path}/end`, granted)).status).toBe(400);
    expect((await rig.call('POST', `${path}/end`, claims({ identityId: anIdentity().identityId }))).status).toBe(404);
    await upload(rig, granted, [part('Frame', softFrame)], `${path}/frames`);
    const { data } = await eventOf(granted.evidenceId);
    expect(data).toMatchObject({ endWith: 'SESSION_TIMEOUT', media: [] });
    expect((await rig.call('POST', `${path}/end`, granted)).status).toBe(409);
    await waitFor('the frame to go', async () => {
      const list = await rig.call('GET', `/evidences/${granted.evidenceId}/media`, granted);
      return (list.body as unknown as unknown[]).length === 0;
    });
  });
});

describe('a live capture session of a document', () => {
  test('asks for the sides it has and submits the best of each', async () => {
    const { answer, granted, path } = await start('ID_DOCUMENT_LIVE_CAPTURE', {
      idDocumentType: 'DRIVING_LICENSE',
      issuingCountry: 'USA',
    });
    expect(answer.body).toMatchObject({ type: 'DRIVING_LICENSE', sidesToCapture: ['FRONT', 'BACK'] });
    await upload(
      rig,
      granted,
      [part('side', 'BACK', undefined, 'text/plain'), part('Frame', softFrame), part('Frame', sharpFrame)],
      `${path}/frames`,
    );
    const unsaid = await upload(rig, granted, [part('side', ' '), part('Frame', sharpFrame)], `${path}/frames`);
    expect(unsaid.status).toBe(200);
    const wrong = await upload(rig, granted, [part('side', 'LEFT'), part('Frame', sharpFrame)], `${path}/frames`);
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ code: '1006', field: 'side' }] } });
    const ended = await rig.call('POST', `${path}/end`, granted);
    expect(ended.body.media).toMatchObject([{ role: 'FRONT' }, { role: 'BACK' }]);
  });

  test('of an unknown type is refused', async () => {
    const { answer } = await start('ID_DOCUMENT_LIVE_CAPTURE', { idDocumentType: 'LIBRARY_CARD' });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ code: '1006', field: 'idDocumentType' }] } });
  });
});

describe('frames of many pixels', () => {
  const large = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#123' } })
      .png({ compressionLevel: 9 })
      .toBuffer();

  test('are added up over a request, which may cause about a second of decoding, whatever its bytes', async () => {
    const before = await rig.stored();
    const { granted, path } = await start('LIVENESS_VIDEO', { type: 'LIVENESS_PASSIVE' });
    const frame = part('Frame', await large(6000, 6000));
    const answer = await upload(rig, granted, [frame, frame, frame], `${path}/frames`);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ code: '1505', field: 'Frame' }] } });
    expect((await rig.stored()).files).toBe(before.files);
    expect(await upload(rig, granted, [frame, frame], `${path}/frames`)).toMatchObject({
      status: 200,
      body: { frames: 2 },
    });
  });
});
