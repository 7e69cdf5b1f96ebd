import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Nobody sends so many requests on one connection before the first is answered. */
const MOST_IN_LINE = 32;

/**
 * Cuts a connection on which too many requests wait in line. Node reads as many as 64 KB hold, 1500
 * or more, and begins all of them at once: each took 20 KB until its turn came.
 */
export const inLine = (handle: RequestListener, most = MOST_IN_LINE): RequestListener => {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    const before = waiting.get(socket) ?? 0;
    // What else was read with it is begun no more.
    if (before >= most) socket.destroy();
    if (socket.destroyed) return;
    waiting.set(socket, before + 1);
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    handle(request, response);
  };
};
