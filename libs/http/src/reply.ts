import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';

/** The answer of a route: JSON, or bytes from a stream. */
export interface Reply {
  status: number;
  body?: unknown;
  stream?: Readable;
  headers?: Record<string, string>;
  /** Called once the client has accepted the last byte; not when it went away before. */
  onSent?: () => Promise<void>;
}

/**
 * As `response.json`, which answers 304 to `If-None-Match: *`: no reply of JSON has a validator, so
 * a client that asks gets it whole.
 */
const sendJson = (response: Response, body: unknown): void => {
  const bytes = Buffer.from(JSON.stringify(body));
  const [type = ''] = (response.get('content-type') ?? 'application/json').split(';');
  response.setHeader('content-type', `${type}; charset=utf-8`);
  response.set('content-length', String(bytes.length)).end(bytes);
};

const send = async (response: Response, reply: Reply): Promise<void> => {
  response.status(reply.status).set(reply.headers ?? {});
  if (reply.stream && response.req.method === 'HEAD') {
    reply.stream.destroy();
    response.end();
    return;
  }
  if (reply.stream) {
    const sent = await pipeline(reply.stream, response).then(
      () => true,
      // If the client disconnects or the source fails, the connection is cut, so that half a body
      // is never taken for a whole one.
      () => {
        response.destroy();
        return false;
      },
    );
    if (sent) await reply.onSent?.();
    return;
  }
  if (reply.body === undefined) response.end();
  else sendJson(response, reply.body);
  await reply.onSent?.();
};

/**
 * Wraps a route: it returns what to answer and never touches the response, so it cannot forget to
 * answer or to pass on an error.
 */
export const reply =
  (handle: (request: Request, response: Response) => Promise<Reply> | Reply): RequestHandler =>
  (request, response, next) => {
    Promise.resolve()
      .then(() => handle(request, response))
      .then((answer) => send(response, answer))
      .catch(next);
  };

/** 200 with a JSON body. */
export const ok = (body: unknown, headers: Record<string, string> = {}): Reply => ({ status: 200, body, headers });
