import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { ApiError, boundaryIn, type FormParser, formParser, formTypeOf, malformedForm } from '@assay/http';

export interface MultipartLimits {
  /** Bytes of the whole body. */
  totalBytes: number;
  /** Parts of any name. */
  parts: number;
}

/**
 * Handles one part; the parser continues once the bytes were consumed. A rejection refuses the
 * whole request.
 */
export type TakePart = (name: string, bytes: Readable) => Promise<void>;

const HEADER_BYTES = 16 * 1024;
const HEADER_LINES = 64;
/**
 * The most bytes that are discarded, so that a sender that reads only after it wrote sees the
 * refusal.
 */
const DRAIN_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 10_000;
const DRAIN_IDLE_MS = 500;
/** The reason given to a sender whose bytes are not read any more. */
const HANG_UP = { Connection: 'close' };

/**
 * Discards the rest of a refused request, within limits, so that the reply reaches a sender that
 * reads only after it wrote.
 */
export const drain = (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    if (request.readableEnded || request.destroyed) return resolve();
    let left = DRAIN_BYTES;
    const done = (): void => {
      clearTimeout(timer);
      clearTimeout(idle);
      request.pause();
      resolve();
    };
    const timer = setTimeout(done, DRAIN_MS);
    const idle = setTimeout(done, DRAIN_IDLE_MS);
    request.on('data', (chunk: Buffer) => {
      idle.refresh();
      left -= chunk.length;
      if (left < 0) done();
    });
    request.once('end', done);
    request.once('close', done);
    request.resume();
  });

/** A promise and the two ways to settle it. */
const deferred = () => {
  let resolve = (): void => undefined;
  let reject = (_error: unknown): void => undefined;
  const promise = new Promise<void>((resolvePromise, rejectPromise) => {
    resolve = resolvePromise;
    reject = rejectPromise;
  });
  return { promise, resolve, reject };
};

/**
 * Discards the bytes after the closing delimiter. A message without its end was cut off: nothing of
 * it is accepted.
 */
const messageEnd = (request: IncomingMessage, parser: FormParser): Promise<void> =>
  new Promise((resolve) => {
    if (request.complete) return resolve();
    request.once('end', resolve);
    request.unpipe(parser);
    request.resume();
  });

/** Watches the sender: whether it sends too much, or disconnects before the end. */
const watchSender = (request: IncomingMessage, { totalBytes }: MultipartLimits, refuse: (error: ApiError) => void) => {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > totalBytes) refuse(new ApiError('BODY_TOO_LARGE', { headers: HANG_UP }));
  });
  request.once('close', () => {
    if (!request.complete) refuse(malformedForm());
  });
};

/**
 * Reads a multipart body part by part, in the order sent, without storing it. Rejects with an
 * ApiError if the body is malformed, incomplete or too large, and with the first refusal of
 * `takePart`; the rest of the request was discarded then.
 */
export const readMultipart = async (
  request: IncomingMessage,
  limits: MultipartLimits,
  takePart: TakePart,
): Promise<void> => {
  const boundary = boundaryIn(formTypeOf(request)) ?? '';
  const taken: Promise<void>[] = [];
  const open = new Set<Readable>();
  const { promise: parsed, resolve } = deferred();
  const { promise: refused, reject } = deferred();
  let refusing = false;
  const parser = formParser({
    boundary,
    limits: { files: limits.parts, parts: limits.parts, headerPairs: HEADER_LINES, headerSize: HEADER_BYTES },
    onPart: (name, stream) => {
      if (refusing) return void stream.resume();
      stream.on('error', () => reject(malformedForm()));
      stream.on('end', () => open.delete(stream));
      open.add(stream);
      const part = takePart(name, stream);
      part.catch(reject);
      taken.push(part);
    },
  });
  watchSender(request, limits, reject);

  let isEmpty = true;
  request.once('data', () => {
    isEmpty = false;
  });
  for (const event of ['partsLimit', 'filesLimit']) parser.on(event, () => reject(malformedForm()));
  // A body without a byte is a form without parts: what it lacks is said, not that it is malformed.
  parser.on('error', () => (isEmpty && request.complete ? resolve() : reject(malformedForm())));
  parser.on('finish', resolve);
  request.pipe(parser);

  const refuse = async (error: unknown): Promise<never> => {
    refusing = true;
    request.unpipe(parser);
    for (const stream of open) stream.destroy(new Error('the request was refused'));
    await drain(request);
    await Promise.allSettled(taken);
    throw error;
  };
  const whole = parsed.then(() => Promise.all([...taken, messageEnd(request, parser)]));
  await Promise.race([refused, whole]).catch(refuse);
};
