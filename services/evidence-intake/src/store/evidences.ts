import type {
  Consent,
  Envelope,
  EvidenceType,
  IdentityOperationName,
  MediaReference,
  VerificationSettings,
} from '@assay/contracts';
import { isDuplicateKey, type OutboxDocument, outboxFields, outboxIndex, trusted } from '@assay/mongo';
import { type Connection, type Model, Schema } from 'mongoose';
import type { SessionRequest } from '../domain/live-session.ts';

/** Frames that one request brought to a session. What stands in no batch of its session counts for nothing. */
export interface Batch {
  batchId: string;
  frames: number;
}

/** A live capture session of an evidence; while it is OPEN nothing was submitted yet. */
export interface LiveSession {
  sessionId: string;
  request: SessionRequest;
  keepVideo: boolean;
  state: 'OPEN' | 'ENDED' | 'TIMED_OUT';
  expiresAt?: Date;
  batches: Batch[];
}

/** One evidence as it was submitted. What became of it is the worker's case; here stands only whether it still waits for a word. */
export interface Evidence extends OutboxDocument {
  _id: string;
  tenantId: string;
  identityId: string;
  type: EvidenceType;
  operation: IdentityOperationName;
  submitDateTime: Date;
  identityCreationDateTime?: string;
  media: MediaReference[];
  sealedSubmission?: string;
  session?: LiveSession;
  consents: Consent[];
  settings: VerificationSettings;
  /** Newest evidenceRevision heard of. */
  evaluatedRevision: number;
  /** When the reconciler looks at it again; absent once it has a stable status, waits for an operator, or was deleted. */
  reissueAt?: Date;
  reissues: number;
  deletedAt?: Date;
}

const evidenceSchema = new Schema<Evidence>(
  {
    _id: { type: String, required: true },
    tenantId: { type: String, required: true },
    identityId: { type: String, required: true },
    type: { type: String, required: true },
    operation: { type: String, required: true },
    submitDateTime: { type: Date, required: true },
    identityCreationDateTime: String,
    media: { type: Schema.Types.Mixed, default: [] },
    sealedSubmission: String,
    session: { type: Schema.Types.Mixed },
    consents: { type: Schema.Types.Mixed, default: [] },
    settings: { type: Schema.Types.Mixed, required: true },
    evaluatedRevision: { type: Number, default: 0 },
    reissueAt: Date,
    reissues: { type: Number, default: 0 },
    deletedAt: Date,
    ...outboxFields,
  },
  { versionKey: false, minimize: false },
);
evidenceSchema.index({ identityId: 1 });
evidenceSchema.index({ reissueAt: 1 }, { sparse: true });
evidenceSchema.index({ 'session.expiresAt': 1 }, { sparse: true });
evidenceSchema.index({ 'session.sessionId': 1 }, { sparse: true });
outboxIndex(evidenceSchema);

export type EvidenceModel = Model<Evidence>;
export const evidenceModel = (connection: Connection): EvidenceModel =>
  connection.model<Evidence>('evidences', evidenceSchema, 'evidences');

export interface EvidenceStore {
  /** Record and outgoing event in one write (invariant 2). False when an evidence of this id is there already. */
  insert(evidence: Evidence): Promise<boolean>;
  find(id: string, identityId: string): Promise<Evidence | undefined>;
  findSession(sessionId: string, identityId: string): Promise<Evidence | undefined>;
  /** The frames of a request count from here on. False when the session was not open any more, or has the batch already. */
  addBatch(id: string, batch: Batch): Promise<boolean>;
  /** Ends an open session and announces what came of it, in one write. False when it was not open any more. */
  endSession(
    id: string,
    state: 'ENDED' | 'TIMED_OUT',
    media: MediaReference[],
    event: Envelope<unknown>,
    reissueAt: Date,
  ): Promise<boolean>;
  /** A newer evaluation than any heard of; a stable status ends the waiting. */
  heard(id: string, identityId: string, revision: number, settled: boolean): Promise<void>;
  /** Forgets what was submitted; the record stays as a mark that it was deleted. False when it was already, or never was. */
  markDeleted(id: string, identityId: string, at: Date): Promise<boolean>;
  overdue(now: Date, limit: number): Promise<Evidence[]>;
  expiredSessions(now: Date, limit: number): Promise<Evidence[]>;
  /** Issues work again, if nobody else did since it was read. */
  reissue(evidence: Evidence, event: Envelope<unknown>, lookAgainAt: Date): Promise<boolean>;
  remove(id: string): Promise<void>;
  removeAll(identityId: string): Promise<void>;
  /** Those of these evidences that are not deleted. */
  among(ids: readonly string[]): Promise<Evidence[]>;
}

const present = { deletedAt: null };

export const createEvidenceStore = (model: EvidenceModel): EvidenceStore => ({
  insert: (evidence) =>
    model.insertOne(evidence).then(
      () => true,
      (error: unknown) => {
        if (isDuplicateKey(error)) return false;
        throw error;
      },
    ),
  find: async (id, identityId) =>
    (await model.findOne({ _id: id, identityId, ...present }).lean<Evidence>()) ?? undefined,
  findSession: async (sessionId, identityId) =>
    (await model.findOne({ 'session.sessionId': sessionId, identityId, ...present }).lean<Evidence>()) ?? undefined,
  addBatch: async (id, batch) => {
    const { modifiedCount } = await model.updateOne(
      { _id: id, 'session.state': 'OPEN', 'session.batches.batchId': trusted({ $ne: batch.batchId }), ...present },
      { $push: { 'session.batches': batch } },
    );
    return modifiedCount === 1;
  },
  endSession: async (id, state, media, event, reissueAt) => {
    const { modifiedCount } = await model.updateOne(
      { _id: id, 'session.state': 'OPEN', ...present },
      {
        $set: { media, 'session.state': state, reissueAt },
        $unset: { 'session.expiresAt': 1 },
        $push: { outbox: event },
      },
    );
    return modifiedCount === 1;
  },
  heard: async (id, identityId, revision, settled) => {
    await model.updateOne(
      { _id: id, identityId, evaluatedRevision: trusted({ $lt: revision }) },
      { $set: { evaluatedRevision: revision }, ...(settled ? { $unset: { reissueAt: 1 } } : {}) },
    );
  },
  markDeleted: async (id, identityId, at) => {
    const { modifiedCount } = await model.updateOne(
      { _id: id, identityId, ...present },
      { $set: { deletedAt: at, media: [] }, $unset: { sealedSubmission: 1, session: 1, reissueAt: 1 } },
    );
    return modifiedCount === 1;
  },
  overdue: (now, limit) =>
    model
      .find({ reissueAt: trusted({ $lte: now }) })
      .sort({ reissueAt: 1 })
      .limit(limit)
      .lean<Evidence[]>(),
  expiredSessions: (now, limit) =>
    model
      .find({ 'session.expiresAt': trusted({ $lte: now }) })
      .sort({ 'session.expiresAt': 1 })
      .limit(limit)
      .lean<Evidence[]>(),
  reissue: async (evidence, event, lookAgainAt) => {
    const { modifiedCount } = await model.updateOne(
      { _id: evidence._id, reissueAt: evidence.reissueAt ?? null },
      { $set: { reissueAt: lookAgainAt }, $inc: { reissues: 1 }, $push: { outbox: event } },
    );
    return modifiedCount === 1;
  },
  remove: async (id) => {
    await model.deleteOne({ _id: id });
  },
  removeAll: async (identityId) => {
    await model.deleteMany({ identityId });
  },
  among: (ids) => model.find({ _id: trusted({ $in: [...ids] }), ...present }).lean<Evidence[]>(),
});
