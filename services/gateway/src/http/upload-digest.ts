import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { finished, type Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError, boundaryIn, type FormParser, formParser, malformedForm, passThrough } from '@assay/http';

export interface ReadAlong {
  /** The body, as it passes. */
  stream: Readable;
  /**
   * A keyed digest of its parts, once it has passed: the same for the same parts, whatever the
   * boundary.
   */
  digest: () => string;
  /** Whether the body was a whole form. */
  isWhole: () => boolean;
}

const MOST_PARTS = 50;

const collect = (boundary: string, digests: string[]): FormParser =>
  formParser({
    boundary,
    limits: { parts: MOST_PARTS },
    onPart: (name, bytes) => {
      const hash = createHash('sha256').update(`${name}\n`);
      const place = digests.push('') - 1;
      bytes.on('data', (chunk: Buffer) => hash.update(chunk));
      bytes.on('end', () => {
        digests[place] = hash.digest('hex');
      });
    },
  });

/**
 * Lets an upload pass and takes a digest of its parts on the way; nothing of it is held. What is no
 * form is refused by whoever takes it in.
 */
export const readAlong = (request: IncomingMessage, secret: Buffer): ReadAlong => {
  const digests: string[] = [];
  const parser = collect(boundaryIn(request.headers['content-type'] ?? '') ?? '', digests);
  let whole = false;
  const tee = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (parser.writable) parser.write(chunk);
      done(null, chunk);
    },
    flush(done) {
      finished(parser, { readable: false }, (error) => {
        whole = !error;
        done();
      });
      if (parser.writable) parser.end();
    },
  });
  return {
    stream: passThrough(request, tee),
    digest: () => createHmac('sha256', secret).update(JSON.stringify(digests)).digest('hex'),
    isWhole: () => whole,
  };
};

/** Takes bytes and keeps none; more than the limit are refused at the limit. */
const discarding = (limit: number): Writable => {
  let bytes = 0;
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      done(bytes > limit ? new ApiError('BODY_TOO_LARGE') : undefined);
    },
  });
};

/** Reads an upload to its end, or up to a limit in bytes, for its digest alone. */
export const digestOf = async (request: IncomingMessage, secret: Buffer, limit: number): Promise<string> => {
  const { stream, digest, isWhole } = readAlong(request, secret);
  await pipeline(stream, discarding(limit));
  if (!isWhole()) throw malformedForm();
  return digest();
};
