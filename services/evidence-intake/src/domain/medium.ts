import { type MediaReference, present, type Side } from '@assay/contracts';

/** Common to everything stored: its owner, and whether it may be removed. */
interface Owned {
  _id: string;
  tenantId: string;
  identityId: string;
  evidenceId: string;
  /**
   * WITHDRAWN: removed while it arrived. Its upload may store more bytes until it ends: the record
   * stays until then, so that they are found also if the process of the upload crashes.
   */
  state: 'ARRIVING' | 'STORED' | 'WITHDRAWN';
  role: MediaReference['role'];
  createdAt: Date;
  /** When it counts as an orphan, unless it is attached to an evidence by then. */
  orphanAt?: Date;
  /**
   * The archives that consist of it: it outlives its identity until each of them has released it.
   */
  heldBy?: string[];
}

/**
 * The record of one medium. Its bytes are sealed: in the record if they are few, among the blobs
 * otherwise. ARRIVING until the last byte is stored.
 */
export interface Medium extends Owned {
  /** Absent of a file of a reading, and of a small medium, whose bytes are in its record. */
  blobId?: string;
  /** The key its bytes are sealed under, wrapped by the identity's. */
  wrappedKey: string;
  contentType: string;
  bytes: number;
  sha256: string;
  crc32?: number;
  originalMediaId?: string;
  /** Of a file of a chip. */
  name?: string;
  side?: Side;
  /** Of a frame of a live capture session: higher is sharper, below 0 could not be decoded. */
  sharpness?: number;
  /** Of a live capture session: the batch it came in. */
  batchId?: string;
}

type KnownOfFile = Required<Pick<Medium, 'contentType' | 'bytes' | 'sha256' | 'crc32' | 'wrappedKey'>> &
  ({ name: string } | { role: 'CROP'; originalMediaId: string });
/**
 * A file of a reading, or a crop of one; a medium to everybody else. Its sealed bytes are
 * `sealedBytes` of the reading's content, from `at` on.
 */
export type ReadFile = KnownOfFile & { mediaId: string; at: number; sealedBytes: number };

/**
 * The data of a chip that were submitted together: files with their sealed bytes, stored in one
 * write.
 */
export interface Reading extends Owned {
  state: 'STORED';
  role: 'CHIP';
  files: ReadFile[];
  content: Buffer;
}

/** As it is in the collection, but for a reading's content. */
export type Stored = Medium | Omit<Reading, 'content'>;

/** A medium with its sealed bytes, where they are at hand. */
export type OpenableMedium = Medium & { sealed?: Buffer };

const FILE_ID = /^([0-9a-f-]{36})-\d+$/;
/** The record that contains a medium: the reading of a file; any other medium is its own record. */
export const holderOf = (mediaId: string): string => FILE_ID.exec(mediaId)?.[1] ?? mediaId;

/** The id of a file of a reading. */
export const fileId = (readingId: string, number: number): string => `${readingId}-${number}`;

/** The ids under which others know what is stored. */
export const mediaIds = (stored: Stored): string[] =>
  'files' in stored ? stored.files.map(({ mediaId }) => mediaId) : [stored._id];

/** The media that something stored consists of: itself, or the files of a reading. */
export const mediaIn = (stored: Stored): Medium[] => {
  if (!('files' in stored)) return [stored];
  const { files, ...common } = stored;
  return files.map(({ mediaId, at: _at, sealedBytes: _sealedBytes, ...known }) => ({
    ...common,
    ...known,
    _id: mediaId,
  }));
};

/** The medium as events and replies name it. */
export const referenceOf = (medium: Medium): MediaReference => ({
  mediaId: medium._id,
  role: medium.role,
  contentType: medium.contentType,
  bytes: medium.bytes,
  sha256: medium.sha256,
  ...present({ crc32: medium.crc32, originalMediaId: medium.originalMediaId }),
  ...(medium.name ? { name: medium.name } : {}),
});
