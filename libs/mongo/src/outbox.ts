import type { Bus } from '@assay/bus';
import type { DataOf, Envelope, EventType, WrappedKey } from '@assay/contracts';
import { type Closable, crashPoint, currentTraceparent, gauge, type Log, newId, startSweeper } from '@assay/runtime';
import { type Model, Schema, trusted } from 'mongoose';

/**
 * Fields of a document whose changes are announced. The event goes into `outbox` in the very update that makes the change (invariant 2).
 * `outboxAt` is the time of the oldest entry waiting, `outboxLease` keeps two sweepers from publishing the same entries.
 */
export const outboxFields = {
  outbox: { type: [Schema.Types.Mixed], default: [] },
  outboxLease: { type: Date },
} as const;

export interface OutboxDocument {
  _id: string;
  outbox?: Envelope<unknown>[];
  outboxLease?: Date;
}

export interface EntryOptions<E extends EventType> {
  tenantId: string;
  identityId: string;
  at: Date;
  data: DataOf<E>;
  key?: WrappedKey | undefined;
  /** The message id; random unless the same fact must give the same id. */
  id?: string;
  /** The trace to continue where no work of its own is being traced. */
  traceparent?: string | undefined;
}

/** The envelope to `$push` into `outbox`. It carries the trace of what caused it, whoever publishes it and whenever. */
export const outboxEntry = <E extends EventType>(event: E, options: EntryOptions<E>): Envelope<DataOf<E>> => {
  const traceparent = currentTraceparent() ?? options.traceparent;
  return {
    id: options.id ?? newId(),
    type: event.type,
    at: options.at.toISOString(),
    tenantId: options.tenantId,
    identityId: options.identityId,
    ...(options.key ? { key: options.key } : {}),
    ...(traceparent ? { traceparent } : {}),
    data: options.data,
  };
};

export interface Outbox extends Closable {
  /**
   * Publishes what the document's outbox holds. Never rejects: what cannot be published now, the sweeper publishes later. Who gives what it has `just`
   * put there saves reading it again; nobody may rely on the order of what different processes put there.
   */
  publishNow(id: string, just?: readonly Envelope<unknown>[]): Promise<void>;
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
}

const LEASE_MS = 15_000;
const BATCH = 50;
const pending = gauge('assay_outbox_pending', 'Documents with events waiting to be published', ['collection']);
const oldest = gauge('assay_outbox_oldest_seconds', 'Age of the oldest event waiting to be published', ['collection']);

/** The relay of one collection: publishes right after the write, and sweeps up what a crash or an outage left. */
export const createOutbox = ({
  model,
  bus,
  service,
  log,
  sweepEveryMs = 1000,
  graceMs = 1500,
}: OutboxOptions): Outbox => {
  const running = new Map<string, Promise<void>>();
  /** Documents that may hold older events than the newest. */
  const behind = new Set<string>();
  const collection = model.collection.collectionName;

  const entriesOf = async (id: string): Promise<readonly Envelope<unknown>[]> =>
    (await model.findById(id, { outbox: 1 }).lean<OutboxDocument>())?.outbox ?? [];

  const publishAll = async (id: string, just?: readonly Envelope<unknown>[]): Promise<void> => {
    crashPoint(`${service}.after-write-before-publish`);
    const entries = just && !behind.has(id) ? just : await entriesOf(id);
    for (const entry of entries) {
      await bus.publish(entry);
      crashPoint(`${service}.after-publish-before-pull`);
    }
    if (entries.length > 0)
      await model.updateOne(
        { _id: id },
        { $pull: { outbox: { id: { $in: entries.map((entry) => entry.id) } } }, $unset: { outboxLease: 1 } },
      );
    behind.delete(id);
  };

  // One publication of a document at a time keeps its events in order; a write during it gets a run of its own afterwards.
  const publishNow: Outbox['publishNow'] = (id, just) => {
    const before = running.get(id) ?? Promise.resolve();
    const run: Promise<void> = before
      .then(() => publishAll(id, just))
      .catch((error: unknown) => {
        behind.add(id);
        log.warn({ msg: 'outbox.publish-failed', collection, documentId: id, error });
      })
      .finally(() => {
        if (running.get(id) === run) running.delete(id);
      });
    running.set(id, run);
    return run;
  };

  const sweep = async (): Promise<void> => {
    const now = Date.now();
    const limit = new Date(now - graceMs).toISOString();
    const waiting = await model
      .find({ 'outbox.0.at': trusted({ $exists: true }) }, { _id: 1, 'outbox.at': 1, outboxLease: 1 })
      .sort({ 'outbox.0.at': 1 })
      .limit(BATCH)
      .lean<OutboxDocument[]>();
    pending.set({ collection }, waiting.length);
    const firstAt = waiting[0]?.outbox?.[0]?.at;
    oldest.set({ collection }, firstAt ? (now - Date.parse(firstAt)) / 1000 : 0);
    for (const { _id, outbox } of waiting.filter(({ outbox }) => (outbox?.[0]?.at ?? '') < limit)) {
      const leased = await model.updateOne(
        {
          _id,
          'outbox.0.at': outbox?.[0]?.at,
          $or: [{ outboxLease: null }, { outboxLease: trusted({ $lt: new Date(now) }) }],
        },
        { $set: { outboxLease: new Date(now + LEASE_MS) } },
      );
      if (leased.modifiedCount === 1) await publishNow(_id);
    }
  };

  const sweeper = startSweeper({ name: `outbox ${collection}`, everyMs: sweepEveryMs, run: sweep, log });
  return {
    publishNow,
    close: async () => {
      await sweeper.close();
      await Promise.allSettled(running.values());
    },
  };
};

/** The index every collection with an outbox needs: only documents with something waiting are in it. */
export const outboxIndex = (schema: Schema): void => {
  schema.index({ 'outbox.0.at': 1 }, { sparse: true, name: 'outbox' });
};
