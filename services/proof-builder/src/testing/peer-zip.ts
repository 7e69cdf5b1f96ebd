import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

// ZIP keeps local times and yazl takes the machine's: the digits of UTC, wherever this runs.
const utcDigits = (at: Date): Date => new Date(at.getTime() + at.getTimezoneOffset() * 60_000);

/** An archive as yazl writes it: the peer that the service's own writer is held against. */
export const peerZip = (modifiedAt: Date) => {
  const zip = new ZipFile();
  const options = { compress: false, mtime: utcDigits(modifiedAt), mode: 0o100644, forceDosTimestamp: true };
  return {
    addBuffer: (name: string, bytes: Buffer): void => zip.addBuffer(bytes, name, options),
    /** The content is opened when its turn comes; its CRC-32 is written behind it. */
    addStream: (name: string, size: number, open: () => Readable): void =>
      zip.addReadStreamLazy(name, { ...options, size }, (done) => done(null, open())),
    /** The bytes, and how many there are going to be. */
    end: (): { output: Readable; size: Promise<number> } => {
      const size = new Promise<number>((resolve) => {
        // The types of yazl leave out what it is called with.
        zip.end({ forceZip64Format: false, comment: '' }, resolve as () => void);
      });
      return { output: zip.outputStream as Readable, size };
    },
  };
};
