import type { Bus } from '@assay/bus';
import { adjudicationDecided, type WrappedKey } from '@assay/contracts';
import { ApiError } from '@assay/http';
import {
  createOutbox,
  type Database,
  isDuplicateKey,
  outboxEntry,
  outboxFields,
  outboxIndex,
  trusted,
  updateWithRevision,
} from '@assay/mongo';
import type { Log } from '@assay/runtime';
import { Schema } from 'mongoose';
import type { AdjudicationCase, CaseChange, CaseState } from '../domain/adjudication.ts';
import { isRefusal, type Refusal } from '../domain/change.ts';

const Mixed = Schema.Types.Mixed;
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
    sealedFields: String,
    state: String,
    claimedBy: String,
    claimedAt: Date,
    claimedUntil: Date,
    decisions: [Mixed],
    outcome: String,
    decidedAt: Date,
    ...outboxFields,
  },
  { versionKey: false, id: false },
);
schema.index({ tenantId: 1, state: 1, requestedAt: 1, _id: 1 });
schema.index({ identityId: 1 });
schema.index({ state: 1, expiresAt: 1 });
outboxIndex(schema);

export interface Figures {
  open: number;
  claimed: number;
  decided: number;
  accepted: number;
  rejected: number;
  medianDecisionSeconds?: number;
}

/** Where a case stands in a list: no two stand in one place, though they came at the same moment. */
export const placeOf = ({ requestedAt, caseId }: { requestedAt: string; caseId: string }): string =>
  `${requestedAt}~${caseId}`;

export type Adjudications = ReturnType<typeof createAdjudications>;

/** The operators' queue: cases as the worker asked for them, and what operators made of them. */
export const createAdjudications = ({
  database,
  bus,
  log,
}: {
  database: Database;
  bus: Pick<Bus, 'publish'>;
  log: Log;
}) => {
  const model = database.connection.model('adjudications', schema, 'adjudications');
  const outbox = createOutbox({ model, bus, log, service: 'gateway' });

  return {
    outbox,

    /** Takes a case in; one that is there already stays as it is. */
    insert: async (waiting: AdjudicationCase): Promise<void> => {
      await model.create(waiting).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
    },

    /** Cases that wait, the longest waiting first; decided ones, the newest first. `after` is the place of the last one had before. */
    list: (
      tenantId: string,
      state: CaseState,
      after: string | undefined,
      limit: number,
    ): Promise<AdjudicationCase[]> => {
      const [direction, beyond] = state === 'DECIDED' ? ([-1, '$lt'] as const) : ([1, '$gt'] as const);
      const [requestedAt = '', caseId = ''] = after?.split('~') ?? [];
      const later = [
        { requestedAt: trusted({ [beyond]: requestedAt }) },
        { requestedAt, _id: trusted({ [beyond]: caseId }) },
      ];
      return model
        .find({ tenantId, state, ...(after === undefined ? {} : { $or: later }) }, { outbox: 0, sealedFields: 0 })
        .sort({ requestedAt: direction, _id: direction })
        .limit(limit)
        .lean<AdjudicationCase[]>()
        .exec();
    },

    find: (tenantId: string, caseId: string): Promise<AdjudicationCase | null> =>
      model.findOne({ _id: caseId, tenantId }, { outbox: 0 }).lean<AdjudicationCase>().exec(),

    /** Decides on a case as it stands; a final decision is announced in the same write. */
    change: async (
      caseId: string,
      decide: (of: AdjudicationCase) => CaseChange | Refusal | undefined,
      { now, key }: { now: Date; key?: WrappedKey | undefined },
    ): Promise<void> => {
      const outcome = await updateWithRevision<AdjudicationCase>(model, caseId, (of) => {
        const change = decide(of);
        if (isRefusal(change))
          throw new ApiError(change.refused, change.field === undefined ? {} : { field: change.field });
        if (!change) return undefined;
        const { tenantId, identityId } = of;
        const entry =
          change.decided &&
          outboxEntry(adjudicationDecided, { tenantId, identityId, at: now, key, data: change.decided });
        return {
          $set: change.set,
          ...(change.unset ? { $unset: Object.fromEntries(change.unset.map((field) => [field, 1])) } : {}),
          ...(entry ? { $push: { outbox: entry } } : {}),
        };
      });
      if (!outcome) throw new ApiError('NOT_FOUND');
      if (outcome.written) void outbox.publishNow(caseId);
    },

    expired: (now: Date, limit: number): Promise<Pick<AdjudicationCase, '_id' | 'identityId'>[]> =>
      model
        .find(
          { state: trusted({ $in: ['OPEN', 'CLAIMED'] }), expiresAt: trusted({ $lte: now }) },
          { _id: 1, identityId: 1 },
        )
        .limit(limit)
        .lean<AdjudicationCase[]>()
        .exec(),

    ofIdentity: async (identityId: string): Promise<string[]> =>
      (await model.find({ identityId }, { _id: 1 }).lean<AdjudicationCase[]>()).map(({ _id }) => _id),

    /** Counts of a tenant's cases, and how long the newest decisions took. */
    figures: async (tenantId: string): Promise<Figures> => {
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
        .limit(100)
        .lean<AdjudicationCase[]>();
      const seconds = newest
        .flatMap(({ decisions }) =>
          decisions.map(({ startTime, endTime }) => (Date.parse(`${endTime}Z`) - Date.parse(`${startTime}Z`)) / 1000),
        )
        .sort((a, b) => a - b);
      const median = seconds[Math.floor(seconds.length / 2)];
      return {
        open,
        claimed,
        decided,
        accepted,
        rejected,
        ...(median === undefined ? {} : { medianDecisionSeconds: median }),
      };
    },
  };
};
