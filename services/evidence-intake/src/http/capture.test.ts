import { createHash, randomBytes } from 'node:crypto';
import { loseReply, waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { multipart, part, upload } from '../testing/forms.ts';
import { anIdentity, anImage, type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
let front: Buffer;
let back: Buffer;
beforeAll(async () => {
  rig = await startRig();
  front = await anImage(320, 200);
  back = await anImage(300, 200, 'png');
});
afterAll(() => rig.close());

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const MULTIPART = 'Content-Type: multipart/form-data; boundary=B';

const bytesOf = async (claims: ReturnType<ReturnType<typeof anIdentity>['claims']>, mediaId: string) =>
  (await rig.call('GET', `/media/${mediaId}`, claims)).bytes;

const stored = (name: string) => rig.mongodb.connection.model(name);

describe('a document capture', () => {
  test('is stored as uploaded, recorded and announced', async () => {
    const { claims, identityId } = anIdentity();
    const granted = claims();
    const answer = await upload(rig, granted, [
      part(
        'DocumentCaptureDetails',
        '{"documentType":"PASSPORT","jurisdiction":"UTO","later":1}',
        undefined,
        'application/json',
      ),
      part('DocumentBack', back),
      part('DocumentFront', front),
    ]);
    expect(answer).toMatchObject({ status: 200, body: { evidenceId: granted.evidenceId, type: 'PASSPORT' } });
    const media = answer.body.media as { mediaId: string; role: string; sha256: string; contentType: string }[];
    expect(media.map(({ role, sha256: hash, contentType }) => [role, hash, contentType])).toEqual([
      ['FRONT', sha256(front), 'image/jpeg'],
      ['BACK', sha256(back), 'image/png'],
    ]);
    expect(await bytesOf(granted, media[0]!.mediaId)).toEqual(front);
    const event = await waitFor('the event', () => rig.published.find((one) => one.identityId === identityId));
    expect(event).toMatchObject({
      type: 'evidence.submitted',
      data: {
        evidenceId: granted.evidenceId,
        type: 'PASSPORT',
        media,
        identityCreationDateTime: '2026-01-02T03:04:05.678',
      },
    });
    const list = await rig.call('GET', `/evidences/${granted.evidenceId}/media`, granted);
    expect(list.body).toEqual(media);
  });

  test.each([
    ['in its record where it is small', 0, { content: true, blobs: 0 }],
    ['as a blob where it is not', 1024 * 1024, { content: false, blobs: 1 }],
  ])('is stored sealed, %s', async (_where, moreBytes, expected) => {
    const { claims } = anIdentity();
    const granted = claims();
    const image = Buffer.concat([front, randomBytes(moreBytes)]);
    const { body } = await upload(rig, granted, [part('DocumentFront', image)]);
    const [{ mediaId }] = body.media as [{ mediaId: string }];
    expect(await bytesOf(granted, mediaId)).toEqual(image);
    const { connection } = rig.mongodb;
    const media = connection.collection<{ _id: string; blobId?: string; content?: { buffer: Buffer } }>('media');
    const record = await media.findOne({ _id: mediaId });
    const blobs = await connection
      .collection<{ _id: string }>('blobs.files')
      .countDocuments({ _id: record?.blobId ?? '' });
    expect({ content: record?.content !== undefined, blobs }).toEqual(expected);
    if (record?.content) expect(record.content.buffer.includes(image.subarray(100, 140))).toBe(false);
  });

  test('sent twice under one id is one evidence', async () => {
    const { claims } = anIdentity();
    const granted = claims();
    const [first, second] = await Promise.all([
      upload(rig, granted, [part('DocumentFront', front)]),
      upload(rig, granted, [part('DocumentFront', front)]),
    ]);
    const third = await upload(rig, granted, [part('DocumentFront', back)]);
    expect(second.body).toEqual(first.body);
    expect(third.body).toEqual(first.body);
    expect((await rig.call('GET', `/evidences/${granted.evidenceId}/media`, granted)).body).toHaveLength(1);
  });

  test.each([
    ['the reply to its record is lost', () => stored('evidences').collection, 'insertOne'],
    ['the question whether its identity is closed is not answered', () => stored('tombstones').collection, 'distinct'],
  ])('retains its picture when %s', async (_what, target, operation) => {
    const { claims, identityId } = anIdentity();
    const granted = claims();
    const lost = loseReply(target() as never, operation as never);
    expect((await upload(rig, granted, [part('DocumentFront', front)])).status).toBe(500);
    await lost;
    const repeated = await upload(rig, granted, [part('DocumentFront', front)]);
    expect(repeated).toMatchObject({ status: 200, body: { evidenceId: granted.evidenceId } });
    const [medium] = repeated.body.media as { mediaId: string }[];
    expect(await bytesOf(granted, medium!.mediaId)).toEqual(front);
    const event = await waitFor('the event', () => rig.published.find((one) => one.identityId === identityId));
    expect(event.data).toMatchObject({ evidenceId: granted.evidenceId, media: repeated.body.media });
  });

  test('cannot be read for another identity', async () => {
    const mine = anIdentity().claims();
    const answer = await upload(rig, mine, [part('DocumentFront', front)]);
    const mediaId = (answer.body.media as { mediaId: string }[])[0]!.mediaId;
    const other = anIdentity().claims();
    expect((await rig.call('GET', `/media/${mediaId}`, other)).status).toBe(404);
    expect((await rig.call('GET', `/evidences/${mine.evidenceId}/media`, other)).status).toBe(404);
  });
});

describe('the forms that clients send', () => {
  const send = (head: string[], body: (Buffer | string)[]) => rig.raw(anIdentity().claims(), head, body);
  const whole = (parts: Parameters<typeof multipart>[1]) => {
    const body = multipart('B', parts);
    return { head: [MULTIPART, `Content-Length: ${body.length}`], body: [body] };
  };
  const disposition = (name: string) => `Content-Disposition: form-data; name="${name}"`;

  test.each([
    ['no filename, typed as an image', [disposition('DocumentFront'), 'Content-Type: image/jpeg']],
    ['no filename and a charset', [disposition('DocumentFront'), 'Content-Type: image/jpeg; charset=utf-8']],
    ['no filename and no type', [disposition('DocumentFront')]],
    ['octet-stream', [`${disposition('DocumentFront')}; filename="x"`, 'Content-Type: application/octet-stream']],
    ['an empty filename', [`${disposition('DocumentFront')}; filename=""`, 'Content-Type: image/jpeg']],
    ['an unquoted name', ['content-disposition: form-data; name=DocumentFront; filename=a.jpg']],
    [
      'further header lines',
      ['Content-Length: 5', disposition('DocumentFront'), 'Content-Transfer-Encoding: binary', 'X-A: b'],
    ],
    ['header names of JavaScript objects', ['__proto__: x', 'constructor: y', disposition('DocumentFront')]],
    ['the wrong type', [`${disposition('DocumentFront')}; filename="../../x.txt"`, 'Content-Type: text/plain']],
  ])('a part with %s', async (_what, headers) => {
    const { head, body } = whole([{ headers, bytes: front }]);
    const answer = await send(head, body);
    expect(answer).toMatchObject({ status: 200, body: { type: 'ID_DOCUMENT', media: [{ sha256: sha256(front) }] } });
  });

  test('a chunked body in very small pieces', async () => {
    const bytes = multipart('B', [part('DocumentFront', front)]);
    const crumbs = Array.from({ length: Math.ceil(bytes.length / 997) }, (_, at) =>
      bytes.subarray(at * 997, at * 997 + 997),
    );
    const chunked = crumbs.flatMap((crumb) => [`${crumb.length.toString(16)}\r\n`, crumb, '\r\n']);
    const answer = await send([MULTIPART, 'Transfer-Encoding: chunked'], [...chunked, '0\r\n\r\n']);
    expect(answer).toMatchObject({ status: 200, body: { media: [{ sha256: sha256(front) }] } });
  });

  test('Expect: 100-continue', async () => {
    const { head, body } = whole([part('DocumentFront', front)]);
    expect((await send([...head, 'Expect: 100-continue'], body)).status).toBe(200);
  });

  test.each([
    ['a field', [disposition('DocumentCaptureDetails')]],
    [
      'a file of any type',
      [`${disposition('DocumentCaptureDetails')}; filename="blob"`, 'Content-Type: application/octet-stream'],
    ],
  ])('details as %s, first', async (_what, headers) => {
    const details = { headers, bytes: '\ufeff{"documentType":"DRIVING_LICENSE","source":null}' };
    const { head, body } = whole([details, part('Unknown', 'x'), part('DocumentFront', front)]);
    expect(await send(head, body)).toMatchObject({ status: 200, body: { type: 'DRIVING_LICENSE' } });
  });
});

describe('a refused upload', () => {
  const tiny = () => anImage(159, 100);
  const many = () =>
    sharp({ create: { width: 6400, height: 6300, channels: 3, background: '#123' } })
      .png()
      .toBuffer();
  const details = (text: string) => part('DocumentCaptureDetails', text, 'd.json', 'application/json');

  test.each<[string, () => Promise<Parameters<typeof upload>[2]>, number, string, string]>([
    ['without a front', async () => [part('DocumentBack', back)], 400, '1508', 'DocumentFront'],
    ['with nothing at all', async () => [], 400, '1508', 'DocumentFront'],
    ['empty', async () => [part('DocumentFront', '')], 400, '1500', 'DocumentFront'],
    ['not an image', async () => [part('DocumentFront', 'hello, I am text')], 400, '1500', 'DocumentFront'],
    ['a PDF', async () => [part('DocumentFront', '%PDF-1.7\n%...')], 400, '1500', 'DocumentFront'],
    [
      'an image with nothing behind its signature',
      async () => [part('DocumentFront', front.subarray(0, 12))],
      400,
      '1500',
      'DocumentFront',
    ],
    ['too small', async () => [part('DocumentFront', await tiny())], 400, '1560', 'DocumentFront'],
    ['of too many pixels', async () => [part('DocumentFront', await many())], 400, '1505', 'DocumentFront'],
    [
      'too large',
      async () => [part('DocumentFront', front), part('DocumentBack', Buffer.concat([back, Buffer.alloc(3_000_000)]))],
      413,
      '1505',
      'DocumentBack',
    ],
    [
      'two in one slot',
      async () => [part('DocumentFront', front), part('DocumentFront', front)],
      400,
      '1006',
      'DocumentFront',
    ],
    [
      'broken details',
      async () => [part('DocumentFront', front), details('{"documentType":')],
      400,
      '1006',
      'DocumentCaptureDetails',
    ],
    [
      'details nested without end',
      async () => [part('DocumentFront', front), details(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`)],
      400,
      '1006',
      'DocumentCaptureDetails',
    ],
    [
      'an unknown type',
      async () => [details('{"documentType":"LIBRARY_CARD"}'), part('DocumentFront', front)],
      400,
      '1006',
      'DocumentCaptureDetails.documentType',
    ],
    [
      'a list for details',
      async () => [details('[]'), part('DocumentFront', front)],
      400,
      '1006',
      'DocumentCaptureDetails',
    ],
  ])('%s leaves nothing behind', async (_what, parts, status, code, field) => {
    const before = await rig.stored();
    const claims = anIdentity().claims({ limits: { maxFileBytes: 2_000_000 } });
    const answer = await upload(rig, claims, await parts());
    expect({ status: answer.status, error: answer.body.errors?.[0] }).toMatchObject({ status, error: { code, field } });
    expect(await rig.stored()).toEqual(before);
  });

  test('a HEIC of an iPhone is refused with the formats that are taken', async () => {
    const heic = Buffer.from(`\0\0\0\x18ftypheic\0\0\0\0mif1heic${'\0'.repeat(2000)}`, 'latin1');
    const { status, body } = await upload(rig, anIdentity().claims(), [part('DocumentFront', heic)]);
    expect({ status, error: body.errors?.[0] }).toMatchObject({
      status: 400,
      error: { code: '1500', message: expect.stringContaining('JPEG, PNG or WebP') },
    });
  });

  test.each([
    ['ID_DOCUMENT_CAPTURE', '1508', 'DocumentFront'],
    ['PORTRAIT_CAPTURE', '1006', 'Portrait'],
  ] as const)('without a single byte lacks its file: %s', async (operation, code, field) => {
    const claims = () => anIdentity().claims({ operation });
    const empty = await rig.raw(claims(), [MULTIPART, 'Content-Length: 0'], []);
    const chunked = await rig.raw(claims(), [MULTIPART, 'Transfer-Encoding: chunked'], ['0\r\n\r\n']);
    for (const { status, body } of [empty, chunked])
      expect({ status, error: body.errors?.[0] }).toMatchObject({ status: 400, error: { code, field } });
  });

  test('malformed or cut off leaves nothing behind', async () => {
    const before = await rig.stored();
    const body = multipart('B', [part('DocumentFront', front)]);
    const claims = () => anIdentity().claims();
    const none = await rig.raw(claims(), ['Content-Type: multipart/form-data', 'Content-Length: 2'], ['{}']);
    const garbage = await rig.raw(claims(), [MULTIPART, 'Content-Length: 7'], ['garbage']);
    const open = await rig.raw(claims(), [MULTIPART, `Content-Length: ${body.length - 20}`], [body.subarray(0, -20)]);
    const many = multipart(
      'B',
      Array.from({ length: 100 }, (_, at) => part(`p${at}`, 'x')),
    );
    const parts = await rig.raw(claims(), [MULTIPART, `Content-Length: ${many.length}`], [many]);
    const json = await rig.raw(claims(), ['Content-Type: application/json', 'Content-Length: 2'], ['{}']);
    expect([none, garbage, open, parts, json].map(({ status }) => status)).toEqual([400, 400, 400, 400, 415]);
    expect(await rig.stored()).toEqual(before);
  });

  test('a truncated JPEG is accepted: its header is complete, and the worker finds the fault', async () => {
    const cut = (await anImage(600, 400)).subarray(0, 9_000);
    expect((await upload(rig, anIdentity().claims(), [part('DocumentFront', cut)])).status).toBe(200);
  });

  test('a header behind a lot of other data is accepted', async () => {
    const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0xff, 0xff]), Buffer.alloc(0xfffd)]);
    const long = Buffer.concat([front.subarray(0, 2), ...Array.from({ length: 12 }, () => segment), front.subarray(2)]);
    expect((await upload(rig, anIdentity().claims(), [part('DocumentFront', long)])).status).toBe(200);
    const before = await rig.stored();
    const webp = (await anImage(1300, 1000, 'webp')).subarray(0, 300_000);
    const broken = await upload(rig, anIdentity().claims(), [part('DocumentFront', webp)]);
    expect(broken).toMatchObject({ status: 400, body: { errors: [{ code: '1500' }] } });
    expect(await rig.stored()).toEqual(before);
  });
});
