import type { MediaReference } from '@assay/contracts';
import type { ZipFile } from 'yazl';

interface YazlEntry {
  utf8FileName: Buffer;
  crcAndFileSizeKnown: boolean;
  crc32: number;
  compressedSize: number;
}

/** Sizes from here on stand in ZIP64's fields, which a header that says them ahead has not. */
const ZIP64_FROM = 0xffffffff;

/**
 * Has CRC-32 and size of the media said in the headers before them, as far as they are known. yazl takes both of a stream as it passes and says them behind it,
 * and a program that reads an archive as it comes (java.util.zip.ZipInputStream) refuses that of an entry which is not compressed. yazl writes a header as
 * soon as the entry is in its list, so that is where the entry is completed.
 */
export const sayAhead = (zip: ZipFile, media: ReadonlyMap<string, Pick<MediaReference, 'bytes' | 'crc32'>>): void => {
  const { entries } = zip as unknown as { entries: YazlEntry[] };
  const push = entries.push.bind(entries);
  entries.push = (...added) => {
    for (const entry of added) {
      const medium = media.get(entry.utf8FileName.toString('utf8'));
      if (medium?.crc32 === undefined || medium.bytes >= ZIP64_FROM) continue;
      Object.assign(entry, { crcAndFileSizeKnown: true, crc32: medium.crc32, compressedSize: medium.bytes });
    }
    return push(...added);
  };
};
