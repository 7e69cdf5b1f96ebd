import { Readable } from 'node:stream';
import type { Blobs } from '@assay/mongo';
import { type Closable, unlessLate } from '@assay/runtime';
import type { CompletedPart, S3Client } from '@aws-sdk/client-s3';
import pMap from 'p-map';

/** The former store: its media are read and removed there. */
type Former = Pick<Blobs, 'read' | 'remove'>;
type Sdk = typeof import('@aws-sdk/client-s3');

export interface ObjectStoreConfig {
  bucket: string;
  region: string;
  /** If absent, that of AWS in the region. */
  endpoint?: string | undefined;
  /**
   * If absent, the SDK looks for credentials in its environment, for instance a role of the
   * machine.
   */
  accessKey?: string | undefined;
  secretKey?: string | undefined;
  /** The longest call, in milliseconds; a minute if absent. */
  callMs?: number;
}

/** The smallest part that stores accept, except for the last one. */
const PART_BYTES = 5 * 1024 * 1024;
/**
 * Parts uploaded at the same time. A blob of any length uses the memory of this many parts and one
 * more.
 */
const AT_ONCE = 3;
const MOST_DELETED = 1000;
const CONNECT_MS = 3000;
const ANSWER_MS = 20_000;
/** The longest call: an answer that drips, or that never begins, would hold the upload for good. */
const CALL_MS = 60_000;

/** The object store is unreachable, or refuses access. Consumers wait, clients get 503. */
class ObjectStoreDown extends Error {
  override name = 'ObjectStoreDown';
  readonly status = 503;
}

/** Sends a request, which is given up when the signal is aborted. */
type Send<T> = (until: { abortSignal: AbortSignal }) => Promise<T>;
type Ask = <T>(send: Send<T>, what: string) => Promise<T>;

const askWithin =
  (ms: number): Ask =>
  async (send, what) => {
    const giveUp = new AbortController();
    try {
      return await unlessLate(send({ abortSignal: giveUp.signal }), ms);
    } catch (error) {
      // Else a late answer keeps its connection, and there are 50 of them.
      giveUp.abort();
      throw new ObjectStoreDown(`object store: ${what}`, { cause: error });
    }
  };

/** Undefined if there is no such object. */
const orAbsent = async <T>({ NoSuchKey }: Sdk, answer: Promise<T>): Promise<T | undefined> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
};

/**
 * Splits the bytes into parts of one size, the last one shorter; an empty stream is one empty part.
 */
async function* partsOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  let isEmpty = true;
  for await (const piece of bytes) {
    waiting.push(piece);
    length += piece.length;
    if (length < PART_BYTES) continue;
    const all = Buffer.concat(waiting);
    let at = 0;
    for (; all.length - at >= PART_BYTES; at += PART_BYTES) yield all.subarray(at, at + PART_BYTES);
    isEmpty = false;
    waiting = [all.subarray(at)];
    length = all.length - at;
  }
  if (length > 0 || isEmpty) yield Buffer.concat(waiting);
}

/**
 * Asks for the length of an object that was written. A store, or a proxy before it, may answer 200
 * and have nothing of it, or less: what is accepted must be stored (invariant 1).
 */
const createCheck = (sdk: Sdk, client: S3Client, Bucket: string, asked: Ask) => async (Key: string, length: number) => {
  const { ContentLength } = await asked(
    (until) => client.send(new sdk.HeadObjectCommand({ Bucket, Key }), until),
    'look',
  );
  if (ContentLength !== length)
    throw new ObjectStoreDown(`object store: ${ContentLength} of ${length} bytes are there`);
};

/** Ends uploads of several parts that are not completed. */
const createAborts = (sdk: Sdk, client: S3Client, Bucket: string, asked: Ask) => {
  const abort = (Key: string, UploadId: string | undefined): Promise<unknown> =>
    asked((until) => client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }), until), 'abort');

  /** Ends uploads that a crash interrupted: they are no objects, and would stay for ever. */
  const abortLeft = async (Key: string): Promise<void> => {
    const { Uploads = [] } = await asked(
      (until) => client.send(new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: Key }), until),
      'list uploads',
    );
    for (const upload of Uploads.filter((each) => each.Key === Key)) await abort(Key, upload.UploadId);
  };

  return { abort, abortLeft };
};
type Aborts = ReturnType<typeof createAborts>;

const createWriter = (sdk: Sdk, client: S3Client, Bucket: string, asked: Ask, { abort }: Aborts) => {
  const check = createCheck(sdk, client, Bucket, asked);

  const inParts = async (Key: string, parts: AsyncIterable<Buffer>): Promise<void> => {
    const { UploadId } = await asked(
      (until) => client.send(new sdk.CreateMultipartUploadCommand({ Bucket, Key }), until),
      'begin',
    );
    const onTheirWay = new Set<Promise<unknown>>();
    let length = 0;
    const send = async (Body: Buffer, index: number): Promise<CompletedPart> => {
      const PartNumber = index + 1;
      length += Body.length;
      const sent = asked(
        (until) => client.send(new sdk.UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }), until),
        'write',
      );
      onTheirWay.add(sent);
      const { ETag } = await sent.finally(() => onTheirWay.delete(sent));
      return { ETag, PartNumber };
    };
    try {
      const Parts = await pMap(parts, send, { concurrency: AT_ONCE });
      const complete = { Bucket, Key, UploadId, MultipartUpload: { Parts } };
      await asked((until) => client.send(new sdk.CompleteMultipartUploadCommand(complete), until), 'complete');
      await check(Key, length);
    } catch (error) {
      // A part that arrives after the end of its upload would stay.
      await Promise.allSettled(onTheirWay);
      await abort(Key, UploadId).catch(() => undefined);
      throw error;
    }
  };

  /** Most blobs are one part, and take two requests. */
  const write = async (Key: string, bytes: AsyncIterable<Buffer>): Promise<void> => {
    const parts = partsOf(bytes);
    const first = await parts.next();
    const second = await parts.next();
    if (second.done) {
      const Body = first.value ?? Buffer.alloc(0);
      await asked((until) => client.send(new sdk.PutObjectCommand({ Bucket, Key, Body }), until), 'write');
      return check(Key, Body.length);
    }
    const all = async function* (): AsyncGenerator<Buffer> {
      yield first.value as Buffer;
      yield second.value;
      yield* parts;
    };
    await inParts(Key, all());
  };

  return write;
};

const createObjectBlobs = (sdk: Sdk, config: ObjectStoreConfig, former: Former): Blobs & Closable => {
  const { bucket: Bucket, region, endpoint, accessKey, secretKey, callMs = CALL_MS } = config;
  const client = new sdk.S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(accessKey && secretKey && { credentials: { accessKeyId: accessKey, secretAccessKey: secretKey } }),
    // Not every store knows the newer checksums; SHA-256 of each body is signed in any case.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: ANSWER_MS,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
    },
  });
  const asked = askWithin(callMs);
  const aborts = createAborts(sdk, client, Bucket, asked);
  const write = createWriter(sdk, client, Bucket, asked, aborts);

  async function* bytesOf(Key: string): AsyncGenerator<Buffer> {
    const found = await asked(
      (until) => orAbsent(sdk, client.send(new sdk.GetObjectCommand({ Bucket, Key }), until)),
      'read',
    );
    yield* found === undefined ? former.read(Key) : (found.Body as Readable);
  }

  return {
    write,
    read: (id) => Readable.from(bytesOf(id), { objectMode: false }),
    remove: async (ids) => {
      for (const id of ids) await aborts.abortLeft(id);
      for (let at = 0; at < ids.length; at += MOST_DELETED) {
        const Objects = ids.slice(at, at + MOST_DELETED).map((Key) => ({ Key }));
        const { Errors = [] } = await asked(
          (until) => client.send(new sdk.DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }), until),
          'delete',
        );
        if (Errors.length > 0)
          throw new ObjectStoreDown(`object store: ${Errors.length} not deleted: ${Errors[0]?.Code}`);
      }
      await former.remove(ids);
    },
    close: async () => client.destroy(),
  };
};

/**
 * Blobs as objects of an S3-compatible store, under their ids. A blob of several parts appears when
 * its last part is complete. Everything is sealed before it is written: the store sees neither
 * contents nor names. The client is loaded here, only if a store is configured.
 */
export const openObjectStore = async (config: ObjectStoreConfig): Promise<(former: Former) => Blobs & Closable> => {
  const sdk = await import('@aws-sdk/client-s3');
  return (former) => createObjectBlobs(sdk, config, former);
};
