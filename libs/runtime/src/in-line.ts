import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** More requests on one connection before the first answer than any real client sends. */
const MOST_IN_LINE = 32;

/**
 * Node reports a closed connection only to the response whose turn it is. The other responses are
 * notified here, so that their resources are released.
 */
const closeAll = (line: ReadonlySet<ServerResponse>): void => {
  for (const response of line) Object.assign(response, { destroyed: true, _closed: true }).emit('close');
};

/**
 * Cuts a connection on which too many requests wait in line, and closes all that waited when it
 * ends. Node reads as many as 64 KB hold, 1500 or more, and begins all of them at once: each took
 * 20 KB until its turn came.
 */
export const inLine = (handle: RequestListener): RequestListener => {
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
    // Further requests that were read with it do not begin.
    if (line.size >= MOST_IN_LINE) socket.destroy();
    if (socket.destroyed) return;
    line.add(response);
    response.once('close', () => line.delete(response));
    handle(request, response);
  };
};
