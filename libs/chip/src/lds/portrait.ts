import type { Element } from '../der/read.ts';
import { malformed } from '../errors.ts';
import { readDataGroup } from './files.ts';
import { type FoundImage, imageAt, imageOf, sniff } from './image.ts';

/** The portrait of data group 2, still compressed. */
export interface FoundPortrait extends FoundImage {
  readonly format: 'ISO/IEC 19794-5' | 'ISO/IEC 39794-5';
}

const TEMPLATES = 0x7f61;
const TEMPLATE = 0x7f60;
const OLDER = 0x5f2e;
const NEWER = 0x7f2e;

const FACIAL_HEADER = 14;
const RECORD_FIXED = 20;
const POINT = 8;
const IMAGE_FIXED = 12;

/**
 * The images of the faces in an ISO/IEC 19794-5 record. If there is only one face, its image
 * continues to the end of the record: some issuers state a length that leaves out the header.
 */
const imagesByHeader = (record: Buffer): Buffer[] => {
  if (record.length < FACIAL_HEADER || record.toString('latin1', 0, 4) !== 'FAC\0') return [];
  const faces = record.readUInt16BE(FACIAL_HEADER - 2);
  const images: Buffer[] = [];
  let at = FACIAL_HEADER;
  while (images.length < faces && at + RECORD_FIXED <= record.length) {
    const length = Math.max(record.readUInt32BE(at), RECORD_FIXED);
    const points = record.readUInt16BE(at + 4);
    const start = at + RECORD_FIXED + points * POINT + IMAGE_FIXED;
    const end = faces === 1 ? record.length : Math.min(record.length, at + length);
    images.push(record.subarray(start, end));
    at += length;
  }
  return images;
};

/**
 * The images in a record. If its header leads to none, as where the points are miscounted or the
 * header is that of a later edition, the first image in the record is the one.
 */
const imagesOfFacialRecord = (record: Buffer): Buffer[] => {
  const images = imagesByHeader(record).filter(sniff);
  if (images.length > 0) return images;
  const at = imageAt(record);
  return at === undefined ? [] : [record.subarray(at)];
};

/** Every primitive element below this one, level by level. */
const leavesOf = (root: Element): Element[] => {
  const leaves: Element[] = [];
  let level: readonly Element[] = [root];
  while (level.length > 0) {
    leaves.push(...level.filter(({ constructed }) => !constructed));
    level = level.flatMap(({ children }) => children);
  }
  return leaves;
};

const child = (element: Element | undefined, tag: number): Element | undefined =>
  element?.children.find((candidate) => candidate.tag === tag);

/** The first of these images that can be read. */
const firstOf = (images: Iterable<Buffer>, format: FoundPortrait['format']): FoundPortrait | undefined => {
  for (const bytes of images) {
    const image = imageOf(bytes);
    if (image) return { ...image, format };
  }
  return undefined;
};

const portraitOf = (template: Element): FoundPortrait | undefined => {
  const older = child(template, OLDER) ?? child(child(template, NEWER), OLDER);
  const newer = child(template, NEWER);
  if (older) return firstOf(imagesOfFacialRecord(older.content), 'ISO/IEC 19794-5');
  return (
    newer &&
    firstOf(
      leavesOf(newer).map(({ content }) => content),
      'ISO/IEC 39794-5',
    )
  );
};

/**
 * Reads the first portrait in data group 2 that can be read. It takes type and size from the image,
 * not from the headers.
 */
export const readDataGroup2 = (bytes: Uint8Array): FoundPortrait => {
  const templates = child(readDataGroup(bytes, 2), TEMPLATES)?.children.filter(({ tag }) => tag === TEMPLATE) ?? [];
  for (const template of templates) {
    const portrait = portraitOf(template);
    if (portrait) return portrait;
  }
  throw malformed('data group 2 has no portrait that we can read');
};
