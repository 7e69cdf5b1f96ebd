import type { Bus } from '@assay/bus';
import type { Envelope, WrappedKey } from '@assay/contracts';
import { evaluationPublished, identityClosed, identityStatusChanged } from '@assay/contracts';
import { ApiError } from '@assay/http';
import {
  createOutbox,
  type Database,
  outboxEntry,
  outboxFields,
  outboxIndex,
  trusted,
  updateWithRevision,
} from '@assay/mongo';
import type { Log } from '@assay/runtime';
import { Schema } from 'mongoose';
import { applied, type Change, type Decision, type Fact, isRefusal } from '../domain/change.ts';
import { type Identity, STATES } from '../domain/identity.ts';

const Mixed = Schema.Types.Mixed;
const schema = new Schema(
  {
    _id: String,
    tenantId: { type: String, required: true },
    revision: { type: Number, required: true },
    state: { type: String, enum: STATES, required: true },
    createdAt: Date,
    expiresAt: Date,
    creatorRole: String,
    settings: Mixed,
    businessId: String,
    previousProofId: String,
    consents: [Mixed],
    consentsRevision: Number,
    evidences: [Mixed],
    reservations: [Mixed],
    deletedEvidenceIds: [String],
    operationIds: [String],
    caseRevision: Number,
    evaluated: Mixed,
    proof: Mixed,
    closing: Mixed,
    closedAt: Date,
    forgetAt: Date,
    receipt: Mixed,
    markers: [Mixed],
    contacts: [Mixed],
    otpDueAt: Date,
    ...outboxFields,
  },
  { versionKey: false, minimize: false, id: false },
);
schema.index({ state: 1, expiresAt: 1 });
schema.index({ 'reservations.0.leaseUntil': 1 }, { sparse: true });
schema.index({ forgetAt: 1 }, { sparse: true });
schema.index({ otpDueAt: 1 }, { sparse: true });
schema.index({ 'evidences.sessionId': 1 }, { sparse: true });
outboxIndex(schema);

/** Events that are read without the identity's key; all others carry it wrapped. */
const KEYLESS: readonly string[] = [evaluationPublished.type, identityStatusChanged.type, identityClosed.type];

export interface ChangeOptions {
  now: Date;
  /** The identity as this call has read it, or left it, already. */
  known?: Identity | undefined;
  /** The identity's key for the events that carry it. */
  key?: WrappedKey | undefined;
}

export interface Changed {
  /** The identity as it stands after the change. */
  identity: Identity;
  written: boolean;
}

export type Identities = ReturnType<typeof createIdentities>;

/** The identities: each change is one write, with what it announces in the same document (invariants 2 and 6). */
export const createIdentities = ({
  database,
  bus,
  log,
}: {
  database: Database;
  bus: Pick<Bus, 'publish'>;
  log: Log;
}) => {
  const model = database.connection.model('identities', schema, 'identities');
  const outbox = createOutbox({ model, bus, log, service: 'gateway' });

  const envelopes = (identity: Pick<Identity, '_id' | 'tenantId'>, facts: Fact[], { now, key }: ChangeOptions) =>
    facts.map(({ event, data }) =>
      outboxEntry(event, {
        tenantId: identity.tenantId,
        identityId: identity._id,
        at: now,
        data,
        key: KEYLESS.includes(event.type) ? undefined : key,
      }),
    );

  const updateOf = ({ set, unset }: Change, outgoing: Envelope<unknown>[]) => ({
    $set: set,
    ...(unset?.length ? { $unset: Object.fromEntries(unset.map((field) => [field, 1])) } : {}),
    ...(outgoing.length ? { $push: { outbox: { $each: outgoing } } } : {}),
  });

  return {
    model,
    outbox,

    insert: async (identity: Identity, facts: Fact[], options: ChangeOptions): Promise<void> => {
      const outgoing = envelopes(identity, facts, options);
      await model.create({ ...identity, outbox: outgoing });
      void outbox.publishNow(identity._id, outgoing);
    },

    /** Reads on behalf of a client: always within its tenant. */
    find: (tenantId: string, identityId: string): Promise<Identity | null> =>
      model.findOne({ _id: identityId, tenantId }, { outbox: 0 }).lean<Identity>().exec(),

    /** Reads on behalf of the suite itself. */
    read: (identityId: string): Promise<Identity | null> =>
      model.findById(identityId, { outbox: 0 }).lean<Identity>().exec(),

    /**
     * Decides on the identity as it stands and writes what was decided, again if somebody else wrote meanwhile. `decide` is pure and may run several times.
     * @throws ApiError what was refused; NOT_FOUND when there is no such identity
     */
    change: async (
      identityId: string,
      decide: (identity: Identity) => Decision,
      options: ChangeOptions,
    ): Promise<Changed> => {
      let change: Change | undefined;
      let outgoing: Envelope<unknown>[] = [];
      const decided = (identity: Identity) => {
        const decision = decide(identity);
        if (isRefusal(decision))
          throw new ApiError(decision.refused, decision.field === undefined ? {} : { field: decision.field });
        change = decision;
        outgoing = decision ? envelopes(identity, decision.facts, options) : [];
        return decision && updateOf(decision, outgoing);
      };
      const outcome = await updateWithRevision<Identity>(model, identityId, decided, options.known);
      if (!outcome) throw new ApiError('NOT_FOUND');
      const { document, written } = outcome;
      if (!written || !change) return { identity: document, written: false };
      if (outgoing.length) void outbox.publishNow(identityId, outgoing);
      return { identity: applied({ ...document, revision: document.revision + 1 }, change), written: true };
    },

    /** Transactions and pauses whose time is up. */
    expired: (now: Date, limit: number): Promise<Pick<Identity, '_id' | 'tenantId'>[]> =>
      model
        .find(
          { state: trusted({ $in: ['OPEN', 'PAUSED', 'ERROR'] }), expiresAt: trusted({ $lte: now }) },
          { _id: 1, tenantId: 1 },
        )
        .sort({ expiresAt: 1 })
        .limit(limit)
        .lean<Identity[]>()
        .exec(),

    /** Identities being closed, and retrievals that nobody is at any more. */
    unfinished: (limit: number): Promise<Identity[]> =>
      model
        .find({ state: trusted({ $in: ['CLOSING', 'PROVING'] }) }, { outbox: 0, evidences: 0, consents: 0 })
        .limit(limit)
        .lean<Identity[]>()
        .exec(),

    /** The identity of a live capture session, within its tenant. */
    findBySession: (tenantId: string, sessionId: string): Promise<Identity | null> =>
      model.findOne({ 'evidences.sessionId': sessionId, tenantId }, { outbox: 0 }).lean<Identity>().exec(),

    /** Identities with a one-time code that ran out. */
    withDueCodes: (now: Date, limit: number): Promise<Pick<Identity, '_id' | 'tenantId'>[]> =>
      model
        .find({ otpDueAt: trusted({ $lte: now }) }, { _id: 1, tenantId: 1 })
        .limit(limit)
        .lean<Identity[]>()
        .exec(),

    withStaleReservations: (now: Date, limit: number): Promise<Pick<Identity, '_id'>[]> =>
      model
        .find({ 'reservations.0.leaseUntil': trusted({ $lte: now }) }, { _id: 1 })
        .limit(limit)
        .lean<Identity[]>()
        .exec(),

    /** Forgets tombstones whose time is up and that have nothing left to announce. */
    forget: async (now: Date): Promise<number> => {
      const { deletedCount } = await model.deleteMany({
        // Only what is closed has a time to be forgotten.
        forgetAt: trusted({ $lte: now }),
        'outbox.0': trusted({ $exists: false }),
      });
      return deletedCount;
    },
  };
};
