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
  /**
   * The time at which proofing ended: set once, so that a second attempt makes the same archive.
   */
  endedAt: Date;
  graceSeconds: number;
  /** When the archive is destroyed: the grace period after closing. */
  expiresAt: Date;
  /** Whether the closing has set that time; a former release does not say it. */
  isClosed?: boolean;
  leaseUntil: Date;
  /**
   * Every archive that was begun for this proof, so that the remains of an interrupted attempt are
   * removed with the rest.
   */
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
    isClosed: Boolean,
    leaseUntil: { type: Date, required: true },
    archiveIds: [String],
    ready,
  },
  { versionKey: false },
)
  .index({ identityId: 1 })
  .index({ expiresAt: 1 });

interface NewProof {
  proofId: string;
  tenantId: string;
  identityId: string;
  graceSeconds: number;
  now: Date;
}

export interface Proofs {
  /** The proof as it is; recorded now if it was not. */
  begin(proof: NewProof): Promise<ProofDocument>;
  find(proofId: string): Promise<ProofDocument | undefined>;
  /**
   * Takes the lease to build, and records the archive of the attempt; undefined if another process
   * builds the proof or has built it, or its archives are over.
   */
  lease(proofId: string, archiveId: string, now: Date, until: Date): Promise<ProofDocument | undefined>;
  prolong(proofId: string, archiveId: string, until: Date): Promise<void>;
  /** Ends an attempt that failed. One whose media may still be retained stays on the list. */
  release(proofId: string, archiveId: string, isReleased: boolean): Promise<void>;
  /**
   * Ends the attempt with an archive; false when the proof was destroyed, its archives were
   * condemned, or another attempt took over meanwhile.
   */
  finish(proofId: string, archive: ReadyArchive): Promise<boolean>;
  /**
   * The archive of an open identity is read: its grace period, for which it may be retrieved again,
   * begins anew. Nothing is written while its end is further away than that.
   */
  keep(proof: ProofDocument, now: Date): Promise<void>;
  /** Sets when the archive of a closed identity is destroyed. */
  expire(proofId: string, expiresAt: Date): Promise<void>;
  others(identityId: string, proofId: string | undefined): Promise<ProofDocument[]>;
  /**
   * Proofs whose time is over. Those that are unreadable already come last, so that one that cannot
   * be removed does not fill every round.
   */
  expired(now: Date, except: readonly string[]): Promise<ProofDocument[]>;
  /** Marks an archive as over: it is not read again, and is removed as soon as possible. */
  condemn(proofId: string): Promise<void>;
  remove(proofId: string): Promise<void>;
}

/** How much longer than its grace period an archive stays if the closing's event never arrives. */
const UNCLOSED_MS = 7 * 24 * 3600 * 1000;
/**
 * While the identity is open, its archive waits to be retrieved, or retrieved again, for the grace
 * period at least; the closing sets the real time.
 */
const unclosedUntil = (graceSeconds: number, now: Date): Date =>
  new Date(now.getTime() + graceSeconds * 1000 + UNCLOSED_MS);

/** The time of archives that are over and wait only for their removal. */
const CONDEMNED = new Date(0);
export const isCondemned = ({ expiresAt }: ProofDocument): boolean => expiresAt <= CONDEMNED;
const BATCH = 100;

/** The initial fields of a proof; fields that exist already stay. */
const fieldsOf = ({ tenantId, identityId, graceSeconds, now }: NewProof) => ({
  tenantId,
  identityId,
  graceSeconds,
  endedAt: now,
  expiresAt: unclosedUntil(graceSeconds, now),
  isClosed: false,
  leaseUntil: new Date(0),
  archiveIds: [],
});

const modelOf = (connection: Connection) => connection.model('proofs', schema, 'proofs');
type ProofModel = ReturnType<typeof modelOf>;
const NEWEST = { returnDocument: 'after' } as const;

const begin = async (model: ProofModel, proof: NewProof): Promise<ProofDocument> => {
  const change = { $setOnInsert: fieldsOf(proof) };
  const options = { upsert: true, ...NEWEST };
  return (await model.findOneAndUpdate({ _id: proof.proofId }, change, options).lean<ProofDocument>())!;
};

/** Not built yet, and not over either. */
const AWAITED = () => ({ ready: trusted({ $exists: false }), expiresAt: trusted({ $gt: CONDEMNED }) });

/** The writes of the holder of an attempt's lease, and the one that takes it. */
const leases = (model: ProofModel): Pick<Proofs, 'lease' | 'prolong' | 'release' | 'finish'> => ({
  lease: async (proofId, archiveId, now, until) =>
    (await model
      .findOneAndUpdate(
        { _id: proofId, ...AWAITED(), leaseUntil: trusted({ $lte: now }) },
        { $set: { leaseUntil: until }, $push: { archiveIds: archiveId } },
        NEWEST,
      )
      .lean<ProofDocument>()) ?? undefined,
  prolong: async (proofId, archiveId, until) => {
    await model.updateOne({ _id: proofId, archiveIds: archiveId }, { $set: { leaseUntil: until } });
  },
  release: async (proofId, archiveId, isReleased) => {
    await model.updateOne(
      { _id: proofId, archiveIds: archiveId },
      { $set: { leaseUntil: new Date(0) }, ...(isReleased ? { $pull: { archiveIds: archiveId } } : {}) },
    );
  },
  finish: async (proofId, archive) => {
    const { modifiedCount } = await model.updateOne(
      { _id: proofId, archiveIds: archive.archiveId, ...AWAITED() },
      { $set: { ready: archive, leaseUntil: new Date(0) } },
    );
    return modifiedCount === 1;
  },
});

/** The writes that bring about a proof's end, or put it off. */
const ends = (model: ProofModel): Pick<Proofs, 'keep' | 'expire' | 'condemn' | 'remove'> => ({
  keep: async ({ _id, graceSeconds, expiresAt }, now) => {
    const hasGrace = expiresAt.getTime() - now.getTime() > graceSeconds * 1000 + UNCLOSED_MS / 2;
    if (hasGrace) return;
    await model.updateOne({ _id, isClosed: false }, { $max: { expiresAt: unclosedUntil(graceSeconds, now) } });
  },
  expire: async (proofId, expiresAt) => {
    await model.updateOne({ _id: proofId }, { $set: { expiresAt, isClosed: true } });
  },
  condemn: async (proofId) => {
    const end = { expiresAt: CONDEMNED, isClosed: true };
    await model.updateOne({ _id: proofId }, { $unset: { ready: '' }, $set: end });
  },
  remove: async (proofId) => {
    await model.deleteOne({ _id: proofId });
  },
});

export const createProofs = (connection: Connection): Proofs => {
  const model = modelOf(connection);
  return {
    ...leases(model),
    ...ends(model),
    begin: (proof) => begin(model, proof),
    find: async (proofId) => (await model.findById(proofId).lean<ProofDocument>()) ?? undefined,
    others: async (identityId, proofId) =>
      (await model.find({ identityId }).lean<ProofDocument[]>()).filter(({ _id }) => _id !== proofId),
    expired: (now, except) =>
      model
        .find({ _id: trusted({ $nin: [...except] }), expiresAt: trusted({ $lte: now }) })
        .sort({ expiresAt: -1 })
        .limit(BATCH)
        .lean<ProofDocument[]>(),
  };
};
