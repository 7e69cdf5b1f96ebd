import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Clock, newId } from '@assay/runtime';
import { mediaContext, newDataKey, openBytes, sealBytes, unwrapKey, wrapKey } from '@assay/sealing';
import type { ChipFile } from '../domain/chip-files.ts';
import { fileId, type ReadFile, type Reading } from '../domain/medium.ts';
import type { MediaStore } from '../store/media.ts';
import type { Owner } from './media-storage.ts';

const contentTypeOf = (name: string): string =>
  name.endsWith('.json') ? 'application/json' : 'application/octet-stream';

/** Bytes that also stand in a file of the same part, from `at` on: a picture in it. */
export interface Cut {
  of: string;
  at: number;
  bytes: Buffer;
}

const describedAs = (one: ChipFile | Cut, idOf: (name: string) => string) =>
  'name' in one
    ? { name: one.name, contentType: contentTypeOf(one.name) }
    : { role: 'CROP' as const, contentType: 'image/jpeg', originalMediaId: idOf(one.of) };

/** The files sealed, each under a key of its own, one after the other. */
const sealFiles = ({ tenantId, identityId }: Owner, key: Buffer, readingId: string, { files, cut }: ReadPart) => {
  let at = 0;
  const numberOf = (wanted: string): number => files.findIndex(({ name }) => name === wanted);
  const sealed = [...files, ...(cut ? [cut] : [])].map((one, number) => {
    const { bytes } = one;
    const mediaId = fileId(readingId, number);
    const context = mediaContext(tenantId, identityId, mediaId);
    const own = newDataKey();
    const content = sealBytes(own, context, bytes);
    const file: ReadFile = {
      mediaId,
      ...describedAs(one, (name) => fileId(readingId, numberOf(name))),
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      crc32: crc32(bytes),
      wrappedKey: wrapKey(key, own, context),
      at,
      sealedBytes: content.length,
    };
    at += content.length;
    return { file, content };
  });
  return { files: sealed.map(({ file }) => file), content: Buffer.concat(sealed.map(({ content }) => content)) };
};

/** What becomes one reading. */
export interface ReadPart {
  files: readonly ChipFile[];
  cut?: Cut;
}

export interface ReadingDeps {
  media: MediaStore;
  /** Milliseconds after which a reading is removed that no evidence refers to. */
  orphanAfterMs: number;
  now: Clock;
}

/**
 * Stores what was brought of a chip, a reading for each of these parts, in one write: orphans until
 * their evidence has them.
 */
export const storeReadings = async (
  { media, orphanAfterMs, now }: ReadingDeps,
  owner: Owner,
  key: Buffer,
  parts: readonly ReadPart[],
): Promise<Reading[]> => {
  const createdAt = now();
  const readings = parts.map((part): Reading => {
    const _id = newId();
    return {
      _id,
      ...owner,
      state: 'STORED',
      role: 'CHIP',
      ...sealFiles(owner, key, _id, part),
      createdAt,
      orphanAt: new Date(createdAt.getTime() + orphanAfterMs),
    };
  });
  await media.addReadings(readings);
  return readings;
};

const isFile = (file: ReadFile): boolean => 'name' in file;

/** The files of readings in clear, by the ids of their media; without crops of them. */
export const openReadings = (readings: readonly Reading[], key: Buffer): Map<string, Buffer> =>
  new Map(
    readings.flatMap(({ files, content, tenantId, identityId }) =>
      files.filter(isFile).map(({ mediaId, wrappedKey, at, sealedBytes }) => {
        const context = mediaContext(tenantId, identityId, mediaId);
        const own = unwrapKey(key, wrappedKey, context);
        return [mediaId, openBytes(own, context, content.subarray(at, at + sealedBytes))] as const;
      }),
    ),
  );
