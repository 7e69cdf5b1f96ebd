import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';
import { UnusableInput } from './report.ts';

/**
 * Bytes to be verified, read where they are needed: a proof may be larger than memory. `end` is
 * exclusive.
 */
export interface ByteSource {
  size: number;
  read(start: number, end: number): Promise<Buffer>;
  stream(start: number, end: number): Readable;
  close(): Promise<void>;
}

const BLOCK = 1024 * 1024;

export const bufferSource = (bytes: Buffer): ByteSource => ({
  size: bytes.length,
  read: async (start, end) => bytes.subarray(start, end),
  stream: (start, end) => Readable.from(blocksOf(bytes.subarray(start, end))),
  close: async () => undefined,
});

function* blocksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += BLOCK) yield bytes.subarray(at, at + BLOCK);
}

async function* blocksFrom(read: ByteSource['read'], start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; at += BLOCK) yield await read(at, Math.min(at + BLOCK, end));
}

/** @throws UnusableInput when the file cannot be read */
export const fileSource = async (path: string): Promise<ByteSource> => {
  try {
    const handle = await open(path, 'r');
    const stats = await handle.stat();
    if (!stats.isFile()) {
      await handle.close();
      throw new UnusableInput(`${path} is not a file`);
    }
    const read = async (start: number, end: number): Promise<Buffer> => {
      const bytes = Buffer.allocUnsafe(Math.max(0, end - start));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
      return bytes.subarray(0, bytesRead);
    };
    return {
      size: stats.size,
      read,
      // Not a stream of the handle: yauzl destroys its streams, and that would close the file.
      stream: (start, end) => Readable.from(blocksFrom(read, start, end), { objectMode: false }),
      close: () => handle.close(),
    };
  } catch (error) {
    if (error instanceof UnusableInput) throw error;
    throw new UnusableInput(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'error'}`);
  }
};

/** A part of a source as a source of its own. */
export const slice = (source: ByteSource, from: number, to: number): ByteSource => ({
  size: to - from,
  read: (start, end) => source.read(from + start, Math.min(from + end, to)),
  stream: (start, end) => source.stream(from + start, Math.min(from + end, to)),
  close: async () => undefined,
});

class SourceReader extends RandomAccessReader {
  readonly source: ByteSource;
  constructor(source: ByteSource) {
    super();
    this.source = source;
  }
  override _readStreamForRange(start: number, end: number): Readable {
    return this.source.stream(start, end);
  }
}

/** The source as yauzl reads it. */
export const readerOf = (source: ByteSource): RandomAccessReader => new SourceReader(source);
