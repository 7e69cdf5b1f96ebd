import './native-crc.ts';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { ArchiveLayout } from '../domain/archive.ts';
import type { OpenMedium } from './media-in-turn.ts';
import { sayAhead } from './say-ahead.ts';

// ZIP keeps local times and yazl takes the machine's: the digits of UTC, wherever this runs.
const utcDigits = (at: Date): Date =>
  new Date(
    at.getUTCFullYear(),
    at.getUTCMonth(),
    at.getUTCDate(),
    at.getUTCHours(),
    at.getUTCMinutes(),
    at.getUTCSeconds(),
  );

const assemble = (
  { root, endedAt, files, media }: ArchiveLayout,
  openMedium: OpenMedium,
  onSize?: (bytes: number) => void,
): Readable => {
  const zip = new ZipFile();
  sayAhead(zip, new Map(media.map((medium) => [`${root}/${medium.path}`, medium])));
  const options = { compress: false, mtime: utcDigits(new Date(endedAt)), mode: 0o100644, forceDosTimestamp: true };
  const output = zip.outputStream as Readable;
  let current: Readable | undefined;
  output.once('close', () => current?.destroy());
  zip.on('error', (error: Error) => output.destroy(error));
  for (const { path, content } of files) zip.addBuffer(Buffer.from(content), `${root}/${path}`, options);
  for (const { path, mediaId, bytes } of media)
    zip.addReadStreamLazy(`${root}/${path}`, { ...options, size: bytes }, (done) => {
      openMedium(mediaId).then(
        (stream) => {
          stream.once('error', (error) => output.destroy(error));
          current = stream;
          // Opened ahead, it may have broken before its turn came.
          if (stream.errored) output.destroy(stream.errored);
          if (output.destroyed) stream.destroy();
          else done(null, stream);
        },
        (error: Error) => output.destroy(error),
      );
    });
  // The types of yazl leave out what it is called with.
  zip.end({ forceZip64Format: false, comment: '' }, onSize as (() => void) | undefined);
  return output;
};

/**
 * The archive as a stream of ZIP bytes: nothing is compressed (images and videos are already), media are read one after the other as the stream is
 * consumed, and memory does not grow with them. Times, modes and order are fixed, so the same layout gives the same bytes.
 */
export const zipOf = (layout: ArchiveLayout, openMedium: OpenMedium): Readable => assemble(layout, openMedium);

/** How many bytes `zipOf` gives; nothing is read for it. */
export const sizeOf = (layout: ArchiveLayout): Promise<number> =>
  new Promise((resolve) => {
    const unread = assemble(
      layout,
      () => new Promise(() => undefined),
      (bytes) => {
        resolve(bytes);
        // Told before there is anything to destroy.
        setImmediate(() => unread.destroy());
      },
    );
  });
