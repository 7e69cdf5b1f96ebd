import type { Envelope } from '@assay/contracts';
import { counter, type Log, newId, pauseAfter, progressed } from '@assay/runtime';
import { type AnyBulkWriteOperation, type Model, trusted } from 'mongoose';
import pMap from 'p-map';
import { clockOf } from './database-clock.ts';
import { directly } from './direct.ts';
import type { OutboxDocument } from './outbox-document.ts';

/** The result for the entries of one document. */
export interface Published {
  /** The entries that are at the broker. */
  done: Envelope<unknown>[];
  /** Entries that can never be published: they stay, and do not stop the others. */
  bad: number;
  /** The broker is unavailable: the rest waits. */
  isDown: boolean;
}

export interface SweepOptions {
  // biome-ignore lint/suspicious/noExplicitAny: takes the model of any document that has an outbox
  model: Model<any>;
  log: Log;
  /** An entry younger than this is left to the process that wrote it. */
  graceMs: number;
  publish(entries: readonly Envelope<unknown>[]): Promise<Published>;
  /** The part of an update that removes published entries from the outbox. */
  takeOut(id: string, done: readonly Envelope<unknown>[]): AnyBulkWriteOperation;
  /** Documents this process is publishing at this moment. */
  isBusy(id: string): boolean;
}

const LEASE_MS = 20_000;
const BATCH = 500;
const AT_ONCE = 64;
const BACKOFF = { firstMs: 1000, longestMs: 600_000 };
const skipped = counter('assay_outbox_skipped_total', 'Documents with an entry that could not be published', [
  'collection',
]);

/**
 * The write that ends the lease of a document; after a bad entry, the document is left alone for a
 * growing time.
 */
const release = ({ _id, outboxFailures = 0 }: OutboxDocument, bad: number, now: Date): AnyBulkWriteOperation => {
  const until = new Date(now.getTime() + pauseAfter(outboxFailures + 1, BACKOFF));
  const update =
    bad > 0
      ? { $set: { outboxLease: until, outboxFailures: outboxFailures + 1 }, $unset: { outboxRound: 1 } }
      : { $unset: { outboxLease: 1, outboxRound: 1, outboxFailures: 1 } };
  return { updateOne: { filter: { _id }, update } } as AnyBulkWriteOperation;
};

/**
 * One round over entries that a crash or an outage left: leases a batch of documents, publishes
 * them in parallel, and removes published entries with one command. Returns 'more' if there may be
 * more, 'nothing' if nothing was left.
 */
export const createSweep = ({ model, log, graceMs, publish, takeOut, isBusy }: SweepOptions) => {
  const collection = model.collection.collectionName;
  const clock = clockOf(model.db);
  skipped.inc({ collection }, 0);

  const lease = async (now: number): Promise<OutboxDocument[]> => {
    const free = {
      'outbox.0.at': trusted({ $gte: '', $lt: new Date(now - graceMs).toISOString() }),
      $or: [{ outboxLease: null }, { outboxLease: trusted({ $lt: new Date(now) }) }],
    };
    const found = await model.find(free, { _id: 1 }).sort({ 'outbox.0.at': 1 }).limit(BATCH).lean<OutboxDocument[]>();
    const ids = found.map(({ _id }) => _id).filter((id) => !isBusy(id));
    if (ids.length === 0) return [];
    const round = newId();
    await model.updateMany(
      { _id: trusted({ $in: ids }), ...free },
      { $set: { outboxLease: new Date(now + LEASE_MS), outboxRound: round } },
    );
    return model
      .find({ _id: trusted({ $in: ids }), outboxRound: round }, { outbox: 1, outboxFailures: 1 })
      .lean<OutboxDocument[]>();
  };

  return async (): Promise<'more' | 'nothing' | undefined> => {
    const documents = await lease(clock().getTime());
    if (documents.length === 0) return 'nothing';
    let isDown = false;
    const writes = await pMap(
      documents,
      async (document) => {
        const result = isDown ? { done: [], bad: 0, isDown } : await publish(document.outbox ?? []);
        isDown ||= result.isDown;
        if (!result.isDown) progressed();
        if (result.bad > 0) {
          skipped.inc({ collection });
          log.error({ msg: 'outbox.entry-skipped', collection, documentId: document._id, entries: result.bad });
        }
        const { done, bad } = result;
        return [...(done.length > 0 ? [takeOut(document._id, done)] : []), release(document, bad, clock())];
      },
      { concurrency: AT_ONCE },
    );
    await directly(model).bulk(writes.flat());
    return documents.length === BATCH && !isDown ? 'more' : undefined;
  };
};
