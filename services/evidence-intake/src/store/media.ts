import { directly, directlyEach, trusted, unlessDuplicate } from '@assay/mongo';
import { type Connection, type Model, Schema } from 'mongoose';
import {
  holderOf,
  type Medium,
  mediaIn,
  type OpenableMedium,
  type ReadFile,
  type Reading,
  type Stored,
} from '../domain/medium.ts';
import { createRecentReadings } from './recent-readings.ts';

interface MediumDocument extends Medium {
  files?: ReadFile[];
  content?: Buffer;
}

const mediumSchema = new Schema<MediumDocument>(
  {
    _id: { type: String, required: true },
    blobId: String,
    wrappedKey: String,
    files: { type: Schema.Types.Mixed, default: undefined },
    content: Buffer,
    tenantId: { type: String, required: true },
    identityId: { type: String, required: true },
    evidenceId: { type: String, required: true },
    state: { type: String, required: true },
    role: { type: String, required: true },
    contentType: String,
    bytes: Number,
    sha256: String,
    crc32: Number,
    originalMediaId: String,
    name: String,
    side: String,
    sharpness: Number,
    batchId: String,
    createdAt: { type: Date, required: true },
    orphanAt: Date,
    heldBy: { type: [String], default: undefined },
  },
  { versionKey: false },
);
mediumSchema.index({ identityId: 1, evidenceId: 1, createdAt: 1 });
mediumSchema.index({ orphanAt: 1 }, { sparse: true });

export type MediaModel = Model<MediumDocument>;
export const mediaModel = (connection: Connection): MediaModel =>
  connection.model<MediumDocument>('media', mediumSchema, 'media');

/** What is removed: a medium of this upload, or a reading. */
export type Discarded = Pick<Medium, '_id' | 'blobId'>;

export interface MediaStore {
  /**
   * Stores the record of a medium, with its sealed bytes where it is a small one. False when a
   * medium of this id is there already.
   */
  announce(medium: Medium & { content?: Buffer }): Promise<boolean>;
  /**
   * The bytes are stored: false when another upload of the same id won, or the medium was removed
   * meanwhile.
   */
  settle(id: string, blobId: string, known: Pick<Medium, 'bytes' | 'sha256' | 'crc32'>): Promise<boolean>;
  describe(id: string, known: Pick<Medium, 'side' | 'sharpness'>): Promise<void>;
  /** A frame was chosen: the role it is verified in. */
  assign(id: string, role: Medium['role']): Promise<void>;
  /** Stores readings, with their bytes. */
  addReadings(readings: readonly Reading[]): Promise<void>;
  /** The readings of an evidence, with their bytes; the first time as this process stored them. */
  readings(identityId: string, evidenceId: string): Promise<Reading[]>;
  find(id: string, identityId: string): Promise<OpenableMedium | undefined>;
  /** Also one that is still arriving. */
  announced(id: string, identityId: string): Promise<Medium | undefined>;
  ofEvidence(identityId: string, evidenceId: string): Promise<Medium[]>;
  /** What of chips belongs to no evidence so far. */
  looseFiles(identityId: string, evidenceIds: readonly string[]): Promise<Stored[]>;
  ofIdentity(identityId: string): Promise<Stored[]>;
  /** These belong to an evidence: they are no orphans any more. */
  attach(ids: readonly string[]): Promise<void>;
  orphansDue(now: Date, options: { limit: number; except: readonly string[] }): Promise<Stored[]>;
  /** An archive consists of these. Gives those of them that are there. */
  retain(ids: readonly string[], identityId: string, archiveId: string): Promise<Medium[]>;
  /** A medium that this archive retains. */
  findRetained(id: string, identityId: string, archiveId: string): Promise<OpenableMedium | undefined>;
  release(identityId: string, archiveId: string): Promise<void>;
  /** These are orphans from then on. */
  orphan(ids: readonly string[], orphanAt: Date): Promise<void>;
  /** Those of these that still arrive are withdrawn: they never count as stored. */
  withdraw(ids: readonly string[]): Promise<void>;
  /** Only this upload of a medium: another one may have taken over its id. */
  forget(media: readonly Discarded[]): Promise<void>;
}

const among = (ids: readonly string[]) => ({ _id: trusted({ $in: [...new Set(ids.map(holderOf))] }) });

// The bytes of readings and small media are asked for by name only.
const BARE = { content: 0 } as const;
const AS_BUFFERS = { promoteBuffers: true } as const;

/** The medium of this id in what is stored, with its bytes where they are in its record. */
const openable = ({ content, ...document }: Stored & { content?: Buffer }, id: string): OpenableMedium | undefined => {
  const medium = mediaIn(document).find(({ _id }) => _id === id);
  if (!medium || !content) return medium;
  if (!('files' in document)) return { ...medium, sealed: content };
  const { at, sealedBytes } = document.files.find(({ mediaId }) => mediaId === id)!;
  return { ...medium, sealed: content.subarray(at, at + sealedBytes) };
};

const findOpenable = async (model: MediaModel, id: string, more: object): Promise<OpenableMedium | undefined> => {
  const found = await model.findOne({ _id: holderOf(id), ...more }, undefined, AS_BUFFERS).lean<Stored>();
  return found ? openable(found, id) : undefined;
};

/** The readings; those that were just stored are given without asking the database. */
const readingStore = (model: MediaModel): Pick<MediaStore, 'addReadings' | 'readings' | 'forget'> => {
  const recent = createRecentReadings();
  return {
    addReadings: async (readings) => {
      // A model would copy every byte of them.
      for (const outcome of await directlyEach(model).insertEach(readings)) if ('error' in outcome) throw outcome.error;
      recent.add(readings);
    },
    readings: async (identityId, evidenceId) =>
      recent.take(identityId, evidenceId) ??
      model.find({ identityId, evidenceId, state: 'STORED', role: 'CHIP' }, undefined, AS_BUFFERS).lean<Reading[]>(),
    forget: async (media) => {
      for (const { _id, blobId } of media) {
        recent.forget(_id);
        await model.deleteOne(blobId === undefined ? { _id } : { _id, blobId });
      }
    },
  };
};

export const createMediaStore = (model: MediaModel): MediaStore => ({
  ...readingStore(model),
  announce: (medium) => unlessDuplicate(directly(model).insert(medium)),
  settle: async (id, blobId, known) => {
    const { modifiedCount } = await model.updateOne(
      { _id: id, blobId, state: 'ARRIVING' },
      { $set: { ...known, state: 'STORED' } },
    );
    return modifiedCount === 1;
  },
  describe: async (id, known) => {
    await model.updateOne({ _id: id }, { $set: known });
  },
  assign: async (id, role) => {
    await model.updateOne({ _id: id }, { $set: { role } });
  },
  find: (id, identityId) => findOpenable(model, id, { identityId, state: 'STORED' }),
  announced: async (id, identityId) => (await model.findOne({ _id: id, identityId }, BARE).lean<Medium>()) ?? undefined,
  ofEvidence: async (identityId, evidenceId) =>
    (
      await model.find({ identityId, evidenceId, state: 'STORED' }, BARE).sort({ createdAt: 1 }).lean<Stored[]>()
    ).flatMap(mediaIn),
  looseFiles: (identityId, evidenceIds) =>
    model
      .find(
        {
          identityId,
          evidenceId: trusted({ $in: [...evidenceIds] }),
          role: 'CHIP',
          orphanAt: trusted({ $exists: true }),
        },
        BARE,
      )
      .lean<Stored[]>(),
  ofIdentity: (identityId) => model.find({ identityId }, BARE).lean<Stored[]>(),
  attach: async (ids) => {
    await model.updateMany(among(ids), { $unset: { orphanAt: 1 } });
  },
  orphansDue: (now, { limit, except }) =>
    model
      .find(
        { orphanAt: trusted({ $lte: now }), ...(except.length > 0 ? { _id: trusted({ $nin: [...except] }) } : {}) },
        BARE,
      )
      .sort({ orphanAt: 1 })
      .limit(limit)
      .lean<Stored[]>(),
  retain: async (ids, identityId, archiveId) => {
    await model.updateMany(
      { ...among(ids), identityId, state: 'STORED' },
      { $addToSet: { heldBy: archiveId }, $unset: { orphanAt: 1 } },
    );
    const retained = await model.find({ identityId, heldBy: archiveId }, BARE).lean<Stored[]>();
    return retained.flatMap(mediaIn).filter(({ _id }) => ids.includes(_id));
  },
  findRetained: (id, identityId, archiveId) => findOpenable(model, id, { identityId, heldBy: archiveId }),
  release: async (identityId, archiveId) => {
    await model.updateMany({ identityId, heldBy: archiveId }, { $pull: { heldBy: archiveId } });
  },
  withdraw: async (ids) => {
    await model.updateMany({ ...among(ids), state: 'ARRIVING' }, { $set: { state: 'WITHDRAWN' } });
  },
  orphan: async (ids, orphanAt) => {
    await model.updateMany(among(ids), { $set: { orphanAt } });
  },
});
