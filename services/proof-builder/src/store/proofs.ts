import { type Connection, Schema, trusted } from 'mongoose';

/** A complete archive: where its sealed bytes are. */
export interface ReadyArchive {
  fileId: string;
  bytes: number;
  filename: string;
}

export interface ProofDocument {
  _id: string;
  tenantId: string;
  identityId: string;
  /** The end of proofing: taken once, so that a second attempt makes the same archive. */
  endedAt: Date;
  graceSeconds: number;
  /** When the archive is destroyed: the grace period after closing. */
  expiresAt: Date;
  leaseUntil: Date;
  /** Every file that was begun for this proof: what an attempt that died left is removed with the rest. */
  files: string[];
  ready?: ReadyArchive;
}

const ready = new Schema<ReadyArchive>({ fileId: String, bytes: Number, filename: String }, { _id: false });
const schema = new Schema<ProofDocument>(
  {
    _id: String,
    tenantId: { type: String, required: true },
    identityId: { type: String, required: true },
    endedAt: { type: Date, required: true },
    graceSeconds: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
    leaseUntil: { type: Date, required: true },
    files: [String],
    ready,
  },
  { versionKey: false },
)
  .index({ identityId: 1 })
  .index({ expiresAt: 1 });

export interface NewProof {
  proofId: string;
  tenantId: string;
  identityId: string;
  graceSeconds: number;
  now: Date;
}

export interface Proofs {
  /** The proof as it stands; recorded now if it was not. */
  begin(proof: NewProof): Promise<ProofDocument>;
  find(proofId: string): Promise<ProofDocument | undefined>;
  /** Takes the right to build for a while, and notes the file the attempt will write; undefined when somebody else builds or has built. */
  lease(proofId: string, fileId: string, now: Date, until: Date): Promise<ProofDocument | undefined>;
  prolong(proofId: string, fileId: string, until: Date): Promise<void>;
  release(proofId: string, fileId: string): Promise<void>;
  /** Ends the attempt with an archive; false when the proof was destroyed or another attempt took over meanwhile. */
  finish(proofId: string, archive: ReadyArchive): Promise<boolean>;
  /** Sets when the archive is destroyed. */
  expire(proofId: string, expiresAt: Date): Promise<void>;
  others(identityId: string, proofId: string | undefined): Promise<ProofDocument[]>;
  expired(now: Date): Promise<ProofDocument[]>;
  /** Its end has come, whatever happens next. */
  condemn(proofId: string): Promise<void>;
  remove(proofId: string): Promise<void>;
}

// While the identity is open its archive waits to be retrieved, or retrieved again; closing sets the real end. This one is for a closing that was never heard of.
const UNCLOSED_MS = 7 * 24 * 3600 * 1000;

export const createProofs = (connection: Connection): Proofs => {
  const model = connection.model('proofs', schema, 'proofs');
  const newest = { returnDocument: 'after' } as const;
  return {
    begin: async ({ proofId, tenantId, identityId, graceSeconds, now }) => {
      const expiresAt = new Date(now.getTime() + UNCLOSED_MS);
      const fields = {
        tenantId,
        identityId,
        graceSeconds,
        endedAt: now,
        expiresAt,
        leaseUntil: new Date(0),
        files: [],
      };
      const document = await model
        .findOneAndUpdate({ _id: proofId }, { $setOnInsert: fields }, { upsert: true, ...newest })
        .lean<ProofDocument>();
      return document!;
    },
    find: async (proofId) => (await model.findById(proofId).lean<ProofDocument>()) ?? undefined,
    lease: async (proofId, fileId, now, until) =>
      (await model
        .findOneAndUpdate(
          { _id: proofId, ready: trusted({ $exists: false }), leaseUntil: trusted({ $lte: now }) },
          { $set: { leaseUntil: until }, $push: { files: fileId } },
          newest,
        )
        .lean<ProofDocument>()) ?? undefined,
    prolong: async (proofId, fileId, until) => {
      await model.updateOne({ _id: proofId, files: fileId }, { $set: { leaseUntil: until } });
    },
    release: async (proofId, fileId) => {
      await model.updateOne(
        { _id: proofId, files: fileId },
        { $set: { leaseUntil: new Date(0) }, $pull: { files: fileId } },
      );
    },
    finish: async (proofId, archive) => {
      const { modifiedCount } = await model.updateOne(
        { _id: proofId, files: archive.fileId, ready: trusted({ $exists: false }) },
        { $set: { ready: archive, leaseUntil: new Date(0) } },
      );
      return modifiedCount === 1;
    },
    expire: async (proofId, expiresAt) => {
      await model.updateOne({ _id: proofId }, { $set: { expiresAt } });
    },
    others: async (identityId, proofId) =>
      (await model.find({ identityId }).lean<ProofDocument[]>()).filter(({ _id }) => _id !== proofId),
    expired: (now) =>
      model
        .find({ expiresAt: trusted({ $lte: now }) })
        .limit(100)
        .lean<ProofDocument[]>(),
    condemn: async (proofId) => {
      await model.updateOne({ _id: proofId }, { $unset: { ready: '' }, $set: { expiresAt: new Date(0) } });
    },
    remove: async (proofId) => {
      await model.deleteOne({ _id: proofId });
    },
  };
};
