import type { Envelope, EvaluatedIdentity, VerificationSettings } from '@assay/contracts';
import { inboxFields, isDuplicateKey, outboxFields, outboxIndex, remember } from '@assay/mongo';
import { type Connection, type Model, Schema } from 'mongoose';
import type { Case, CaseEvidence } from '../domain/case.ts';
import type { Agreement, ConsentFacts, FaceComparison } from '../domain/facts.ts';
import { noFacts } from '../domain/facts.ts';

/** A case as stored. A closed one is a tombstone: nothing of the identity is left, and nothing comes back. */
export interface CaseDocument extends Case {
  closed?: boolean;
  forgetAt?: Date;
  inbox: string[];
}

const schema = new Schema(
  {
    _id: String,
    tenantId: String,
    revision: { type: Number, default: 0 },
    createdUnder: { type: Schema.Types.Mixed as unknown as VerificationSettings },
    judgedUnder: { type: Schema.Types.Mixed as unknown as NonNullable<Case['judgedUnder']> },
    evidences: { type: Schema.Types.Mixed as unknown as CaseEvidence[] },
    consents: { type: Schema.Types.Mixed as unknown as ConsentFacts },
    comparisons: { type: Schema.Types.Mixed as unknown as FaceComparison[] },
    agreements: { type: Schema.Types.Mixed as unknown as Agreement[] },
    deleted: { type: [String], default: [] },
    told: { type: Schema.Types.Mixed as unknown as EvaluatedIdentity },
    closed: Boolean,
    forgetAt: Date,
    ...inboxFields,
    ...outboxFields,
  },
  { versionKey: false, minimize: false },
);
outboxIndex(schema);
// Tombstones go by themselves; an expired transaction is told of by the gateway, nothing hangs on this.
schema.index({ forgetAt: 1 }, { expireAfterSeconds: 0, sparse: true });

// biome-ignore lint/suspicious/noExplicitAny: the fields are checked by CaseDocument where they are used
export type CaseModel = Model<any>;
export const caseModel = (connection: Connection): CaseModel =>
  connection.model('cases', schema, 'cases') as unknown as CaseModel;

export interface CaseStore {
  /** The case, also a closed one; undefined when nothing was heard of the identity yet. */
  find(identityId: string): Promise<CaseDocument | undefined>;
  /** The case, made if it is not there. */
  open(identityId: string, tenantId: string): Promise<CaseDocument>;
  /** Writes the case as it is after a message, with the events that tell of it, if nobody wrote since it was read. */
  write(before: CaseDocument, after: Case, messageId: string, events: readonly Envelope<unknown>[]): Promise<boolean>;
  /** Puts events into the outbox without changing the case. */
  tell(identityId: string, messageId: string, events: readonly Envelope<unknown>[]): Promise<void>;
  /** Leaves a tombstone of an identity. */
  close(identityId: string, tenantId: string, forgetAt: Date): Promise<void>;
}

const FIELDS = [
  'createdUnder',
  'judgedUnder',
  'evidences',
  'consents',
  'comparisons',
  'agreements',
  'deleted',
  'told',
] as const;

export const createCaseStore = (model: CaseModel): CaseStore => {
  const find = async (identityId: string) => (await model.findById(identityId).lean<CaseDocument>()) ?? undefined;
  return {
    find,
    open: async (identityId, tenantId) => {
      const known = await find(identityId);
      if (known) return known;
      const { evidences, consents, comparisons, agreements } = noFacts();
      const fresh = { tenantId, revision: 0, evidences, consents, comparisons, agreements, deleted: [], inbox: [] };
      await model.updateOne({ _id: identityId }, { $setOnInsert: fresh }, { upsert: true }).catch((error: unknown) => {
        // Two upserts of one id at once: the other one made it.
        if (!isDuplicateKey(error)) throw error;
      });
      return (await find(identityId))!;
    },
    write: async (before, after, messageId, events) => {
      const $set = Object.fromEntries(
        FIELDS.filter((field) => after[field] !== undefined).map((field) => [field, after[field]]),
      );
      const { matchedCount } = await model.updateOne(
        { _id: before._id, revision: before.revision, closed: null },
        {
          $set,
          $inc: { revision: 1 },
          $push: { ...remember(messageId), ...(events.length > 0 ? { outbox: { $each: [...events] } } : {}) },
        },
      );
      return matchedCount === 1;
    },
    tell: async (identityId, messageId, events) => {
      await model.updateOne(
        { _id: identityId, closed: null },
        { $push: { ...remember(messageId), outbox: { $each: [...events] } } },
      );
    },
    close: async (identityId, tenantId, forgetAt) => {
      const $unset = Object.fromEntries([...FIELDS, 'inbox', 'outbox', 'outboxLease'].map((field) => [field, 1]));
      await model.updateOne(
        { _id: identityId },
        { $set: { tenantId, closed: true, forgetAt }, $unset, $inc: { revision: 1 } },
        { upsert: true },
      );
    },
  };
};
