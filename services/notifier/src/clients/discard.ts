import type { Readable } from 'node:stream';

const MOST_OF_A_REPLY = 64 * 1024;
/** Pieces of it: each chunk is one, and 64 KB in chunks of a byte cost fifty times the delivery. */
const MOST_PIECES = 256;

/** Reads the start of the reply and discards the rest: only its status matters. */
export const discard = (reply: Readable): Promise<void> =>
  new Promise((resolveRead) => {
    let read = 0;
    let pieces = 0;
    reply.on('data', (chunk: Buffer) => {
      read += chunk.length;
      pieces += 1;
      if (read > MOST_OF_A_REPLY || pieces > MOST_PIECES) reply.destroy();
    });
    reply.on('error', () => resolveRead());
    reply.on('close', () => resolveRead());
    if (reply.closed) resolveRead();
  });
