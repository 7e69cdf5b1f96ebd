import { type Clock, gauge, type Log, type Sweeper, startSweeper } from '@assay/runtime';
import { type Model, trusted } from 'mongoose';
import { clockOf } from './database-clock.ts';

interface Backlog {
  documents: number;
  /** When the oldest entry was written, in milliseconds since 1970. */
  oldestAt?: number;
  clock: Clock;
}

/** The last measurement of each collection of this process. */
const backlogs = new Map<string, Backlog>();

const MOST_COUNTED = 100_000;
const MEASURE_EVERY_MS = 2000;
/** So many pauses are one while nothing waits: a relay that leaves something behind says so. */
const IDLE_PAUSES = 15;

const pending = gauge('assay_outbox_pending', 'Documents with events waiting to be published', ['collection']);
// Set whenever it is read, so that it grows while a relay, or the database, does not respond.
const oldest = gauge(
  'assay_outbox_oldest_seconds',
  'Age of the oldest event waiting to be published',
  ['collection'],
  () => {
    for (const [collection, { oldestAt, clock }] of backlogs)
      oldest.set({ collection }, oldestAt === undefined ? 0 : (clock().getTime() - oldestAt) / 1000);
  },
);

/** Filter: documents whose outbox holds something; served by the index of `outboxIndex`. */
const hasEntries = { 'outbox.0.at': trusted({ $gte: '' }) };

export interface GaugeOptions {
  // biome-ignore lint/suspicious/noExplicitAny: takes the model of any document that has an outbox
  model: Model<any>;
  log: Log;
  everyMs?: number;
}

/** Measures the backlog of one collection, independently of its relay. */
export const startOutboxGauges = ({ model, log, everyMs = MEASURE_EVERY_MS }: GaugeOptions): Sweeper => {
  const collection = model.collection.collectionName;
  const clock = clockOf(model.db);
  const measure = async (): Promise<'nothing' | undefined> => {
    const first = await model
      .findOne(hasEntries, { 'outbox.at': 1 })
      .sort({ 'outbox.0.at': 1 })
      .lean<{ outbox?: { at: string }[] }>();
    const documents = first ? await model.countDocuments(hasEntries, { limit: MOST_COUNTED }) : 0;
    // The entries may be published before they are counted: then nothing waits, and the age is 0.
    const at = documents > 0 ? first?.outbox?.[0]?.at : undefined;
    backlogs.set(collection, { documents, clock, ...(at ? { oldestAt: Date.parse(at) } : {}) });
    pending.set({ collection }, documents);
    return first ? undefined : 'nothing';
  };
  backlogs.set(collection, { documents: 0, clock });
  pending.set({ collection }, 0);
  const idleMs = everyMs * IDLE_PAUSES;
  const sweeper = startSweeper({ name: `outbox gauges ${collection}`, everyMs, idleMs, run: measure, log });
  return {
    wake: sweeper.wake,
    close: async () => {
      await sweeper.close();
      backlogs.delete(collection);
    },
  };
};
