import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Nobody sends so many requests on one connection before the first is answered. */
const MOST_IN_LINE = 32;

/**
 * Node tells a response that its connection closed only when it is its turn. The others hear it
 * here: what was taken for them is given back.
 */
const closeAll = (line: ReadonlySet<ServerResponse>): void => {
  for (const response of line) Object.assign(response, { destroyed: true, _closed: true }).emit('close');
};

/**
 * Cuts a connection on which too many requests wait in line, and closes all that waited when it
 * ends. Node reads as many as 64 KB hold, 1500 or more, and begins all of them at once: each took
 * 20 KB until its turn came.
 */
export const inLine = (handle: RequestListener, most = MOST_IN_LINE): RequestListener => {
  const lines = new WeakMap<Socket, Set<ServerResponse>>();
  const lineOf = (socket: Socket): Set<ServerResponse> => {
    const known = lines.get(socket);
    if (known) return known;
    const line = new Set<ServerResponse>();
    lines.set(socket, line);
    // Node's own part comes first.
    socket.once('close', () => setImmediate(closeAll, line));
    return line;
  };
  return (request, response) => {
    const { socket } = request;
    const line = lineOf(socket);
    // What else was read with it is begun no more.
    if (line.size >= most) socket.destroy();
    if (socket.destroyed) return;
    line.add(response);
    response.once('close', () => line.delete(response));
    handle(request, response);
  };
};
