import { createHash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { present } from '@assay/contracts';
import { ApiError, guarded, unavailable } from '@assay/http';
import type { Blobs } from '@assay/mongo';
import { type Clock, newId } from '@assay/runtime';
import { mediaContext, newDataKey, openStream, sealBytes, sealStream, unwrapKey, wrapKey } from '@assay/sealing';
import type { Images } from '../clients/images.ts';
import type { Medium, OpenableMedium } from '../domain/medium.ts';
import type { Discarded, MediaStore } from '../store/media.ts';
import { type Arrival, badContent, checkSize, recognise } from './arrival.ts';
import { type Headed, takeHead } from './stream-head.ts';

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
  discard(media: readonly Discarded[]): Promise<void>;
}

/** A medium of at most so many bytes is stored in its record, with one write. */
const SMALL_BYTES = 1024 * 1024;
export const ORPHAN_AFTER_MS = 15 * 60_000;

const contextOf = (medium: Pick<Medium, '_id' | 'tenantId' | 'identityId'>): string =>
  mediaContext(medium.tenantId, medium.identityId, medium._id);

/** Counts and hashes the bytes that pass; more than the limit is refused. */
const createMeter = (arrival: Arrival) => {
  const hash = createHash('sha256');
  let bytes = 0;
  let crc = 0;
  const take = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > arrival.maxBytes) throw new ApiError('IMAGE_TOO_LARGE', { field: arrival.part });
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
const arrivingMedium = (owner: Owner, key: Buffer, arrival: Arrival, contentType: string, at: Date): Arriving => {
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
    ...(arrival.originalMediaId ? { originalMediaId: arrival.originalMediaId } : {}),
    ...present({ side: arrival.side }),
    ...(arrival.batchId ? { batchId: arrival.batchId } : {}),
    createdAt: at,
    orphanAt: new Date(at.getTime() + ORPHAN_AFTER_MS),
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
  smallInRecords: boolean;
  now: Clock;
}

/** Stores a medium that is there as a whole: record and bytes in one write, an orphan at first. */
const storeSmall =
  ({ media, images }: Pick<Deps, 'media' | 'images'>) =>
  async (
    { blobId: _, ...medium }: Arriving,
    key: Buffer,
    arrival: Arrival,
    { head: bytes }: Headed,
    sizeUnknown: boolean,
  ): Promise<OpenableMedium> => {
    const meter = createMeter(arrival);
    meter.take(bytes);
    if (sizeUnknown) {
      const header = await images.header(bytes);
      if (!header) throw badContent(arrival);
      checkSize(arrival, header);
    }
    const own = unwrapKey(key, medium.wrappedKey, contextOf(medium));
    const stored = { ...medium, ...meter.result(), state: 'STORED' as const };
    const content = sealBytes(own, contextOf(medium), bytes);
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

export const createMediaStorage = ({ media, blobs, images, smallInRecords, now }: Deps): MediaStorage => {
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

  const receive = async (
    medium: Arriving,
    key: Buffer,
    arrival: Arrival,
    whole: AsyncIterable<Buffer>,
    again: boolean,
  ) => {
    const meter = createMeter(arrival);
    const own = unwrapKey(key, medium.wrappedKey, contextOf(medium));
    await pipeline(meter.through(whole), sealStream(own, contextOf(medium)), (sealed: AsyncIterable<Buffer>) =>
      blobs.write(medium.blobId, sealed),
    );
    const known = meter.result();
    if (again) {
      const header = await images.header(await buffer(open(medium, key)));
      if (!header) throw badContent(arrival);
      checkSize(arrival, header);
    }
    if (!(await media.settle(medium._id, medium.blobId, known))) throw unavailable();
    return { ...medium, ...known, state: 'STORED' as const };
  };

  return {
    open,
    openSealed: (medium) => guarded(sealedBytes(medium)),
    discard,
    store: async (owner, key, arrival, bytes) => {
      const { headed, contentType, sizeUnknown } = await recognise(images, arrival, bytes);
      const medium = arrivingMedium(owner, key, arrival, contentType, now());
      const ahead = smallInRecords ? await takeHead(headed.whole, SMALL_BYTES + 1) : headed;
      if (smallInRecords && ahead.complete)
        return storeSmall({ media, images })(medium, key, arrival, ahead, sizeUnknown);
      // Recorded first, so that an upload that a crash interrupted is found and removed.
      if (!(await media.announce(medium))) throw new ApiError('STATE_CONFLICT');
      return receive(medium, key, arrival, ahead.whole, sizeUnknown).catch(async (error: unknown) => {
        await discard([medium]);
        throw error;
      });
    },
  };
};
