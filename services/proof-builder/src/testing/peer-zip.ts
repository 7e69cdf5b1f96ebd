import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

// ZIP stores local times, and yazl uses the machine's. This gives the digits of UTC on every
// machine.
const utcDigits = (at: Date): Date => new Date(at.getTime() + at.getTimezoneOffset() * 60_000);

/** An archive as yazl writes it: the tests compare the service's own writer with it. */
export const peerZip = (modifiedAt: Date) => {
  const zip = new ZipFile();
  const options = { compress: false, mtime: utcDigits(modifiedAt), mode: 0o100644, forceDosTimestamp: true };
  return {
    addBuffer: (name: string, bytes: Buffer): void => zip.addBuffer(bytes, name, options),
    /** Opens the content when its turn comes, and writes its CRC-32 after it. */
    addStream: (name: string, size: number, open: () => Readable): void =>
      zip.addReadStreamLazy(name, { ...options, size }, (done) => done(null, open())),
    /** The bytes, and how many there will be. */
    end: (): { output: Readable; size: Promise<number> } => {
      const size = new Promise<number>((resolve) => {
        // The types of yazl omit the argument of the callback.
        zip.end({ forceZip64Format: false, comment: '' }, resolve as () => void);
      });
      return { output: zip.outputStream as Readable, size };
    },
  };
};
