import type { Bus } from '@assay/bus';
import { adjudicationDecided, adjudicationWaiting, CASE_STATES, type CaseState, present } from '@assay/contracts';
import {
  createOutbox,
  type Database,
  outboxEntry,
  outboxFields,
  outboxIndex,
  trusted,
  unlessDuplicate,
} from '@assay/mongo';
import type { Log } from '@assay/runtime';
import { type Model, Schema } from 'mongoose';
import type { AdjudicationCase, AdjudicationChange } from '../domain/adjudication-case.ts';
import { type Attributed, medianDecisionSeconds } from '../domain/case-days.ts';
import { isRefusal, type Refusal } from '../domain/change.ts';
import { type Batch, without } from './batch.ts';
import { changeWithDecision } from './change-with-decision.ts';

const Mixed = Schema.Types.Mixed;
const KEPT_SECONDS = 180 * 24 * 3600;
const schema = new Schema(
  {
    _id: String,
    revision: Number,
    tenantId: { type: String, required: true },
    identityId: { type: String, required: true },
    evidenceId: String,
    type: String,
    submitDateTime: String,
    requestedAt: String,
    expiresAt: Date,
    fourEyes: Boolean,
    raisedIndicators: [String],
    reasons: [String],
    media: [Mixed],
    chips: { type: [Mixed], default: undefined },
    similarity: Mixed,
    sealedFields: String,
    state: String,
    claimedBy: String,
    claimedAt: Date,
    claimedUntil: Date,
    decisions: [Mixed],
    outcome: String,
    closedBecause: String,
    decidedAt: Date,
    expiryUnrecorded: Boolean,
    noticeAt: Date,
    ...outboxFields,
  },
  { versionKey: false, id: false },
);
schema.index({ tenantId: 1, state: 1, requestedAt: 1, _id: 1 });
schema.index({ identityId: 1 });
schema.index({ state: 1, expiresAt: 1 });
schema.index({ expiryUnrecorded: 1 }, { sparse: true });
schema.index({ noticeAt: 1 }, { sparse: true });
// Only the newest decided or expired cases are in the statistics.
schema.index({ expiresAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });
outboxIndex(schema);

export interface Figures {
  open: number;
  claimed: number;
  decided: number;
  accepted: number;
  rejected: number;
  medianDecisionSeconds?: number;
}

/** The place of a case in a list; no two cases have the same. */
export interface CasePlace {
  requestedAt: string;
  caseId: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the model of a schema with members of any shape
type AdjudicationModel = Model<any>;

const SHOWN_DECISIONS = 100;
const MOST_COUNTED = 20_000;

/** Counts of a tenant's cases, and how long the newest decisions took. */
const figuresOf = async (model: AdjudicationModel, tenantId: string): Promise<Figures> => {
  const count = (filter: object) => model.countDocuments({ tenantId, ...filter });
  const [open, claimed, decided, accepted, rejected] = await Promise.all([
    count({ state: 'OPEN' }),
    count({ state: 'CLAIMED' }),
    count({ state: 'DECIDED' }),
    count({ state: 'DECIDED', outcome: 'ACCEPT' }),
    count({ state: 'DECIDED', outcome: 'REJECT' }),
  ]);
  const newest = await model
    .find({ tenantId, state: 'DECIDED', 'decisions.0': trusted({ $exists: true }) }, { decisions: 1 })
    .sort({ requestedAt: -1 })
    .limit(SHOWN_DECISIONS)
    .lean<AdjudicationCase[]>();
  return {
    open,
    claimed,
    decided,
    accepted,
    rejected,
    ...present({ medianDecisionSeconds: medianDecisionSeconds(newest.flatMap(({ decisions }) => decisions)) }),
  };
};

/**
 * Open cases, the longest waiting first; decided ones, the newest first. `after` is the place of
 * the last case of the page before.
 */
const listOf = (
  model: AdjudicationModel,
  tenantId: string,
  state: CaseState,
  after: CasePlace | undefined,
  limit: number,
): Promise<AdjudicationCase[]> => {
  const [direction, beyond] = state === 'DECIDED' ? ([-1, '$lt'] as const) : ([1, '$gt'] as const);
  const later = after && [
    { requestedAt: trusted({ [beyond]: after.requestedAt }) },
    { requestedAt: after.requestedAt, _id: trusted({ [beyond]: after.caseId }) },
  ];
  return model
    .find({ tenantId, state, ...present({ $or: later }) }, { outbox: 0, said: 0, sealedFields: 0 })
    .sort({ requestedAt: direction, _id: direction })
    .limit(limit)
    .lean<AdjudicationCase[]>()
    .exec();
};

/** The statistics of the cases. */
const counts = (model: AdjudicationModel) => ({
  /** How many cases of each tenant wait for an operator, and since when. */
  waiting: (): Promise<{ tenantId: string; count: number; since: string }[]> =>
    model.aggregate([
      { $match: { state: { $in: ['OPEN', 'CLAIMED'] } } },
      { $group: { _id: '$tenantId', count: { $sum: 1 }, since: { $min: '$requestedAt' } } },
      { $project: { _id: 0, tenantId: '$_id', count: 1, since: 1 } },
    ]),

  /**
   * Cases of a tenant that came since a time: when and why, how they ended, and who decided. Of
   * very many the newest.
   */
  since: (tenantId: string, requestedAt: string): Promise<Attributed[]> =>
    model
      .find(
        { tenantId, state: trusted({ $in: [...CASE_STATES] }), requestedAt: trusted({ $gte: requestedAt }) },
        { _id: 0, requestedAt: 1, outcome: 1, decidedAt: 1, reasons: 1, decisions: 1 },
      )
      .sort({ requestedAt: -1 })
      .limit(MOST_COUNTED)
      .lean<Attributed[]>()
      .exec(),

  figures: (tenantId: string): Promise<Figures> => figuresOf(model, tenantId),
});

const due = (model: AdjudicationModel) => ({
  /** Cases that have expired, or whose expiry is not in the audit log yet. */
  expired: (now: Date, { limit, except }: Batch): Promise<Pick<AdjudicationCase, '_id' | 'tenantId'>[]> =>
    model
      .find(
        {
          _id: without(except),
          $or: [
            { state: trusted({ $in: ['OPEN', 'CLAIMED'] }), expiresAt: trusted({ $lte: now }) },
            { expiryUnrecorded: true },
          ],
        },
        { _id: 1, tenantId: 1 },
      )
      .limit(limit)
      .lean<AdjudicationCase[]>()
      .exec(),

  /** Open cases of which the tenant is to be notified. */
  toReport: (now: Date, { limit, except }: Batch) =>
    model
      .find(
        { _id: without(except), state: trusted({ $in: ['OPEN', 'CLAIMED'] }), noticeAt: trusted({ $lte: now }) },
        { _id: 1, tenantId: 1, identityId: 1 },
      )
      .limit(limit)
      .lean<Pick<AdjudicationCase, '_id' | 'tenantId' | 'identityId'>[]>()
      .exec(),
});

export interface Deps {
  mongodb: Database;
  rabbitmq: Pick<Bus, 'publish'>;
  log: Log;
  /** How long after an event it is republished for the first time, in milliseconds. */
  republishAfterMs?: number | undefined;
}

export type Adjudications = ReturnType<typeof createAdjudications>;

/** The queue of the operators: requested cases, and their decisions. */
export const createAdjudications = ({ mongodb, rabbitmq, log, republishAfterMs: afterMs }: Deps) => {
  const model = mongodb.connection.model('adjudications', schema, 'adjudications');
  const outbox = createOutbox({ model, bus: rabbitmq, log, service: 'gateway', republish: { afterMs } });

  return {
    outbox,

    /** Adds a case. One that is there already stays as it is; false then. */
    insert: (waiting: AdjudicationCase): Promise<boolean> => unlessDuplicate(model.create(waiting)),

    list: (tenantId: string, state: CaseState, after: CasePlace | undefined, limit: number) =>
      listOf(model, tenantId, state, after, limit),

    find: (tenantId: string, caseId: string): Promise<AdjudicationCase | null> =>
      model.findOne({ _id: caseId, tenantId }, { outbox: 0, said: 0 }).lean<AdjudicationCase>().exec(),

    /** Decides about the stored case; a final decision is published in the same write. */
    change: async (
      caseId: string,
      decide: (adjudication: AdjudicationCase) => AdjudicationChange | Refusal | undefined,
      { now }: { now: Date },
    ): Promise<{ written: boolean } | Refusal> => {
      const eventsOf = ({ tenantId, identityId }: AdjudicationCase, { decided, waiting }: AdjudicationChange) => {
        const about = { tenantId, identityId, at: now };
        return [
          ...(decided ? [outboxEntry(adjudicationDecided, { ...about, data: decided })] : []),
          ...(waiting ? [outboxEntry(adjudicationWaiting, { ...about, data: waiting })] : []),
        ];
      };
      const result = await changeWithDecision({ model, id: caseId, decide, eventsOf });
      if (isRefusal(result)) return result;
      if (result.events.length) void outbox.publishNow(caseId, result.events);
      return { written: result.change !== undefined };
    },

    /** Of one evidence, if it is given. */
    ofIdentity: async (identityId: string, evidenceId?: string): Promise<{ tenantId: string; caseId: string }[]> =>
      (
        await model
          .find({ identityId, ...present({ evidenceId }) }, { _id: 1, tenantId: 1 })
          .lean<Pick<AdjudicationCase, '_id' | 'tenantId'>[]>()
      ).map(({ _id, tenantId }) => ({ tenantId, caseId: _id })),

    ...due(model),
    ...counts(model),
  };
};
