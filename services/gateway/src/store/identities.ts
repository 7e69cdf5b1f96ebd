import type { Bus } from '@assay/bus';
import { identityClosed, identityStatusChanged, oneTimeCodeRequested } from '@assay/contracts';
import {
  createLookups,
  createOutbox,
  createRecentDocuments,
  type Database,
  directly,
  oneAtATime,
  outboxEntry,
  outboxFields,
  outboxIndex,
  type RepublishOptions,
  repeatFields,
  repeatIndex,
  trusted,
  withoutOutbox,
} from '@assay/mongo';
import type { Log } from '@assay/runtime';
import { type Model, Schema } from 'mongoose';
import { applied, type ChangeResult, isRefusal, type NewEvent, type Refusal } from '../domain/change.ts';
import { type Identity, STATES } from '../domain/identity.ts';
import { changeWithDecision } from './change-with-decision.ts';
import { dueIdentities } from './due-identities.ts';
import { createIdentitySearch } from './identity-search.ts';

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
    sealedBusinessId: String,
    businessRef: String,
    sealedPreviousProofId: String,
    previousProofId: String,
    consents: [Mixed],
    consentsRevision: Number,
    evidences: [Mixed],
    reservations: [Mixed],
    deletedEvidenceIds: [String],
    operationIds: [String],
    caseRevision: Number,
    evaluated: Mixed,
    awaited: Mixed,
    proof: Mixed,
    closing: Mixed,
    closedAt: Date,
    endedSessionIds: { type: [String], default: undefined },
    answersUntil: Date,
    forgetAt: Date,
    receipt: Mixed,
    markers: [Mixed],
    contacts: [Mixed],
    otpDueAt: Date,
    armed: Mixed,
    ...outboxFields,
    ...repeatFields,
  },
  { versionKey: false, minimize: false, id: false },
);
schema.index({ state: 1, expiresAt: 1 });
schema.index({ 'reservations.0.leaseUntil': 1 }, { sparse: true });
schema.index({ forgetAt: 1 }, { sparse: true });
schema.index({ otpDueAt: 1 }, { sparse: true });
schema.index({ 'evidences.sessionId': 1 }, { sparse: true });
schema.index({ endedSessionIds: 1 }, { sparse: true });
schema.index({ tenantId: 1, createdAt: -1, _id: -1 });
schema.index({ businessRef: 1 }, { sparse: true });
outboxIndex(schema);
repeatIndex(schema);

/** An identity without its outbox. */
const UNANNOUNCED = { outbox: 0, said: 0 };

export interface ChangeOptions {
  now: Date;
  /** The identity as this call has read or written it before. */
  known?: Identity | undefined;
  /**
   * If there is nothing to do for the identity as this process wrote it, there is nothing to do for
   * the stored one.
   */
  acceptsRecent?: boolean;
}

export interface Changed {
  /** The identity after the change. */
  identity: Identity;
  written: boolean;
}

const envelopes = (identity: Pick<Identity, '_id' | 'tenantId'>, events: NewEvent[], { now }: ChangeOptions) =>
  events.map(({ event, data }) =>
    outboxEntry(event, {
      tenantId: identity.tenantId,
      identityId: identity._id,
      at: now,
      data,
    }),
  );

// biome-ignore lint/suspicious/noExplicitAny: the model of a schema with members of any shape
type IdentityModel = Model<any>;

/** Reading one identity, by what a request names. */
const finders = (model: IdentityModel) => ({
  /** Reads on behalf of a client: always within its tenant. */
  find: createLookups<Identity>({ model, without: Object.keys(UNANNOUNCED) }),

  /** Reads on behalf of the suite itself. */
  read: (identityId: string): Promise<Identity | null> =>
    model.findById(identityId, UNANNOUNCED).lean<Identity>().exec(),

  /** The identity of a live capture or chip session, within its tenant; also once closed. */
  findBySession: (tenantId: string, sessionId: string): Promise<Identity | null> =>
    model
      .findOne({ $or: [{ 'evidences.sessionId': sessionId }, { endedSessionIds: sessionId }], tenantId }, UNANNOUNCED)
      .lean<Identity>()
      .exec(),

  /** Those of these ids that are identities which are not closed. */
  notClosed: async (ids: readonly string[]): Promise<Set<string>> => {
    const isAmong = { _id: trusted({ $in: [...ids] }), state: trusted({ $ne: 'CLOSED' }) };
    const found = await model.find(isAmong, { _id: 1 }).lean<Pick<Identity, '_id'>[]>();
    return new Set(found.map(({ _id }) => _id));
  },
});

/** The attempts of one-time codes. */
const codes = (model: IdentityModel) => ({
  /**
   * Counts one attempt of a one-time code, in one write without reading first, and stores the
   * hash of its answer; null if no attempt is left, or no code is expected.
   */
  takeAttempt: (
    identityId: string,
    { evidenceId, codeId, hash }: { evidenceId: string; codeId: string; hash: string },
  ): Promise<Identity | null> => {
    const contact = { evidenceId, verified: false, 'otp.codeId': codeId, 'otp.attemptsLeft': { $gt: 0 } };
    const waitedFor = { ...contact, 'otp.status': { $in: ['INITIATE', 'PENDING'] } };
    return model
      .findOneAndUpdate(
        { _id: identityId, state: 'OPEN', contacts: trusted({ $elemMatch: waitedFor }) },
        {
          $inc: { 'contacts.$.otp.attemptsLeft': -1, revision: 1 },
          $set: { 'contacts.$.otp.lastAnswer': hash },
        },
        { returnDocument: 'after', projection: UNANNOUNCED },
      )
      .lean<Identity>()
      .exec();
  },
});

export interface Deps {
  mongodb: Database;
  rabbitmq: Pick<Bus, 'publish'>;
  log: Log;
  /** How long after an event it is republished for the first time, in milliseconds. */
  republishAfterMs?: number | undefined;
}

/**
 * `identity.closed` has a schedule of its own, and the client requests another code. Of a closed
 * identity, only the change of its status is republished (to TIMEOUT, for instance).
 */
const REPUBLISHED: RepublishOptions = {
  isRepublished: (type, identity) =>
    identity?.state === 'CLOSED'
      ? type === identityStatusChanged.type
      : type !== identityClosed.type && type !== oneTimeCodeRequested.type,
  reads: ['state'],
};

export type Identities = ReturnType<typeof createIdentities>;

/**
 * The identities: each change is one write, with its events in the same document (invariants 2 and
 * 6).
 */
export const createIdentities = ({ mongodb, rabbitmq, log, republishAfterMs: afterMs }: Deps) => {
  const model = mongodb.connection.model('identities', schema, 'identities');
  const outbox = createOutbox({
    model,
    bus: rabbitmq,
    log,
    service: 'gateway',
    republish: { ...REPUBLISHED, afterMs },
  });
  const oneByOne = oneAtATime();
  const recent = createRecentDocuments<Identity>();

  return {
    model,
    outbox,
    ...finders(model),
    ...dueIdentities(model),
    ...createIdentitySearch(model),
    ...codes(model),

    insert: async (identity: Identity, events: NewEvent[], options: ChangeOptions): Promise<void> => {
      const outgoing = envelopes(identity, events, options);
      await directly(model).insert({ ...identity, outbox: outgoing });
      recent.set(identity);
      void outbox.publishNow(identity._id, outgoing);
    },

    /**
     * Decides about the stored identity and writes the decision. `decide` is pure and may run
     * several times. Refuses with NOT_FOUND if there is no such identity.
     */
    change: async (
      identityId: string,
      decide: (identity: Identity) => ChangeResult,
      options: ChangeOptions,
    ): Promise<Changed | Refusal> => {
      const eventsOf = (identity: Identity, { events }: { events: NewEvent[] }) => envelopes(identity, events, options);
      return oneByOne(identityId, async () => {
        const result = await changeWithDecision({
          model,
          id: identityId,
          decide,
          eventsOf,
          known: options.known,
          recent,
          acceptsRecent: options.acceptsRecent,
          isExact: true,
        });
        if (isRefusal(result)) return result;
        const { document, change, events } = result;
        if (!change) return { identity: document, written: false };
        if (events.length) void outbox.publishNow(identityId, events);
        const identity = applied({ ...document, revision: document.revision + 1 }, change);
        recent.set(withoutOutbox(identity));
        return { identity, written: true };
      });
    },
  };
};
