import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';

/*
 * Bytes of any length with flat memory: a random prefix of 16 bytes, then segments of 64 KiB, each sealed with AES-256-GCM. A segment's nonce is
 * its number and whether it is the last, so that a segment moved, repeated, left out or cut off does not open. The key of a stream is derived
 * from the identity's key, the prefix and the context: a nonce never meets the same key twice.
 */
const SEGMENT = 64 * 1024;
const PREFIX = 16;
const TAG = 16;

const streamKey = (key: Buffer, prefix: Buffer, context: string): Buffer =>
  createHmac('sha256', key).update(prefix).update(context).digest();

const nonceOf = (segment: number, last: boolean): Buffer => {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt8(last ? 1 : 0, 0);
  nonce.writeUIntBE(segment, 6, 6);
  return nonce;
};

/** Collects chunks and hands out blocks of `size`, keeping at least one byte back: only the end tells which block is the last. */
const createBlocks = (size: number) => {
  let waiting: Buffer[] = [];
  let length = 0;
  return {
    push(chunk: Buffer): void {
      waiting.push(chunk);
      length += chunk.length;
    },
    *full(): Generator<Buffer> {
      while (length > size) {
        const all = Buffer.concat(waiting);
        let at = 0;
        for (; all.length - at > size; at += size) yield all.subarray(at, at + size);
        waiting = [all.subarray(at)];
        length = all.length - at;
      }
    },
    rest: (): Buffer => Buffer.concat(waiting),
  };
};

/** Seals a stream; read it back with `openStream`. Adds 16 bytes, and 16 for every 64 KiB. */
export const sealStream = (key: Buffer, context: string): Transform => {
  const prefix = randomBytes(PREFIX);
  const own = streamKey(key, prefix, context);
  const blocks = createBlocks(SEGMENT);
  let segment = 0;
  const sealed = (plain: Buffer, last: boolean): Buffer => {
    const cipher = createCipheriv('aes-256-gcm', own, nonceOf(segment++, last));
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  };
  let begun = false;
  const begin = (stream: Transform): void => {
    if (!begun) stream.push(prefix);
    begun = true;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      begin(this);
      blocks.push(chunk);
      for (const block of blocks.full()) this.push(sealed(block, false));
      done();
    },
    flush(done: TransformCallback) {
      begin(this);
      done(null, sealed(blocks.rest(), true));
    },
  });
};

/** Opens a sealed stream. Errors with `sealed stream does not open` when it was altered or cut off: never trust what came before. */
export const openStream = (key: Buffer, context: string): Transform => {
  const blocks = createBlocks(SEGMENT + TAG);
  let own: Buffer | undefined;
  let head = Buffer.alloc(0);
  let segment = 0;
  const opened = (bytes: Buffer, last: boolean): Buffer => {
    if (!own || bytes.length < TAG) throw new Error('sealed stream does not open');
    const decipher = createDecipheriv('aes-256-gcm', own, nonceOf(segment++, last)).setAuthTag(bytes.subarray(-TAG));
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG)), decipher.final()]);
  };
  const attempt = (done: TransformCallback, work: () => void): void => {
    try {
      work();
    } catch {
      done(new Error('sealed stream does not open'));
      return;
    }
    done();
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      attempt(done, () => {
        let bytes = chunk;
        if (!own) {
          head = Buffer.concat([head, chunk]);
          if (head.length < PREFIX) return;
          own = streamKey(key, head.subarray(0, PREFIX), context);
          bytes = head.subarray(PREFIX);
        }
        blocks.push(bytes);
        for (const block of blocks.full()) this.push(opened(block, false));
      });
    },
    flush(done: TransformCallback) {
      attempt(done, () => {
        this.push(opened(blocks.rest(), true));
      });
    },
  });
};
