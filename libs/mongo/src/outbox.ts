import type { Bus } from '@assay/bus';
import { type DataOf, type Envelope, type EventType, present } from '@assay/contracts';
import {
  type Closable,
  crashPoint,
  currentTraceparent,
  isDependencyDown,
  type Log,
  newId,
  startSweeper,
} from '@assay/runtime';
import { type AnyBulkWriteOperation, type Model, Schema, trusted } from 'mongoose';
import { clockOf } from './database-clock.ts';
import type { OutboxDocument } from './outbox-document.ts';
import { startOutboxGauges } from './outbox-gauges.ts';
import { createPulls } from './outbox-pulls.ts';
import { createRuns } from './outbox-runs.ts';
import { createSweep, type Published } from './outbox-sweep.ts';
import { createRepublishing, type RepublishOptions, scheduleRepublishing } from './republish.ts';

/**
 * Fields of a document whose changes are announced. The event goes into `outbox` in the very update
 * that makes the change (invariant 2). `outboxLease` and `outboxRound` keep two sweepers from
 * publishing the same entries; where one cannot be published, the lease and `outboxFailures` make
 * it rest. `said` has the published events that are to be republished, the first at `saidDueAt`.
 */
export const outboxFields = {
  outbox: { type: [Schema.Types.Mixed], default: [] },
  outboxLease: { type: Date },
  outboxRound: { type: String },
  outboxFailures: { type: Number },
  said: { type: [Schema.Types.Mixed], default: undefined },
  saidDueAt: { type: Date },
} as const;

export interface EntryOptions<E extends EventType> {
  tenantId: string;
  identityId: string;
  at: Date;
  data: DataOf<E>;
  /** The message id; random unless the same fact must give the same id. */
  id?: string;
  /** The trace to continue where no work of its own is being traced. */
  traceparent?: string | undefined;
}

/**
 * The envelope to `$push` into `outbox`. It carries the trace of what caused it, whoever publishes
 * it and whenever.
 */
export const outboxEntry = <E extends EventType>(event: E, options: EntryOptions<E>): Envelope<DataOf<E>> => {
  const traceparent = currentTraceparent() ?? options.traceparent;
  return {
    id: options.id ?? newId(),
    type: event.type,
    at: options.at.toISOString(),
    tenantId: options.tenantId,
    identityId: options.identityId,
    ...present({ traceparent }),
    data: options.data,
  };
};

export interface Outbox extends Closable {
  /**
   * Publishes the entries of a document's outbox. Never rejects: the sweep publishes later what
   * cannot be published now. `just`: the entries that the caller has written, which saves reading
   * them. The order between entries of different processes is not defined.
   */
  publishNow(id: string, just?: readonly Envelope<unknown>[]): Promise<void>;
  /**
   * As `publishNow`, but a moment later: for a write whose answer another service waits for. The
   * consumers of the event do not compete with that service for processors and for the same
   * document.
   */
  publishSoon(id: string, just: readonly Envelope<unknown>[]): Promise<void>;
}

export interface OutboxOptions {
  // biome-ignore lint/suspicious/noExplicitAny: a relay takes the model of any document that has an outbox
  model: Model<any>;
  bus: Pick<Bus, 'publish'>;
  service: string;
  log: Log;
  sweepEveryMs?: number;
  /** An entry younger than this is left to the process that wrote it. */
  graceMs?: number;
  gaugesEveryMs?: number;
  /** Which events are republished later, in case a queue loses them; none by default. */
  republish?: RepublishOptions;
  /**
   * How long published entries may stay in their document: those of many documents are removed with
   * one command.
   */
  pullAfterMs?: number;
}

const REPUBLISH_EVERY_MS = 10_000;
/** How many times longer a sweep pauses while it finds nothing to publish or republish. */
const IDLE_PAUSES = { sweep: 6, republish: 3 };

/** The most entries of a document that are published at the same time. */
const TOGETHER = 32;

/**
 * Publishes entries in order, without waiting for each confirmation before the next is sent. A bad
 * entry is skipped; if the broker is unavailable, it stops.
 */
const createPublish = ({ model, bus, service, log }: OutboxOptions) => {
  const { collectionName: collection } = model.collection;
  const publishTogether = async (entries: readonly Envelope<unknown>[], published: Published): Promise<void> => {
    const results = await Promise.allSettled(entries.map((entry) => bus.publish(entry)));
    for (const [nth, result] of results.entries()) {
      const entry = entries[nth]!;
      if (result.status === 'fulfilled') {
        published.done.push(entry);
        continue;
      }
      const error: unknown = result.reason;
      if (isDependencyDown(error)) published.isDown = true;
      else published.bad += 1;
      log.warn({ msg: 'outbox.not-published', collection, eventId: entry.id, type: entry.type, error });
    }
  };
  return async (entries: readonly Envelope<unknown>[]): Promise<Published> => {
    const published: Published = { done: [], bad: 0, isDown: false };
    for (let next = 0; next < entries.length && !published.isDown; next += TOGETHER) {
      await publishTogether(entries.slice(next, next + TOGETHER), published);
      crashPoint(`${service}.after-publish-before-pull`);
    }
    return published;
  };
};

/** Starts the sweep that republishes events, if the outbox has any such events. */
const startRepublishing = ({ model, bus, log, republish }: OutboxOptions): Closable | undefined => {
  if (!republish) return undefined;
  const everyMs = republish.everyMs ?? Math.min(REPUBLISH_EVERY_MS, republish.afterMs ?? REPUBLISH_EVERY_MS);
  const run = createRepublishing({ model, bus, log, ...republish });
  const name = `republish ${model.collection.collectionName}`;
  return startSweeper({ name, everyMs, idleMs: everyMs * IDLE_PAUSES.republish, run, log });
};

/**
 * The write that removes published entries and schedules their republishing. It matches only a
 * document that still has them, so no event is scheduled twice.
 */
const createTakeOut =
  ({ model, republish }: OutboxOptions) =>
  (_id: string, done: readonly Envelope<unknown>[]): AnyBulkWriteOperation => {
    const ids = done.map(({ id }) => id);
    const update = {
      $pull: { outbox: { id: { $in: ids } } },
      ...(republish ? scheduleRepublishing(done, republish, clockOf(model.db)()) : {}),
    };
    return { updateOne: { filter: { _id, 'outbox.id': trusted({ $in: ids }) }, update } } as AnyBulkWriteOperation;
  };

/**
 * The relay of one collection: publishes directly after the write, and sweeps up entries that a
 * crash or an outage left.
 */
export const createOutbox = (options: OutboxOptions): Outbox => {
  const { model, service, log, sweepEveryMs = 1000, graceMs = 1500, pullAfterMs = 500 } = options;
  /** Documents that may hold older events than the newest. */
  const behind = new Set<string>();
  const collection = model.collection.collectionName;

  const takeOut = createTakeOut(options);
  const pulls = createPulls({ model, log, takeOut, afterMs: pullAfterMs });
  const publish = createPublish(options);

  const entriesOf = async (id: string): Promise<readonly Envelope<unknown>[]> => {
    const entries = (await model.findById(id, { outbox: 1 }).lean<OutboxDocument>())?.outbox ?? [];
    return entries.filter((entry) => !pulls.hasEntry(id, entry.id));
  };

  const publishAll = async (id: string, just?: readonly Envelope<unknown>[]): Promise<void> => {
    crashPoint(`${service}.after-write-before-publish`);
    const { done, bad, isDown } = await publish(just && !behind.has(id) ? just : await entriesOf(id));
    if (done.length > 0) pulls.add(id, done);
    if (bad > 0 || isDown) leaveBehind(id);
    else behind.delete(id);
  };
  const runs = createRuns((id, just) =>
    publishAll(id, just).catch((error: unknown) => {
      leaveBehind(id);
      log.warn({ msg: 'outbox.publish-failed', collection, documentId: id, error });
    }),
  );

  const isBusy = (id: string): boolean => runs.has(id) || pulls.has(id);
  const gauges = startOutboxGauges({ model, log, everyMs: options.gaugesEveryMs ?? 2000 });
  const publishFound: typeof publish = (entries) => {
    gauges.wake();
    return publish(entries);
  };
  const sweeper = startSweeper({
    name: `outbox ${collection}`,
    everyMs: sweepEveryMs,
    idleMs: sweepEveryMs * IDLE_PAUSES.sweep,
    run: createSweep({ model, log, graceMs, publish: publishFound, takeOut, isBusy }),
    log,
  });
  const leaveBehind = (id: string): void => {
    behind.add(id);
    sweeper.wake();
    gauges.wake();
  };
  const republishing = startRepublishing(options);
  return {
    publishNow: runs.add,
    publishSoon: runs.addSoon,
    close: async () => {
      await Promise.all([sweeper.close(), gauges.close(), republishing?.close()]);
      await runs.ended();
      await pulls.flush();
    },
  };
};

/**
 * The indexes every collection with an outbox needs. They contain only documents with events to
 * publish or republish.
 */
export const outboxIndex = (schema: Schema): void => {
  schema.index({ 'outbox.0.at': 1 }, { sparse: true, name: 'outbox' });
  schema.index({ saidDueAt: 1 }, { sparse: true, name: 'said' });
};
