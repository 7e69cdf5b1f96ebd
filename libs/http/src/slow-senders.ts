import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/**
 * The slowest accepted sender: one that sends fewer bytes in this time, in milliseconds, is cut
 * off.
 */
export interface SlowestSender {
  bytes: number;
  inMs: number;
}

export const SLOWEST_SENDER: SlowestSender = { bytes: 10 * 1024, inMs: 10_000 };

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** While there are bytes left to read, or nobody reads, the sender is not the slow one. */
const waitsForSender = ({ complete, readableLength, readableFlowing }: IncomingMessage): boolean =>
  !complete && readableLength === 0 && readableFlowing !== false;

/**
 * Answers a body that falls silent or trickles in with REQUEST_TIMEOUT and cuts its connection,
 * whoever reads it. It is for this side of a connection to see: what passes a body on may hold some
 * of it back. `server` answers what its `clientError` reports (`answerUnparsed`).
 */
export const hangUpOnSlowSenders = (server: Server, { bytes, inMs }: SlowestSender): void => {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    const { socket } = request;
    let seen = socket.bytesRead;
    const look = (): void => {
      const { bytesRead } = socket;
      const isSlow = bytesRead - seen < bytes && waitsForSender(request);
      seen = bytesRead;
      if (!isSlow) return;
      // What was answered already is not answered again.
      if (response.writableEnded) return void socket.destroy();
      const late = Object.assign(new Error('the body is sent too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      server.emit('clientError', late, socket);
    };
    // Bytes that arrived while this process was busy are read first.
    const looking = setInterval(() => setImmediate(look), inMs).unref();
    for (const event of ['end', 'close']) request.once(event, () => clearInterval(looking));
  });
};
