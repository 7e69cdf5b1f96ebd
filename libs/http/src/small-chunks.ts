import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/**
 * How small the chunks of a body may be: beyond the first `most`, they have so many bytes on
 * average.
 */
export interface ChunkLimits {
  most: number;
  bytes: number;
}

/** A client that writes each token of its JSON by itself stays below. */
export const CHUNK_LIMITS: ChunkLimits = { most: 4096, bytes: 32 };

/** A chunk of fewer bytes is small, and waits for those behind it. */
const SMALL_BYTES = 1024;
const JOINED_BYTES = 16 * 1024;

/**
 * Has a body give the small chunks that were read at once as one piece. Each chunk is a buffer of
 * its own, which takes 150 bytes of memory and more, however few are in it.
 */
const joinSmall = (request: IncomingMessage): void => {
  const push = request.push.bind(request);
  let waiting: Buffer[] = [];
  let bytes = 0;
  const hasRoom = (): boolean => request.readableLength + bytes < request.readableHighWaterMark;
  const give = (): boolean => {
    const joined = Buffer.concat(waiting, bytes);
    waiting = [];
    bytes = 0;
    return joined.length === 0 || request.destroyed || push(joined);
  };
  request.push = (chunk: Buffer | null): boolean => {
    if (chunk === null || chunk.length >= SMALL_BYTES) {
      give();
      return push(chunk);
    }
    // All that was read with it is parsed before.
    if (bytes === 0) setImmediate(give);
    waiting.push(chunk);
    bytes += chunk.length;
    return bytes < JOINED_BYTES ? hasRoom() : give();
  };
};

/** Calls back once a body has too many small chunks. It gives nothing from then on. */
const countChunks = (request: IncomingMessage, limits: ChunkLimits, refuse: () => void): void => {
  const push = request.push.bind(request);
  let chunks = 0;
  let bytes = 0;
  let isRefused = false;
  request.push = (chunk: Buffer | null): boolean => {
    if (chunk === null) return push(null);
    chunks += 1;
    bytes += chunk.length;
    const tooSmall = chunks > limits.most && bytes < chunks * limits.bytes;
    if (tooSmall && !isRefused) {
      isRefused = true;
      refuse();
    }
    return !isRefused && push(chunk);
  };
};

/**
 * Joins the small chunks of bodies, and cuts off a body that has too many: a thousand bytes in as
 * many chunks cost what a megabyte costs otherwise. `server` answers what its `clientError` reports
 * (`answerUnparsed`).
 */
export const boundSmallChunks = (server: Server, limits: ChunkLimits): void => {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers['transfer-encoding'] === undefined) return;
    joinSmall(request);
    countChunks(request, limits, () => {
      // What was answered already is not answered again.
      if (response.writableEnded) return void request.socket.destroy();
      const tiny = Object.assign(new Error('the chunks are too small'), { code: 'ERR_SMALL_CHUNKS' });
      server.emit('clientError', tiny, request.socket);
    });
  });
};
