import { type Envelope, present, type VerificationService } from '@assay/contracts';
import { directly, notYet, remember, trusted, unlessDuplicate } from '@assay/mongo';
import { newId } from '@assay/runtime';
import type { Connection, Model } from 'mongoose';
import type { CheckResult } from '../domain/check-result.ts';
import { type Check, checkSchema } from './check.ts';

/** The record of one question. */
export interface Trace {
  service?: VerificationService | undefined;
  sealedExchange?: string | undefined;
}

/** When a check is asked again. */
export interface Postponement {
  until: Date;
  /** False if no question was sent. */
  countsAsAttempt: boolean;
}

interface Ending extends Trace {
  outcome: CheckResult;
  source?: string | undefined;
  at: Date;
  recheckAt?: Date | undefined;
  event: Envelope<unknown>;
}

/**
 * The checks. Every write under a lease names it: a process that was suspended and continues with
 * an old lease writes nothing.
 */
export interface Checks {
  model: Model<Check>;
  find(id: string): Promise<Check | undefined>;
  /**
   * Stores a new check with a lease of this length; undefined if there is one of this id already.
   */
  begin(
    check: Omit<Check, 'attempts' | 'services' | 'inbox' | 'leaseUntil'>,
    forMs: number,
  ): Promise<Check | undefined>;
  /** Takes the lease, if it is free and the check is in this state. */
  lease(id: string, state: Check['state'], now: Date, forMs: number): Promise<Check | undefined>;
  /** Renews the lease; false if it was lost, or the check was deleted. */
  renew(check: Check, now: Date, forMs: number): Promise<boolean>;
  /** Returns the lease and sets the next attempt. */
  postpone(check: Check, next: Postponement, trace: Trace): Promise<void>;
  /**
   * Ends the check and announces it, in one write. False when the lease was lost or the check is
   * gone.
   */
  end(check: Check, messageId: string | undefined, ending: Ending): Promise<boolean>;
  /** Gives up a check nobody is asking; false when it has ended already. */
  giveUp(id: string, now: Date, ending: Ending): Promise<boolean>;
  /** Announces an ended check once more, to a request that repeats another. */
  repeat(id: string, messageId: string, event: Envelope<unknown>): Promise<boolean>;
  /** Looks again later, or never. */
  recheckLater(check: Check, at: Date | undefined, trace: Trace): Promise<void>;
  /** Checks of an identity whose source may still be asked. */
  pending(identityId: string): Promise<Check[]>;
  /**
   * Ends a check that may not be asked any more, whoever has its lease, and removes what it was
   * about; false when it has ended already.
   */
  endUnasked(id: string, ending: Omit<Ending, keyof Trace>): Promise<boolean>;
  /** Has an ended check never asked again, whoever has its lease, and removes what it was about. */
  dropRecheck(id: string): Promise<void>;
  dueForRecheck(now: Date, batch: { limit: number; except: readonly string[] }): Promise<string[]>;
  remove(id: string): Promise<void>;
  removeOf(identityId: string, evidenceId: string): Promise<void>;
  removeAll(identityId: string): Promise<void>;
}

// A check that is asked again for days must not grow without end.
const KEPT_SERVICES = 20;
const EPOCH = new Date(0);

/** What an ended check has of a question only while it is to be asked again. */
const NOT_AGAIN = { recheckAt: 1, sealedDocument: 1 };

const traced = ({ service, sealedExchange }: Trace) => ({
  set: present({ sealedExchange }),
  push: service === undefined ? {} : { services: { $each: [service], $slice: -KEPT_SERVICES } },
});

const endingUpdate = (ending: Ending, messageId?: string) => {
  const { set, push } = traced(ending);
  const { outcome, source, at, recheckAt, event } = ending;
  return {
    $set: {
      ...set,
      state: 'ENDED',
      outcome,
      endedAt: at,
      leaseUntil: EPOCH,
      ...present({ source, recheckAt }),
    },
    $unset: { leaseId: 1, ...(recheckAt === undefined ? { ...NOT_AGAIN } : {}) },
    $push: { ...push, outbox: event, ...(messageId === undefined ? {} : remember(messageId)) },
  };
};

// Without a lease it matches nothing: an undefined value would be left out of the filter, and match
// anybody's.
const mine = (check: Check) => ({ _id: check._id, leaseId: check.leaseId ?? 'none' });

const isWritten = ({ modifiedCount }: { modifiedCount: number }) => modifiedCount === 1;

/** Who asks the issuing source: one process at a time, for as long as its lease lasts. */
const leasesIn = (model: Model<Check>): Pick<Checks, 'begin' | 'lease' | 'renew' | 'postpone'> => ({
  begin: async (check, forMs) => {
    const leaseUntil = new Date(check.startedAt.getTime() + forMs);
    const begun: Check = { ...check, attempts: 0, services: [], inbox: [], leaseId: newId(), leaseUntil };
    return (await unlessDuplicate(directly(model).insert(begun))) ? begun : undefined;
  },
  lease: async (id, state, now, forMs) => {
    const $set = { leaseId: newId(), leaseUntil: new Date(now.getTime() + forMs) };
    const free = { _id: id, state, leaseUntil: trusted({ $lte: now }) };
    return (await model.findOneAndUpdate(free, { $set }, { returnDocument: 'after' }).lean<Check>()) ?? undefined;
  },
  renew: async (check, now, forMs) =>
    isWritten(await model.updateOne(mine(check), { $set: { leaseUntil: new Date(now.getTime() + forMs) } })),
  postpone: async (check, { until, countsAsAttempt }, trace) => {
    const { set, push } = traced(trace);
    await model.updateOne(mine(check), {
      $set: { ...set, nextAttemptAt: until, leaseUntil: EPOCH },
      $unset: { leaseId: 1 },
      $inc: { attempts: countsAsAttempt ? 1 : 0 },
      $push: push,
    });
  },
});

/** How a check ends, once, with the event that announces it. */
const endingsIn = (model: Model<Check>): Pick<Checks, 'end' | 'giveUp' | 'repeat'> => ({
  end: async (check, messageId, ending) =>
    isWritten(await directly(model).update(mine(check), endingUpdate(ending, messageId))),
  giveUp: async (id, now, ending) =>
    isWritten(
      await model.updateOne({ _id: id, state: 'OPEN', leaseUntil: trusted({ $lte: now }) }, endingUpdate(ending)),
    ),
  repeat: async (id, messageId, event) =>
    isWritten(
      await model.updateOne(
        { _id: id, state: 'ENDED', ...notYet(messageId) },
        { $push: { outbox: event, ...remember(messageId) } },
      ),
    ),
});

/** Checks that are asked again after they have ended. */
const rechecksIn = (model: Model<Check>): Pick<Checks, 'recheckLater' | 'dueForRecheck'> => ({
  recheckLater: async (check, at, trace) => {
    const { set, push } = traced(trace);
    await model.updateOne(mine(check), {
      $set: { ...set, leaseUntil: EPOCH, ...present({ recheckAt: at }) },
      $unset: { leaseId: 1, ...(at ? {} : NOT_AGAIN) },
      $push: push,
    });
  },
  dueForRecheck: async (now, { limit, except }) => {
    const due = await model
      .find({ _id: trusted({ $nin: [...except] }), recheckAt: trusted({ $lte: now }) }, { _id: 1 })
      .sort({ recheckAt: 1 })
      .limit(limit)
      .lean<{ _id: string }[]>();
    return due.map(({ _id }) => _id);
  },
});

/** Checks of which nothing more may be asked. */
const withdrawalsIn = (model: Model<Check>): Pick<Checks, 'pending' | 'endUnasked' | 'dropRecheck'> => ({
  pending: (identityId) =>
    model
      .find({ identityId, $or: [{ state: 'OPEN' }, { recheckAt: trusted({ $exists: true }) }] })
      .lean<Check[]>()
      .exec(),
  endUnasked: async (id, ending) => {
    const { $set, $unset, $push } = endingUpdate(ending);
    return isWritten(
      await model.updateOne({ _id: id, state: 'OPEN' }, { $set, $unset: { ...$unset, sealedExchange: 1 }, $push }),
    );
  },
  dropRecheck: async (id) => {
    await model.updateOne(
      { _id: id, state: 'ENDED' },
      { $set: { leaseUntil: EPOCH }, $unset: { leaseId: 1, ...NOT_AGAIN, sealedExchange: 1 } },
    );
  },
});

/** The checks of the adapter's database. */
export const createChecks = (connection: Connection): Checks => {
  const model = connection.model<Check>('checks', checkSchema, 'checks');
  return {
    model,
    find: async (id) => (await model.findById(id).lean<Check>()) ?? undefined,
    ...leasesIn(model),
    ...endingsIn(model),
    ...rechecksIn(model),
    ...withdrawalsIn(model),
    remove: async (id) => {
      await model.deleteOne({ _id: id });
    },
    removeOf: async (identityId, evidenceId) => {
      await model.deleteMany({ identityId, evidenceId });
    },
    removeAll: async (identityId) => {
      await model.deleteMany({ identityId });
    },
  };
};
