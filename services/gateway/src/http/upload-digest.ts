import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';

export interface ReadAlong {
  /** The body, as it passes. */
  stream: Readable;
  /** A keyed digest of its parts, once it has passed: the same for the same parts, whatever the boundary. */
  digest: () => string;
}

const collect = (contentType: string, digests: string[]): Writable => {
  const parser = new Busboy({
    headers: { 'content-type': contentType },
    isPartAFile: () => true,
    limits: { parts: 50 },
  });
  parser.on('file', (name, stream) => {
    const hash = createHash('sha256').update(`${name}\n`);
    const place = digests.push('') - 1;
    stream.on('data', (chunk: Buffer) => hash.update(chunk));
    stream.on('end', () => {
      digests[place] = hash.digest('hex');
    });
  });
  // What is no form is refused by whoever takes it in; here it only has no parts.
  parser.on('error', () => undefined);
  return parser;
};

/** Lets an upload pass and takes a digest of its parts on the way; nothing of it is held. */
export const readAlong = (request: IncomingMessage, secret: Buffer): ReadAlong => {
  const digests: string[] = [];
  const parser = collect(request.headers['content-type'] ?? '', digests);
  const tee = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (!parser.destroyed) parser.write(chunk);
      done(null, chunk);
    },
    flush(done) {
      if (parser.destroyed) return done();
      parser.once('close', () => done());
      parser.end(() => done());
    },
  });
  request.on('error', (error) => tee.destroy(error));
  request.on('aborted', () => tee.destroy(new Error('the client went away')));
  return {
    stream: request.pipe(tee),
    digest: () => createHmac('sha256', secret).update(JSON.stringify(digests)).digest('hex'),
  };
};

/** Reads an upload to its end for its digest alone. */
export const digestOf = async (request: IncomingMessage, secret: Buffer): Promise<string> => {
  const { stream, digest } = readAlong(request, secret);
  await pipeline(stream, new Writable({ write: (_chunk, _encoding, done) => done() }));
  return digest();
};
