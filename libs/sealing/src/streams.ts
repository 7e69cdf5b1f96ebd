import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';

/*
 * Bytes of any length with flat memory: a random prefix of 16 bytes, then segments of 64 KiB, each
 * sealed with AES-256-GCM. A segment's nonce is its number and whether it is the last, so that a
 * segment moved, repeated, left out or cut off does not open. The key of a stream is derived from
 * the identity's key, the prefix and the context: a nonce never meets the same key twice.
 */
const SEGMENT = 64 * 1024;
const PREFIX = 16;
const TAG = 16;
const notOpened = (): Error => Object.assign(new Error('sealed stream does not open'), { name: 'SealedStreamAltered' });

/**
 * True for the error of a sealed stream that was altered, cut off, or sealed for another purpose.
 */
export const isSealedStreamAltered = (error: unknown): boolean =>
  error instanceof Error && error.name === 'SealedStreamAltered';

/**
 * Bytes a stream holds before it has its source wait: a few segments, so that the two work side by
 * side.
 */
const BUFFERED = 4 * SEGMENT;

const streamKey = (key: Buffer, prefix: Buffer, context: string): Buffer =>
  createHmac('sha256', key).update(prefix).update(context).digest();

const nonceOf = (segment: number, last: boolean): Buffer => {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt8(last ? 1 : 0, 0);
  nonce.writeUIntBE(segment, 6, 6);
  return nonce;
};

/**
 * Collects chunks and hands out blocks of `size`, keeping at least one byte back: only the end
 * tells which block is the last. Copies only blocks that lie across chunks.
 */
const createBlocks = (size: number) => {
  const waiting: Buffer[] = [];
  let length = 0;
  return {
    push(chunk: Buffer): void {
      waiting.push(chunk);
      length += chunk.length;
    },
    *full(): Generator<Buffer> {
      while (length > size) {
        const pieces: Buffer[] = [];
        for (let missing = size; missing > 0; ) {
          const piece = waiting[0]!;
          pieces.push(piece.subarray(0, missing));
          if (piece.length > missing) waiting[0] = piece.subarray(missing);
          else waiting.shift();
          missing -= Math.min(missing, piece.length);
        }
        length -= size;
        yield pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, size);
      }
    },
    rest: (): Buffer => Buffer.concat(waiting),
  };
};

/** Seals one segment after the other. */
const createSealer = (key: Buffer, prefix: Buffer, context: string) => {
  const own = streamKey(key, prefix, context);
  let segment = 0;
  return (plain: Buffer, last: boolean): Buffer[] => {
    const cipher = createCipheriv('aes-256-gcm', own, nonceOf(segment++, last));
    // GCM gives every byte back at once: nothing comes with the end but the tag.
    const sealed = cipher.update(plain);
    cipher.final();
    return [sealed, cipher.getAuthTag()];
  };
};

/** Seals bytes that are there already as `sealStream` seals them: `openStream` reads them back. */
export const sealBytes = (key: Buffer, context: string, bytes: Buffer): Buffer => {
  const prefix = randomBytes(PREFIX);
  const sealSegment = createSealer(key, prefix, context);
  const blocks = createBlocks(SEGMENT);
  blocks.push(bytes);
  const full = [...blocks.full()].flatMap((block) => sealSegment(block, false));
  return Buffer.concat([prefix, ...full, ...sealSegment(blocks.rest(), true)]);
};

/** Seals a stream; read it back with `openStream`. Adds 16 bytes, and 16 for every 64 KiB. */
export const sealStream = (key: Buffer, context: string): Transform => {
  const prefix = randomBytes(PREFIX);
  const sealSegment = createSealer(key, prefix, context);
  const blocks = createBlocks(SEGMENT);
  const pushSealed = (stream: Transform, plain: Buffer, last: boolean): void => {
    for (const bytes of sealSegment(plain, last)) stream.push(bytes);
  };
  let begun = false;
  const begin = (stream: Transform): void => {
    if (!begun) stream.push(prefix);
    begun = true;
  };
  return new Transform({
    highWaterMark: BUFFERED,
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      begin(this);
      blocks.push(chunk);
      for (const block of blocks.full()) pushSealed(this, block, false);
      done();
    },
    flush(done: TransformCallback) {
      begin(this);
      pushSealed(this, blocks.rest(), true);
      done();
    },
  });
};

/** Opens one segment after the other. */
const createOpener = (key: Buffer, prefix: Buffer, context: string) => {
  const own = streamKey(key, prefix, context);
  let segment = 0;
  return (bytes: Buffer, last: boolean): Buffer => {
    if (bytes.length < TAG) throw notOpened();
    const decipher = createDecipheriv('aes-256-gcm', own, nonceOf(segment++, last)).setAuthTag(bytes.subarray(-TAG));
    const plain = decipher.update(bytes.subarray(0, -TAG));
    // Throws if the tag is wrong: no byte of the segment is passed on before.
    decipher.final();
    return plain;
  };
};

/** Opens what `sealBytes` or `sealStream` made. Throws when it was altered or cut off. */
export const openBytes = (key: Buffer, context: string, sealed: Buffer): Buffer => {
  if (sealed.length < PREFIX) throw notOpened();
  const openSegment = createOpener(key, sealed.subarray(0, PREFIX), context);
  const blocks = createBlocks(SEGMENT + TAG);
  blocks.push(sealed.subarray(PREFIX));
  const full = [...blocks.full()].map((block) => openSegment(block, false));
  return Buffer.concat([...full, openSegment(blocks.rest(), true)]);
};

/**
 * Opens a sealed stream. Fails with `sealed stream does not open` if it was altered or cut off:
 * what came before must not be trusted.
 */
export const openStream = (key: Buffer, context: string): Transform => {
  const blocks = createBlocks(SEGMENT + TAG);
  let openSegment: ReturnType<typeof createOpener> | undefined;
  let head = Buffer.alloc(0);
  const attempt = (done: TransformCallback, work: () => void): void => {
    try {
      work();
    } catch {
      done(notOpened());
      return;
    }
    done();
  };
  return new Transform({
    highWaterMark: BUFFERED,
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      attempt(done, () => {
        let bytes = chunk;
        if (!openSegment) {
          head = Buffer.concat([head, chunk]);
          if (head.length < PREFIX) return;
          openSegment = createOpener(key, head.subarray(0, PREFIX), context);
          bytes = head.subarray(PREFIX);
        }
        blocks.push(bytes);
        for (const block of blocks.full()) this.push(openSegment(block, false));
      });
    },
    flush(done: TransformCallback) {
      attempt(done, () => {
        if (!openSegment) throw notOpened();
        this.push(openSegment(blocks.rest(), true));
      });
    },
  });
};
