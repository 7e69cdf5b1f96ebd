import './native-crc.ts';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { type ArchivePlan, proofFile } from '../domain/archive.ts';
import { sayAhead } from './say-ahead.ts';

/** Opens the bytes of one medium; called when the archive has come to it, one at a time. */
export type OpenMedium = (mediaId: string) => Promise<Readable>;

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

/**
 * The archive as a stream of ZIP bytes: nothing is compressed (images and videos are already), media are read one after the other as the stream is
 * consumed, and memory does not grow with them. Times, modes and order are fixed, so the same plan gives the same bytes.
 */
export const zipOf = (plan: ArchivePlan, signature: string, endedAt: Date, openMedium: OpenMedium): Readable => {
  const zip = new ZipFile();
  sayAhead(zip, new Map(plan.media.map(({ path, reference }) => [`${plan.root}/${path}`, reference])));
  const options = { compress: false, mtime: utcDigits(endedAt), mode: 0o100644, forceDosTimestamp: true };
  const add = (path: string, bytes: Buffer): void => zip.addBuffer(bytes, `${plan.root}/${path}`, options);
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  add('proof.json', proofFile(plan.proof, signature));
  add('identityDetails.json', plan.identityDetails);
  add('verificationAndEvaluationDetails.json', plan.verificationAndEvaluationDetails);
  for (const { path, reference } of plan.media)
    zip.addReadStreamLazy(`${plan.root}/${path}`, { ...options, size: reference.bytes }, (done) => {
      openMedium(reference.mediaId).then(
        (stream) => {
          stream.once('error', (error) => output.destroy(error));
          done(null, stream);
        },
        (error: Error) => output.destroy(error),
      );
    });
  zip.end();
  return output;
};
