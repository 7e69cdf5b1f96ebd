import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { newId } from '@assay/runtime';
import { ApiError, problemOf } from './errors.ts';
import { guarded } from './streams.ts';

/** The refusal for an error of Node's parser. */
const refusalOf = (code: string | undefined): ApiError => {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('REQUEST_TIMEOUT');
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('BAD_FIELD', { status: 431, message: 'the path and the headers are too long' });
    case 'ERR_SMALL_CHUNKS':
      return new ApiError('BAD_FIELD', { message: 'the body is sent in too many small chunks' });
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiError('BODY_TOO_LARGE');
    default:
      return new ApiError('BAD_FIELD', { message: 'the request is not valid HTTP' });
  }
};

const answerOf = (refusal: ApiError): string => {
  const body = JSON.stringify(problemOf(refusal, newId()));
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'Connection: close',
    'Content-Type: application/problem+json',
    'Cache-Control: no-store',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(refusal.headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
};

/**
 * Answers what the parser refuses before there is a request, with a body as every other refusal
 * has one: bytes that are no HTTP, headers without end, a request that never arrives whole. So is
 * CONNECT answered: without a listener Node ends the connection without a word.
 */
export const answerUnparsed = (server: Server): void => {
  const latest = new WeakMap<Duplex, ServerResponse>();
  server.on('request', ({ socket }, response) => latest.set(socket, response));
  server.on('connect', (_request, socket) => {
    const refusal = new ApiError('METHOD_NOT_ALLOWED', { headers: { Allow: '' } });
    guarded(socket).end(answerOf(refusal), () => socket.destroy());
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const reply = latest.get(socket);
    // If a reply has begun, another one would be read as its content.
    const isReplying = reply?.headersSent && !reply.writableFinished;
    if (!socket.writable || error.code === 'ECONNRESET' || isReplying) return void socket.destroy(error);
    socket.end(answerOf(refusalOf(error.code)), () => socket.destroy());
  });
};
