import {
  type ConsentFacts,
  type Envelope,
  type EvaluatedEvidence,
  type EvaluatedIdentity,
  present,
  type VerificationSettings,
} from '@assay/contracts';
import {
  createRecentDocuments,
  directly,
  inboxFields,
  isDuplicateKey,
  outboxFields,
  outboxIndex,
  remember,
  trusted,
} from '@assay/mongo';
import { type Connection, type Model, Schema } from 'mongoose';
import type { Case, CaseEvidence } from '../domain/case.ts';
import { type Agreement, type FaceComparison, noFacts } from '../domain/facts.ts';

/**
 * A case as stored. A closed one is a tombstone: nothing of the identity is left, and late events
 * have no effect.
 */
export interface CaseDocument extends Case {
  closed?: boolean;
  forgetAt?: Date;
  inbox: string[];
}

/**
 * Version 4 keeps what is confirmed without an issuer beside what its answer confirmed. Version 3
 * did not: nothing is confirmed there while the answer is set aside. Since version 3 a face may be
 * without its template, and `undescribed` then says where it is (decision 37); version 2 had a
 * template of every face that was seen. Version 1 had `judgedUnder` and `told` where both have
 * `reevaluatedUnder` and `lastPublished`.
 */
const CASE_VERSION = 4;

const schema = new Schema(
  {
    _id: String,
    tenantId: String,
    revision: { type: Number, default: 0 },
    createdUnder: { type: Schema.Types.Mixed as unknown as VerificationSettings },
    reevaluatedUnder: { type: Schema.Types.Mixed as unknown as NonNullable<Case['reevaluatedUnder']> },
    evidences: { type: Schema.Types.Mixed as unknown as CaseEvidence[] },
    consents: { type: Schema.Types.Mixed as unknown as ConsentFacts },
    comparisons: { type: Schema.Types.Mixed as unknown as FaceComparison[] },
    agreements: { type: Schema.Types.Mixed as unknown as Agreement[] },
    deleted: { type: [String], default: [] },
    lastPublished: { type: Schema.Types.Mixed as unknown as EvaluatedIdentity },
    dueAt: Date,
    schemaVersion: { type: Number, default: CASE_VERSION },
    // Names of version 1.
    judgedUnder: Schema.Types.Mixed,
    told: Schema.Types.Mixed,
    closed: Boolean,
    forgetAt: Date,
    ...inboxFields,
    ...outboxFields,
  },
  { versionKey: false, minimize: false },
);
outboxIndex(schema);
schema.index({ dueAt: 1 }, { sparse: true });
// MongoDB removes tombstones; the gateway publishes expired transactions, nothing depends on this.
schema.index({ forgetAt: 1 }, { expireAfterSeconds: 0, sparse: true });

// biome-ignore lint/suspicious/noExplicitAny: the fields are checked by CaseDocument where they are used
export type CaseModel = Model<any>;
export const caseModel = (connection: Connection): CaseModel =>
  connection.model('cases', schema, 'cases') as unknown as CaseModel;

/** What a sweep reads of a case, so that one that cannot be parsed does not stop the others. */
export type DueCase = Pick<CaseDocument, '_id' | 'tenantId' | 'dueAt'>;

export interface CaseStore {
  /** The case, also a closed one; undefined if no event of the identity has arrived yet. */
  find(identityId: string): Promise<CaseDocument | undefined>;
  /** The case; a new one, at revision 0, if no event of the identity has arrived yet. */
  open(identityId: string, tenantId: string): Promise<CaseDocument>;
  /**
   * The case as this process wrote it a moment ago, without a read: it may have been changed since,
   * or closed.
   */
  recent(identityId: string): CaseDocument | undefined;
  /**
   * Writes the case after a message, with its events, if no other write came in between. A new case
   * is stored with them.
   */
  write(before: CaseDocument, after: Case, messageId: string, events: readonly Envelope<unknown>[]): Promise<boolean>;
  /** Puts events into the outbox without changing the case. */
  addEvents(identityId: string, messageId: string, events: readonly Envelope<unknown>[]): Promise<void>;
  /** Cases that are due by then, the earliest first. */
  due(at: Date, options: { limit: number; except: readonly string[] }): Promise<DueCase[]>;
  /** Leaves a tombstone of an identity. */
  close(identityId: string, tenantId: string, forgetAt: Date): Promise<void>;
}

const FIELDS = [
  'createdUnder',
  'reevaluatedUnder',
  'evidences',
  'consents',
  'comparisons',
  'agreements',
  'deleted',
  'lastPublished',
  'dueAt',
] as const;
/** Members under the names of version 1: read, and replaced at the next write. */
const FORMER_FIELDS = ['judgedUnder', 'told'] as const;

type FormerEvidence = CaseEvidence & { told?: EvaluatedEvidence };
type StoredCase = CaseDocument & { schemaVersion?: number };
type FormerCase = Omit<StoredCase, 'evidences'> & {
  evidences?: FormerEvidence[];
  judgedUnder?: NonNullable<Case['reevaluatedUnder']>;
  told?: EvaluatedIdentity;
};

const withPresentNames = ({ told: published, ...evidence }: FormerEvidence): CaseEvidence =>
  published && !evidence.lastPublished ? { ...evidence, lastPublished: published } : evidence;

/** A case of version 1, under the names of this one. A closed one has no evidences. */
const fromFirst = ({ told: published, judgedUnder: policy, evidences, ...rest }: FormerCase): StoredCase =>
  ({
    ...present({ reevaluatedUnder: policy, lastPublished: published }),
    ...rest,
    ...present({ evidences: evidences?.map(withPresentNames) }),
  }) as StoredCase;

/** A case as any version stored it, in the shape of this one. */
const read = (stored: StoredCase): CaseDocument => {
  const { schemaVersion = 1, ...document } = stored;
  return schemaVersion === 1 ? fromFirst(document) : document;
};

/** A case of which nothing is stored yet. */
export const beginCase = (identityId: string, tenantId: string): CaseDocument => {
  const { consents } = noFacts();
  const facts = { evidences: [], consents, comparisons: [], agreements: [] };
  return { _id: identityId, tenantId, revision: 0, ...facts, deleted: [], inbox: [] };
};

/** The members of a case that a write stores. */
const storedOf = (after: Case): Partial<Case> =>
  Object.fromEntries(FIELDS.filter((field) => after[field] !== undefined).map((field) => [field, after[field]]));

const dueCases =
  (model: CaseModel): CaseStore['due'] =>
  async (at, { limit, except }) => {
    const isDue = { dueAt: trusted({ $lte: at }), _id: trusted({ $nin: [...except] }) };
    return model.find(isDue, { tenantId: 1, dueAt: 1 }).sort({ dueAt: 1 }).limit(limit).lean<DueCase[]>();
  };

export const createCaseStore = (model: CaseModel): CaseStore => {
  const recent = createRecentDocuments<CaseDocument>();
  const direct = directly(model);
  const find = async (identityId: string) => {
    const stored = await model.findById(identityId, { said: 0 }).lean<StoredCase>();
    return stored ? read(stored) : undefined;
  };
  return {
    find,
    recent: recent.get,
    open: async (identityId, tenantId) => (await find(identityId)) ?? beginCase(identityId, tenantId),
    write: async (before, after, messageId, events) => {
      const { _id, tenantId, revision } = before;
      const $set = storedOf(after);
      const schemaVersion = CASE_VERSION;
      const begins = revision === 0;
      const update = {
        $set: { ...$set, schemaVersion },
        $unset: Object.fromEntries(FORMER_FIELDS.map((field) => [field, 1])),
        $inc: { revision: 1 },
        $push: { ...remember(messageId), ...(events.length > 0 ? { outbox: { $each: [...events] } } : {}) },
      };
      // A tombstone has a revision above 0.
      const written = begins
        ? direct.update({ _id, revision }, { ...update, $setOnInsert: { tenantId } }, { upsert: true })
        : direct.update({ _id, revision, closed: null }, update);
      const isWritten = await written.then(
        ({ matchedCount, upsertedCount }) => matchedCount + upsertedCount === 1,
        (error: unknown) => {
          // Another process has created, or closed, the case meanwhile.
          if (begins && isDuplicateKey(error)) return false;
          throw error;
        },
      );
      const inbox = [...before.inbox, messageId];
      if (isWritten)
        recent.set({ _id, tenantId, ...storedOf(before), ...$set, revision: revision + 1, inbox } as CaseDocument);
      else recent.delete(_id);
      return isWritten;
    },
    addEvents: async (identityId, messageId, events) => {
      await direct.update(
        { _id: identityId, closed: null },
        { $push: { ...remember(messageId), outbox: { $each: [...events] } } },
      );
    },
    due: dueCases(model),
    close: async (identityId, tenantId, forgetAt) => {
      recent.delete(identityId);
      const $unset = Object.fromEntries(
        [...FIELDS, ...FORMER_FIELDS, 'inbox', 'outbox', 'outboxLease', 'said', 'saidDueAt'].map((field) => [field, 1]),
      );
      await model.updateOne(
        { _id: identityId },
        { $set: { tenantId, closed: true, forgetAt }, $unset, $inc: { revision: 1 } },
        { upsert: true },
      );
    },
  };
};
