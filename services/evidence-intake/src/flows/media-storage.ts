import { createHash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { present } from '@assay/contracts';
import { ApiError, guarded, unavailable } from '@assay/http';
import { type Blobs, writeThrough } from '@assay/mongo';
import { type Clock, newId } from '@assay/runtime';
import { mediaContext, newDataKey, openStream, sealBytes, sealStream, unwrapKey, wrapKey } from '@assay/sealing';
import type { Images } from '../clients/images.ts';
import type { Medium, OpenableMedium, Stored } from '../domain/medium.ts';
import type { Discarded, MediaStore } from '../store/media.ts';
import { type Arrival, badContent, checkHeader, recognise, watchOf } from './arrival.ts';
import { takeHead } from './stream-head.ts';

export interface Owner {
  tenantId: string;
  identityId: string;
  evidenceId: string;
}

/**
 * Stores media: checked by their first bytes, hashed and sealed as they stream by, never in clear
 * on a disk.
 */
export interface MediaStorage {
  /**
   * Stores one medium, and gives it as `open` takes it. Refuses with an ApiError, and then nothing
   * of it is left.
   */
  store(owner: Owner, key: Buffer, arrival: Arrival, bytes: AsyncIterable<Buffer>): Promise<OpenableMedium>;
  /** The bytes as uploaded. The stream errors when what is stored was altered. */
  open(medium: OpenableMedium, key: Buffer): Readable;
  /** The bytes as they are stored: sealed under the medium's own key. */
  openSealed(medium: OpenableMedium): Readable;
  /** Removes media that no upload stores bytes of any more. */
  discard(media: readonly Discarded[]): Promise<void>;
  /**
   * Removes media of which some may still arrive. The records of those stay until their uploads
   * end, or the sweep of orphans comes.
   */
  withdraw(media: readonly Stored[]): Promise<void>;
}

const contextOf = (medium: Pick<Medium, '_id' | 'tenantId' | 'identityId'>): string =>
  mediaContext(medium.tenantId, medium.identityId, medium._id);

/** Counts, hashes and watches the bytes that pass; more than the limit is refused. */
const createMeter = (arrival: Arrival) => {
  const hash = createHash('sha256');
  const watch = watchOf(arrival);
  let bytes = 0;
  let crc = 0;
  const take = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > arrival.maxBytes) throw new ApiError('IMAGE_TOO_LARGE', { field: arrival.part });
    watch(chunk);
    hash.update(chunk);
    crc = crc32(chunk, crc);
  };
  return {
    take,
    async *through(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of source) {
        take(chunk);
        yield chunk;
      }
    },
    result: () => ({ bytes, sha256: hash.digest('hex'), crc32: crc }),
  };
};

/** The record of a medium whose upload begins: an orphan until an evidence refers to it. */
const arrivingMedium = (
  owner: Owner,
  key: Buffer,
  arrival: Arrival,
  { contentType, at, orphanAfterMs }: { contentType: string; at: Date; orphanAfterMs: number },
): Arriving => {
  const mediaId = arrival.mediaId ?? newId();
  return {
    _id: mediaId,
    blobId: newId(),
    wrappedKey: wrapKey(key, newDataKey(), mediaContext(owner.tenantId, owner.identityId, mediaId)),
    ...owner,
    state: 'ARRIVING',
    role: arrival.role,
    contentType,
    bytes: 0,
    sha256: '',
    ...present({ originalMediaId: arrival.originalMediaId, side: arrival.side, batchId: arrival.batchId }),
    createdAt: at,
    orphanAt: new Date(at.getTime() + orphanAfterMs),
  };
};

type Arriving = Medium & { blobId: string };

export interface Deps {
  media: MediaStore;
  blobs: Blobs;
  images: Images;
  /**
   * Small media are stored in their records. Whoever names an object store wants all of them there.
   */
  /** A medium of at most so many bytes is stored in its record, with one write; 0: none. */
  smallBytes: number;
  /** Milliseconds after which a medium is removed that no evidence refers to. */
  orphanAfterMs: number;
  now: Clock;
}

/** One upload: the record that is made of it, and the key of its identity. */
interface Upload {
  medium: Arriving;
  key: Buffer;
  arrival: Arrival;
  /** The header of the image was not within its first bytes. */
  sizeUnknown: boolean;
}

/** The context and key that a medium's bytes are sealed with. */
const sealingOf = ({ medium, key }: Upload) => {
  const context = contextOf(medium);
  return { context, own: unwrapKey(key, medium.wrappedKey, context) };
};

/** Refuses an image whose header can be read only from all of its bytes. */
const checkWhole = async (images: Images, arrival: Arrival, bytes: Buffer): Promise<void> => {
  const header = await images.header(bytes);
  if (!header) throw badContent(arrival);
  checkHeader(arrival, header);
};

/** Stores a medium whose bytes have all arrived: record and bytes in one write. */
const storeSmall = async (
  { media, images }: Pick<Deps, 'media' | 'images'>,
  upload: Upload,
  bytes: Buffer,
): Promise<OpenableMedium> => {
  const { arrival, sizeUnknown } = upload;
  const { blobId: _, ...medium } = upload.medium;
  const meter = createMeter(arrival);
  meter.take(bytes);
  if (sizeUnknown) await checkWhole(images, arrival, bytes);
  const { own, context } = sealingOf(upload);
  const stored = { ...medium, ...meter.result(), state: 'STORED' as const };
  const content = sealBytes(own, context, bytes);
  // If the reply to this write is lost, the medium may be stored: the sweep of orphans checks
  // later.
  if (!(await media.announce({ ...stored, content }))) throw new ApiError('STATE_CONFLICT');
  return { ...stored, sealed: content };
};

const discarder =
  ({ media, blobs }: Pick<Deps, 'media' | 'blobs'>): MediaStorage['discard'] =>
  async (discarded) => {
    if (discarded.length === 0) return;
    await blobs.remove(discarded.flatMap(({ blobId }) => blobId ?? []));
    await media.forget(discarded);
  };

const withdrawer =
  ({ media, blobs }: Pick<Deps, 'media' | 'blobs'>): MediaStorage['withdraw'] =>
  async (withdrawn) => {
    if (withdrawn.length === 0) return;
    // Marked first: an upload that ends from here on removes what it stored itself.
    const arriving = withdrawn.filter(({ state }) => state !== 'STORED');
    if (arriving.length > 0) await media.withdraw(arriving.map(({ _id }) => _id));
    await blobs.remove(withdrawn.flatMap((medium) => ('blobId' in medium ? (medium.blobId ?? []) : [])));
    await media.forget(withdrawn.filter(({ state }) => state === 'STORED'));
  };

export const createMediaStorage = ({ media, blobs, images, smallBytes, orphanAfterMs, now }: Deps): MediaStorage => {
  const sealedBytes = ({ sealed, blobId = '' }: OpenableMedium): Readable =>
    sealed ? Readable.from([sealed], { objectMode: false }) : blobs.read(blobId);

  const open: MediaStorage['open'] = (medium, key) => {
    const opened = guarded(new PassThrough());
    // Each stream ends the other one: a blob that cannot be opened fails the reader's stream, and a
    // reader that disconnects closes the blob.
    const own = unwrapKey(key, medium.wrappedKey, contextOf(medium));
    pipeline(sealedBytes(medium), openStream(own, contextOf(medium)), opened).catch(() => undefined);
    return opened;
  };

  const discard = discarder({ media, blobs });
  const withdraw = withdrawer({ media, blobs });

  /** Stores the bytes of a medium as they arrive; its record is there already. */
  const storeStream = async (upload: Upload, bytes: AsyncIterable<Buffer>): Promise<OpenableMedium> => {
    const { medium, key, arrival, sizeUnknown } = upload;
    const meter = createMeter(arrival);
    const { own, context } = sealingOf(upload);
    await writeThrough(blobs, medium.blobId, meter.through(bytes), sealStream(own, context));
    const measured = meter.result();
    if (sizeUnknown) await checkWhole(images, arrival, await buffer(open(medium, key)));
    if (!(await media.settle(medium._id, medium.blobId, measured))) throw unavailable();
    return { ...medium, ...measured, state: 'STORED' as const };
  };

  return {
    open,
    openSealed: (medium) => guarded(sealedBytes(medium)),
    discard,
    withdraw,
    store: async (owner, key, arrival, bytes) => {
      const { headed, contentType, sizeUnknown } = await recognise(images, arrival, bytes);
      const medium = arrivingMedium(owner, key, arrival, { contentType, at: now(), orphanAfterMs });
      const upload: Upload = { medium, key, arrival, sizeUnknown };
      const start = smallBytes > 0 ? await takeHead(headed.whole, smallBytes + 1) : headed;
      if (smallBytes > 0 && start.complete) return storeSmall({ media, images }, upload, start.head);
      // Recorded first, so that an upload that a crash interrupted is found and removed.
      if (!(await media.announce(medium))) throw new ApiError('STATE_CONFLICT');
      return storeStream(upload, start.whole).catch(async (error: unknown) => {
        await discard([medium]);
        throw error;
      });
    },
  };
};
