import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { formatDateTime, identityClosed } from '@assay/contracts';
import type { Blobs } from '@assay/mongo';
import { isDependencyDown, newId } from '@assay/runtime';
import { ENDLESS_PEERS, motoServer, startEndlessPeer, waitFor } from '@assay/testing';
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { part, upload } from '../testing/forms.ts';
import { anIdentity, anImage, type Rig, startRig } from '../testing/rig.ts';
import { openObjectStore } from './object-blobs.ts';

/* Runs on moto, an S3-compatible server in a process of its own. */

const PART = 5 * 1024 * 1024;
const moto = motoServer();
const onMoto = moto ? describe : describe.skip;

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
};

const BUCKET = 'media';
let server: ChildProcess;
let client: S3Client;
let config: Parameters<typeof openObjectStore>[0];
let blobs: ReturnType<Awaited<ReturnType<typeof openObjectStore>>>;
/** What the database stored before the object store was configured. */
const before = new Map([['former', randomBytes(100)]]);
const former: Pick<Blobs, 'read' | 'remove'> = {
  read: (id) => {
    const stream = new PassThrough();
    const bytes = before.get(id);
    if (bytes) stream.end(bytes);
    else stream.destroy(new Error(`no blob ${id}`));
    return stream;
  },
  remove: async (ids) => {
    for (const id of ids) before.delete(id);
  },
};
beforeAll(async () => {
  if (!moto) return;
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const args = [...moto.args, '-H', '127.0.0.1', '-p', new URL(endpoint).port];
  server = spawn(moto.command, args, { stdio: 'ignore', env: moto.env });
  const answers = () =>
    fetch(endpoint).then(
      () => true,
      () => false,
    );
  await waitFor('moto', answers, 60_000);
  config = { bucket: BUCKET, region: 'us-east-1', endpoint, accessKey: 'someone', secretKey: 'a secret of someone' };
  const credentials = { accessKeyId: 'someone', secretAccessKey: 'a secret of someone' };
  client = new S3Client({ region: 'us-east-1', endpoint, forcePathStyle: true, credentials });
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  blobs = (await openObjectStore(config))(former);
}, 90_000);
afterAll(async () => {
  await blobs?.close();
  client?.destroy();
  server?.kill('SIGKILL');
});

const pieces = (bytes: Buffer, size: number): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size)),
    { objectMode: false },
  );
/** What the store has of a blob: objects, and unfinished uploads. */
const stored = async (Prefix: string) => {
  const { KeyCount } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET, Prefix }));
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: BUCKET, Prefix }));
  return { objects: KeyCount, uploads: Uploads.length };
};

onMoto('a blob in an object store', () => {
  test.each([0, 1, PART - 1, PART, PART + 1, 3 * PART + 17])('of %i bytes is read as it was written', async (size) => {
    const bytes = randomBytes(size);
    await blobs.write(`size-${size}`, pieces(bytes, 300_000));
    expect((await buffer(blobs.read(`size-${size}`))).equals(bytes)).toBe(true);
    expect(await stored(`size-${size}`)).toEqual({ objects: 1, uploads: 0 });
  });

  test('whose source breaks off leaves nothing behind', async () => {
    const broken = async function* (): AsyncGenerator<Buffer> {
      for (let n = 0; n < 3; n += 1) yield randomBytes(PART);
      throw new Error('the client went away');
    };
    await expect(blobs.write('broken', broken())).rejects.toThrow('went away');
    expect(await stored('broken')).toEqual({ objects: 0, uploads: 0 });
    await expect(buffer(blobs.read('broken'))).rejects.toThrow('no blob');
  });

  test('that a crash left unfinished is removed with all that was written of it', async () => {
    // This writer waits for more bytes for ever.
    const stuck = async function* (): AsyncGenerator<Buffer> {
      for (let n = 0; n < 3; n += 1) yield randomBytes(PART);
      await new Promise(() => undefined);
    };
    blobs.write('stuck', stuck()).catch(() => undefined);
    await waitFor('the upload', async () => (await stored('stuck')).uploads === 1);
    await blobs.write('whole', pieces(randomBytes(10), 10));
    await blobs.remove(['stuck', 'whole', 'never']);
    expect([await stored('stuck'), await stored('whole')]).toEqual(Array(2).fill({ objects: 0, uploads: 0 }));
  });

  test('may be abandoned while it is read', async () => {
    await blobs.write('left', pieces(randomBytes(3 * PART), PART));
    const stream = blobs.read('left');
    await once(stream, 'readable');
    stream.destroy();
    await once(stream, 'close');
    await blobs.remove(['left']);
    expect(await stored('left')).toEqual({ objects: 0, uploads: 0 });
  });

  test('from before the store was configured is read and removed where it is', async () => {
    expect((await buffer(blobs.read('former'))).equals(before.get('former')!)).toBe(true);
    await blobs.remove(['former']);
    await expect(buffer(blobs.read('former'))).rejects.toThrow('no blob');
  });

  test('makes a consumer wait and a client repeat when the store is unavailable or refuses', async () => {
    const away = (await openObjectStore({ ...config, endpoint: `http://127.0.0.1:${await freePort()}` }))(former);
    const refusing = (await openObjectStore({ ...config, bucket: 'nobody-s' }))(former);
    for (const each of [away, refusing]) {
      const failure = await each.write('x', pieces(Buffer.from('x'), 1)).catch((error: unknown) => error);
      expect(isDependencyDown(failure)).toBe(true);
      await each.close();
    }
  });
});

onMoto('evidence-intake with an object store', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({ openObjects: await openObjectStore(config) });
  });
  afterAll(() => rig.close());

  const keys = async (): Promise<string[]> => {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET }));
    return Contents.map(({ Key }) => Key!);
  };

  test('stores media in the object store only, sealed, and removes them when the identity is closed', async () => {
    await blobs.remove(await keys());
    const image = await anImage(900, 700);
    const { identityId, claims } = anIdentity();
    const granted = claims();
    const { body } = await upload(rig, granted, [part('DocumentFront', image)]);
    const [{ mediaId }] = body.media as [{ mediaId: string }];
    expect((await rig.call('GET', `/media/${mediaId}`, granted)).bytes.equals(image)).toBe(true);
    const [Key, ...others] = await keys();
    expect(others).toEqual([]);
    const { Body } = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key: Key! }));
    const object = await buffer(Body as Readable);
    expect(object.length).toBeGreaterThanOrEqual(image.length);
    expect(object.includes(image.subarray(1000, 1032))).toBe(false);
    expect(await rig.stored()).toMatchObject({ files: 0, chunks: 0 });

    const closedAt = formatDateTime(new Date());
    await rig.publish(identityClosed.type, identityId, { reason: 'DELETED', closedAt, forgetAt: closedAt });
    await waitFor('the purge', async () => (await keys()).length === 0, 30_000);
  });

  test('sweeps what a crash left of an upload', async () => {
    const blobId = newId();
    const stuck = async function* (): AsyncGenerator<Buffer> {
      for (let n = 0; n < 2; n += 1) yield randomBytes(PART);
      await new Promise(() => undefined);
    };
    blobs.write(blobId, stuck()).catch(() => undefined);
    await waitFor('the upload', async () => (await stored(blobId)).uploads === 1);
    const { identityId, claims } = anIdentity();
    await rig.mongodb.connection.collection<{ _id: string }>('media').insertOne({
      _id: newId(),
      blobId,
      identityId,
      evidenceId: claims().evidenceId,
      state: 'ARRIVING',
      orphanAt: new Date(0),
    } as never);
    await waitFor('the sweep', async () => (await stored(blobId)).uploads === 0, 30_000);
  });
});

test.each(Object.entries(ENDLESS_PEERS))(
  'a store that %s is unavailable: no upload waits for it without end, and no connection is left',
  async (_name, peer) => {
    const { port, open: connections, close } = await startEndlessPeer(peer);
    const open = await openObjectStore({
      ...{ bucket: BUCKET, region: 'us-east-1', endpoint: `http://127.0.0.1:${port}` },
      ...{ accessKey: 'key', secretKey: 'secret', callMs: 300 },
    });
    const store = open(former);
    await expect(store.write('blob', Readable.from([Buffer.from('x')]))).rejects.toMatchObject({ status: 503 });
    // Bytes that come slowly are read, because the reader may be slow as well.
    if (!('answer' in peer && 'drips' in peer))
      await expect(buffer(store.read('blob'))).rejects.toThrow('object store');
    await waitFor('the connections to end', () => connections() === 0, 5000);
    close();
    await store.close();
  },
  30_000,
);

/**
 * A store that answers 200 to whatever it is sent, and then has `percent` of a hundred bytes of an
 * object.
 */
const startForgetful = async (percent: number) => {
  const lengths = new Map<string, number>();
  const store = createHttpServer((request, response) => {
    const key = request.url!.split('?')[0]!;
    request.on('data', ({ length }: Buffer) => lengths.set(key, (lengths.get(key) ?? 0) + length));
    request.on('end', () => {
      const length = Math.floor(((lengths.get(key) ?? 0) * percent) / 100);
      if (request.method === 'HEAD')
        return void response.writeHead(length ? 200 : 404, { 'content-length': length }).end();
      response.setHeader('etag', '"etag"');
      response.end(request.method === 'POST' ? '<Result><UploadId>upload-1</UploadId></Result>' : '');
    });
  }).listen(0, '127.0.0.1');
  await once(store, 'listening');
  return { port: (store.address() as AddressInfo).port, close: () => store.close().closeAllConnections() };
};

test.each([
  ['has nothing of a small object', 0, 1000],
  ['has half of a small object', 50, 1000],
  ['has nothing of an object of several parts', 0, 2 * PART],
])('a store that answers 200 and %s is unavailable: nothing is accepted', async (_name, percent, size) => {
  const { port, close } = await startForgetful(percent);
  const open = await openObjectStore({
    ...{ bucket: BUCKET, region: 'us-east-1', endpoint: `http://127.0.0.1:${port}` },
    ...{ accessKey: 'key', secretKey: 'secret' },
  });
  const store = open(former);
  await expect(store.write('blob', Readable.from([Buffer.alloc(size)]))).rejects.toMatchObject({ status: 503 });
  close();
  await store.close();
});

test('a store that begins an upload and accepts no part of it is unavailable', async () => {
  const stalled = createHttpServer((request, response) => {
    request.resume();
    if (request.method === 'POST')
      response.end('<InitiateMultipartUploadResult><UploadId>upload-1</UploadId></InitiateMultipartUploadResult>');
    if (request.method === 'DELETE') response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(stalled, 'listening');
  const { port } = stalled.address() as { port: number };
  const open = await openObjectStore({
    ...{ bucket: BUCKET, region: 'us-east-1', endpoint: `http://127.0.0.1:${port}` },
    ...{ accessKey: 'key', secretKey: 'secret', callMs: 500 },
  });
  const store = open(former);
  await expect(store.write('blob', Readable.from([Buffer.alloc(2 * PART)]))).rejects.toMatchObject({ status: 503 });
  stalled.close().closeAllConnections();
  await store.close();
}, 10_000);
