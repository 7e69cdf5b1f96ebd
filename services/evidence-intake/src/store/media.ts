import { type MediaReference, present, type Side } from '@assay/contracts';
import { isDuplicateKey, trusted } from '@assay/mongo';
import { type Connection, type Model, Schema } from 'mongoose';

/** One medium: what is known of it. Its bytes are in the blob store, sealed. ARRIVING until the last byte is stored. */
export interface Medium {
  _id: string;
  blobId: string;
  /** The key its bytes are sealed under, wrapped by the identity's. */
  wrappedKey: string;
  tenantId: string;
  identityId: string;
  evidenceId: string;
  state: 'ARRIVING' | 'STORED';
  role: MediaReference['role'];
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
  createdAt: Date;
  /** When it counts as an orphan, unless it is attached to an evidence by then. */
  orphanAt?: Date;
  /** The archives that consist of it: it outlives its identity until each of them has released it. */
  heldBy?: string[];
}

const mediumSchema = new Schema<Medium>(
  {
    _id: { type: String, required: true },
    blobId: { type: String, required: true },
    wrappedKey: { type: String, required: true },
    tenantId: { type: String, required: true },
    identityId: { type: String, required: true },
    evidenceId: { type: String, required: true },
    state: { type: String, required: true },
    role: { type: String, required: true },
    contentType: { type: String, required: true },
    bytes: { type: Number, required: true },
    sha256: { type: String, default: '' },
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

export type MediaModel = Model<Medium>;
export const mediaModel = (connection: Connection): MediaModel =>
  connection.model<Medium>('media', mediumSchema, 'media');

/** The medium as events and replies name it. */
export const referenceOf = (medium: Medium): MediaReference => ({
  mediaId: medium._id,
  role: medium.role,
  contentType: medium.contentType,
  bytes: medium.bytes,
  sha256: medium.sha256,
  ...present({ crc32: medium.crc32 }),
  ...(medium.originalMediaId ? { originalMediaId: medium.originalMediaId } : {}),
  ...(medium.name ? { name: medium.name } : {}),
});

export interface MediaStore {
  /** False when a medium of this id is there already. */
  announce(medium: Medium): Promise<boolean>;
  /** The bytes are stored: false when another upload of the same id won, or the medium was removed meanwhile. */
  settle(id: string, blobId: string, known: Pick<Medium, 'bytes' | 'sha256' | 'crc32'>): Promise<boolean>;
  describe(id: string, known: Pick<Medium, 'side' | 'sharpness'>): Promise<void>;
  /** A frame was chosen: the role it is verified in. */
  assign(id: string, role: Medium['role']): Promise<void>;
  find(id: string, identityId: string): Promise<Medium | undefined>;
  /** Also one that is still arriving. */
  announced(id: string, identityId: string): Promise<Medium | undefined>;
  ofEvidence(identityId: string, evidenceId: string): Promise<Medium[]>;
  /** Files of chips that belong to no evidence so far. */
  looseFiles(identityId: string, evidenceIds: readonly string[]): Promise<Medium[]>;
  ofIdentity(identityId: string): Promise<Medium[]>;
  /** These belong to an evidence: they are no orphans any more. */
  attach(ids: readonly string[]): Promise<void>;
  orphansDue(now: Date, limit: number): Promise<Medium[]>;
  /** An archive consists of these. Gives those of them that are there. */
  retain(ids: readonly string[], identityId: string, archiveId: string): Promise<Medium[]>;
  /** A medium that this archive retains. */
  findRetained(id: string, identityId: string, archiveId: string): Promise<Medium | undefined>;
  release(identityId: string, archiveId: string): Promise<void>;
  /** These are orphans from then on. */
  orphan(ids: readonly string[], orphanAt: Date): Promise<void>;
  /** Only this upload of a medium: another one may have taken over its id. */
  forget(media: readonly Pick<Medium, '_id' | 'blobId'>[]): Promise<void>;
}

const among = (ids: readonly string[]) => ({ _id: trusted({ $in: [...ids] }) });

export const createMediaStore = (model: MediaModel): MediaStore => ({
  announce: (medium) =>
    model.insertOne(medium).then(
      () => true,
      (error: unknown) => {
        if (isDuplicateKey(error)) return false;
        throw error;
      },
    ),
  settle: async (id, blobId, known) => {
    const { modifiedCount } = await model.updateOne({ _id: id, blobId }, { $set: { ...known, state: 'STORED' } });
    return modifiedCount === 1;
  },
  describe: async (id, known) => {
    await model.updateOne({ _id: id }, { $set: known });
  },
  assign: async (id, role) => {
    await model.updateOne({ _id: id }, { $set: { role } });
  },
  find: async (id, identityId) =>
    (await model.findOne({ _id: id, identityId, state: 'STORED' }).lean<Medium>()) ?? undefined,
  announced: async (id, identityId) => (await model.findOne({ _id: id, identityId }).lean<Medium>()) ?? undefined,
  ofEvidence: (identityId, evidenceId) =>
    model.find({ identityId, evidenceId, state: 'STORED' }).sort({ createdAt: 1 }).lean<Medium[]>(),
  looseFiles: (identityId, evidenceIds) =>
    model
      .find({
        identityId,
        evidenceId: trusted({ $in: [...evidenceIds] }),
        role: 'CHIP',
        orphanAt: trusted({ $exists: true }),
      })
      .lean<Medium[]>(),
  ofIdentity: (identityId) => model.find({ identityId }).lean<Medium[]>(),
  attach: async (ids) => {
    await model.updateMany(among(ids), { $unset: { orphanAt: 1 } });
  },
  orphansDue: (now, limit) =>
    model
      .find({ orphanAt: trusted({ $lte: now }) })
      .sort({ orphanAt: 1 })
      .limit(limit)
      .lean<Medium[]>(),
  retain: async (ids, identityId, archiveId) => {
    await model.updateMany(
      { ...among(ids), identityId, state: 'STORED' },
      { $addToSet: { heldBy: archiveId }, $unset: { orphanAt: 1 } },
    );
    return model.find({ identityId, heldBy: archiveId }).lean<Medium[]>();
  },
  findRetained: async (id, identityId, archiveId) =>
    (await model.findOne({ _id: id, identityId, heldBy: archiveId }).lean<Medium>()) ?? undefined,
  release: async (identityId, archiveId) => {
    await model.updateMany({ identityId, heldBy: archiveId }, { $pull: { heldBy: archiveId } });
  },
  orphan: async (ids, orphanAt) => {
    await model.updateMany(among(ids), { $set: { orphanAt } });
  },
  forget: async (media) => {
    for (const { _id, blobId } of media) await model.deleteOne({ _id, blobId });
  },
});
