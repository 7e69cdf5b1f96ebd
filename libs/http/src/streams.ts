import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable, Stream, Transform } from 'node:stream';
import { present } from '@assay/contracts';
import { Busboy, type BusboyConfig, type BusboyFileStream } from '@fastify/busboy';
import { formTypeWith } from './content-type.ts';
import { ApiError } from './errors.ts';
import { paddingRemover } from './padding.ts';

/** The refusal of a form that is cut off or malformed. */
export const malformedForm = (): ApiError =>
  new ApiError('BAD_FIELD', { message: 'the multipart body is malformed or ends early' });

/**
 * Gives a stream an error listener. Node ends the process at an error without one, and a stream may
 * break before its reader is there. Whoever reads the stream later gets the error all the same.
 */
export const guarded = <S extends Stream>(stream: S): S => stream.on('error', () => undefined);

/**
 * Pipes a request through a stage. If the sender disconnects, the stage fails; if the stage fails,
 * the request stays readable, so that a refusal can still be answered (`stream.pipeline` would cut
 * the connection).
 */
export const passThrough = <T extends Transform>(request: IncomingMessage, stage: T): T => {
  guarded(stage).once('error', () => request.unpipe(stage));
  request.on('error', () => stage.destroy(malformedForm()));
  request.once('close', () => {
    if (!request.complete) stage.destroy(malformedForm());
  });
  if (request.destroyed) stage.destroy(malformedForm());
  return request.pipe(stage);
};

/**
 * Ends the connection of a reply of which nothing comes for so long, in milliseconds: it can die
 * without a word. A reader that takes its time does not: what it left to be read is there.
 */
export const endedWhenSilent = <S extends Readable>(reply: S, socket: Socket, ms: number): S => {
  let seen = socket.bytesRead;
  const look = (): void => {
    const { bytesRead } = socket;
    const isAwaited = reply.readableFlowing !== null && reply.readableLength === 0;
    if (bytesRead === seen && isAwaited) socket.destroy();
    seen = bytesRead;
  };
  const looking = setInterval(look, ms).unref();
  return reply.once('close', () => clearInterval(looking));
};

export interface FormParserOptions {
  boundary: string;
  limits: BusboyConfig['limits'];
  /**
   * Takes one part. Every part is taken as bytes: clients leave out the filename, and a field's
   * text would be decoded already.
   */
  onPart: (name: string, bytes: BusboyFileStream) => void;
}

export type FormParser = InstanceType<typeof Busboy>;

/**
 * Bytes that a part holds before its sender has to wait. The library skips a part without a name.
 * If such a part is full when it ends, the library waits without end. So this is more than may come
 * in one go: one read of a socket, and what a request held while it was paused.
 */
const PART_BYTES = 256 * 1024;

/**
 * The one way to a parser of forms: neither it nor any of its parts is ever without an error
 * listener.
 */
export const formParser = ({ boundary, limits, onPart }: FormParserOptions): FormParser => {
  const parser = guarded(
    new Busboy({
      // Of our own writing: the library would read the client's in its own way, and throw.
      headers: { 'content-type': formTypeWith(boundary) },
      isPartAFile: () => true,
      fileHwm: PART_BYTES,
      ...present({ limits }),
    }),
  );
  // By the hook that a Writable has for this: whoever pipes into the parser needs no further stage,
  // and its bytes pass no further stream.
  const write = parser._write.bind(parser);
  const withoutPadding = paddingRemover(boundary);
  parser._write = (chunk: Buffer, encoding, done) => {
    const rest = withoutPadding(chunk);
    if (rest.length === 0) done();
    else write(rest, encoding, done);
  };
  parser.on('file', (name: string | undefined, stream: BusboyFileStream) => onPart(name ?? '', guarded(stream)));
  return parser;
};
