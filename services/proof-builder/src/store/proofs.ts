import { type Connection, Schema, trusted } from 'mongoose';

/** A complete archive: which of the attempts made it. */
export interface ReadyArchive {
  archiveId: string;
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
  /** Every archive that was begun for this proof: what an attempt that died left is removed with the rest. */
  archiveIds: string[];
  ready?: ReadyArchive;
}

const ready = new Schema<ReadyArchive>({ archiveId: String, bytes: Number, filename: String }, { _id: false });
const schema = new Schema<ProofDocument>(
  {
    _id: String,
    tenantId: { type: String, required: true },
    identityId: { type: String, required: true },
    endedAt: { type: Date, required: true },
    graceSeconds: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
    leaseUntil: { type: Date, required: true },
    archiveIds: [String],
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
  /** Takes the right to build for a while, and notes the archive the attempt will make; undefined when somebody else builds or has built. */
  lease(proofId: string, archiveId: string, now: Date, until: Date): Promise<ProofDocument | undefined>;
  prolong(proofId: string, archiveId: string, until: Date): Promise<void>;
  /** Ends an attempt that failed. One that still holds media stays on the list. */
  release(proofId: string, archiveId: string, hasLetGo: boolean): Promise<void>;
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
        archiveIds: [],
      };
      const document = await model
        .findOneAndUpdate({ _id: proofId }, { $setOnInsert: fields }, { upsert: true, ...newest })
        .lean<ProofDocument>();
      return document!;
    },
    find: async (proofId) => (await model.findById(proofId).lean<ProofDocument>()) ?? undefined,
    lease: async (proofId, archiveId, now, until) =>
      (await model
        .findOneAndUpdate(
          { _id: proofId, ready: trusted({ $exists: false }), leaseUntil: trusted({ $lte: now }) },
          { $set: { leaseUntil: until }, $push: { archiveIds: archiveId } },
          newest,
        )
        .lean<ProofDocument>()) ?? undefined,
    prolong: async (proofId, archiveId, until) => {
      await model.updateOne({ _id: proofId, archiveIds: archiveId }, { $set: { leaseUntil: until } });
    },
    release: async (proofId, archiveId, hasLetGo) => {
      await model.updateOne(
        { _id: proofId, archiveIds: archiveId },
        { $set: { leaseUntil: new Date(0) }, ...(hasLetGo ? { $pull: { archiveIds: archiveId } } : {}) },
      );
    },
    finish: async (proofId, archive) => {
      const { modifiedCount } = await model.updateOne(
        { _id: proofId, archiveIds: archive.archiveId, ready: trusted({ $exists: false }) },
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
