import { createRequire } from 'node:module';
import { crc32 } from 'node:zlib';

/*
 * yazl takes its CRC-32 from buffer-crc32, which computes it byte by byte in JavaScript: half of the time of a large archive. Node has it natively.
 * The very object that yazl requires is changed, so this has to be a require as well.
 */
const used = createRequire(import.meta.url)('buffer-crc32') as {
  unsigned: (bytes: Buffer, previous?: number) => number;
};
used.unsigned = (bytes, previous = 0) => crc32(bytes, previous) >>> 0;
