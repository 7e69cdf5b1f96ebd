import type {
  ClientRole,
  Consent,
  Envelope,
  EvidenceType,
  IdentityOperationName,
  MediaReference,
  NfcSessionRequest,
  VerificationSettings,
} from '@assay/contracts';
import { directly, type OutboxDocument, outboxFields, outboxIndex, trusted, unlessDuplicate } from '@assay/mongo';
import { type Connection, type Model, Schema } from 'mongoose';
import type { SessionRequest } from '../domain/live-session.ts';
import { type DueEvidences, dueEvidences } from './due-evidences.ts';

/** Frames of one request to a session; what is in no batch of its session counts for nothing. */
interface Batch {
  batchId: string;
  frames: number;
}

/** A session in which a chip is read. */
type ChipSessionRequest = { kind: 'CHIP' } & NfcSessionRequest;

/** A live capture session, or one in which a chip is read; while OPEN, nothing was submitted. */
export interface LiveSession {
  sessionId: string;
  request: SessionRequest | ChipSessionRequest;
  /** Of a chip's session, sealed: the challenge, and the state of chip authentication. */
  sealedChip?: string;
  /** The call that brought a chip's data: the same again gets the first answer. */
  broughtBy?: string;
  /**
   * Of submitted data of a chip: the readings to remove once their hashes were checked. Absent if a
   * former release stored the evidence.
   */
  unattached?: string[];
  keepVideo: boolean;
  state: 'OPEN' | 'ENDED' | 'TIMED_OUT';
  expiresAt?: Date;
  batches: Batch[];
}

/**
 * One evidence as it was submitted. Its evaluation is in the case of verification-worker; here is
 * only whether it still waits for one.
 */
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
  submittedBy?: ClientRole;
  awaitedDocumentIds?: string[];
  /** The newest evidenceRevision that ended the wait. */
  evaluatedRevision: number;
  /**
   * When the reconciler looks at it again; absent once it has a stable status, waits for an
   * operator, or was deleted.
   */
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
    submittedBy: String,
    awaitedDocumentIds: { type: [String], default: undefined },
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

/** The end of a session: it was submitted, or its time is over. */
export interface SessionEnding {
  state: 'ENDED' | 'TIMED_OUT';
  /** The media that are verified. */
  media: MediaReference[];
  /** evidence.submitted, as the session ended. */
  event: Envelope<unknown>;
  reissueAt: Date;
  /** Of a session in which a chip was read: the submitted data, and fields of `LiveSession`. */
  chip?: { sealedSubmission: string; broughtBy: string; unattached: string[] };
}

export interface EvidenceStore extends DueEvidences<Evidence> {
  /**
   * Record and outgoing event in one write (invariant 2). False when an evidence of this id is
   * there already.
   */
  insert(evidence: Evidence): Promise<boolean>;
  find(id: string, identityId: string): Promise<Evidence | undefined>;
  findSession(sessionId: string, identityId: string): Promise<Evidence | undefined>;
  /**
   * The frames of a request count from here on, as the batch behind so many others. False when the
   * session was not open any more, or has another number of batches.
   */
  addBatch(id: string, batch: Batch, behind: number): Promise<boolean>;
  /** Ends an open session and stores its event, in one write. False if it is no longer open. */
  endSession(id: string, ending: SessionEnding): Promise<boolean>;
  /**
   * Replaces what the server stores of a chip's session. False when it was not open any more, or
   * has other data than `former`.
   */
  storeChip(id: string, sealedChip: string, former: string): Promise<boolean>;
  /**
   * Records an evaluation that is not older than the last one, and ends the wait; returns the
   * evidence.
   */
  settled(
    id: string,
    identityId: string,
    revision: number,
  ): Promise<Pick<Evidence, '_id' | 'session' | 'media'> | undefined>;
  /**
   * Removes the submitted data; the record stays and says that it was deleted. False if it was
   * deleted before, or never existed.
   */
  markDeleted(id: string, identityId: string, at: Date): Promise<boolean>;
  /** Re-issues work, unless another process did since the evidence was read. */
  reissue(evidence: Evidence, event: Envelope<unknown>, lookAgainAt: Date): Promise<boolean>;
  remove(id: string): Promise<void>;
  removeAll(identityId: string): Promise<void>;
  /** Those of these evidences that are not deleted. */
  among(ids: readonly string[]): Promise<Evidence[]>;
}

const present = { deletedAt: null };

export const createEvidenceStore = (model: EvidenceModel): EvidenceStore => ({
  insert: (evidence) => unlessDuplicate(directly(model).insert(evidence)),
  find: async (id, identityId) =>
    (await model.findOne({ _id: id, identityId, ...present }).lean<Evidence>()) ?? undefined,
  findSession: async (sessionId, identityId) =>
    (await model.findOne({ 'session.sessionId': sessionId, identityId, ...present }).lean<Evidence>()) ?? undefined,
  addBatch: async (id, batch, behind) => {
    const { modifiedCount } = await model.updateOne(
      { _id: id, 'session.state': 'OPEN', 'session.batches': trusted({ $size: behind }), ...present },
      { $push: { 'session.batches': batch } },
    );
    return modifiedCount === 1;
  },
  storeChip: async (id, sealedChip, former) => {
    const { matchedCount } = await model.updateOne(
      { _id: id, 'session.state': 'OPEN', 'session.sealedChip': former, ...present },
      { $set: { 'session.sealedChip': sealedChip } },
    );
    return matchedCount === 1;
  },
  endSession: async (id, { state, media, event, reissueAt, chip }) => {
    const { modifiedCount } = await directly(model).update(
      { _id: id, 'session.state': 'OPEN', ...present },
      {
        $set: {
          media,
          'session.state': state,
          reissueAt,
          ...(chip && {
            sealedSubmission: chip.sealedSubmission,
            'session.broughtBy': chip.broughtBy,
            'session.unattached': chip.unattached,
          }),
        },
        $unset: { 'session.expiresAt': 1, 'session.sealedChip': 1 },
        $push: { outbox: event },
      },
    );
    return modifiedCount === 1;
  },
  settled: (id, identityId, revision) =>
    directly(model).updateAndGet<Pick<Evidence, '_id' | 'session' | 'media'>>(
      { _id: id, identityId, evaluatedRevision: { $lte: revision } },
      { $set: { evaluatedRevision: revision }, $unset: { reissueAt: 1 } },
      { session: 1, media: 1 },
    ),
  markDeleted: async (id, identityId, at) => {
    const { modifiedCount } = await model.updateOne(
      { _id: id, identityId, ...present },
      {
        $set: { deletedAt: at, media: [] },
        $unset: { sealedSubmission: 1, session: 1, reissueAt: 1 },
      },
    );
    return modifiedCount === 1;
  },
  ...dueEvidences(model),
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
