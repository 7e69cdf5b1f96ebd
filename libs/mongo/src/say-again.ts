import type { Bus } from '@assay/bus';
import type { Envelope } from '@assay/contracts';
import { counter, createApart, type Log } from '@assay/runtime';
import { type Model, trusted } from 'mongoose';

/** An event that was published, kept until it was said for the last time. */
export interface Said {
  event: Envelope<unknown>;
  dueAt: Date;
  times: number;
}

/**
 * Whether an event of this type is said again; asked once more of the document as it is when the
 * event is due.
 */
type SaysAgain = (type: string, document?: Record<string, unknown>) => boolean;

export interface SayAgainOptions {
  says: SaysAgain;
  /**
   * How long after an event it is said again for the first time, in milliseconds; two minutes by
   * default.
   */
  afterMs?: number | undefined;
  /** Fields of the document that `says` looks at. */
  reads?: readonly string[];
  /** Pause between rounds that look for what is due, in milliseconds. */
  everyMs?: number;
}

interface SaidDocument extends Record<string, unknown> {
  _id: string;
  said?: Said[];
  saidDueAt: Date;
}

const HOUR_MS = 3_600_000;
const SAY_AGAIN_AFTER_MS = 120_000;
const BATCH = 100;
const MOST_KEPT = 200;
const BUDGET_BYTES = 2 * 1024 * 1024;

const repeated = counter('assay_events_said_again_total', 'Events published again in case a queue had lost them', [
  'collection',
]);

/** A document stays far below the 16 MB it may have: the larger an event, the fewer are kept. */
const mostOf = (events: readonly Envelope<unknown>[]): number => {
  const largest = Math.max(...events.map((event) => Buffer.byteLength(JSON.stringify(event))));
  return Math.max(1, Math.min(MOST_KEPT, Math.floor(BUDGET_BYTES / largest)));
};

/** The part of an update that keeps events which are now at the broker, to say them again. */
export const keepSaid = (
  published: readonly Envelope<unknown>[],
  { says, afterMs = SAY_AGAIN_AFTER_MS }: SayAgainOptions,
  now: Date,
) => {
  const events = published.filter(({ type }) => says(type));
  if (events.length === 0) return {};
  const dueAt = new Date(now.getTime() + afterMs);
  const said = events.map((event): Said => ({ event, dueAt, times: 0 }));
  return { $push: { said: { $each: said, $slice: -mostOf(events) } }, $min: { saidDueAt: dueAt } };
};

const nextOf = ({ event, times }: Said, gapsMs: readonly number[], now: Date): Said[] => {
  const gapMs = gapsMs[times + 1];
  return gapMs === undefined ? [] : [{ event, dueAt: new Date(now.getTime() + gapMs), times: times + 1 }];
};

/** Matches the document only while no further event was kept. */
const unchanged = ({ _id, saidDueAt, said = [] }: SaidDocument) => ({
  _id,
  saidDueAt,
  [`said.${said.length}`]: trusted({ $exists: false }),
  ...(said.length > 0 ? { [`said.${said.length - 1}.event.id`]: said.at(-1)!.event.id } : {}),
});

export interface Deps extends SayAgainOptions {
  // biome-ignore lint/suspicious/noExplicitAny: takes the model of any document that has an outbox
  model: Model<any>;
  bus: Pick<Bus, 'publish'>;
  log: Log;
}

/**
 * One round that publishes events again under their own ids, an hour and a day after the first
 * repetition once more: what a queue has lost is found again. Readers take an event they have had
 * already as none. Two replicas may say one event both: that is as harmless as the repetition
 * itself.
 */
export const createSayAgain = ({ model, bus, says, afterMs = SAY_AGAIN_AFTER_MS, reads = [], log }: Deps) => {
  const collection = model.collection.collectionName;
  const apart = createApart({ sweeper: `said ${collection}`, log });
  const gapsMs = [afterMs, HOUR_MS, 24 * HOUR_MS];
  const fields = Object.fromEntries([...reads, 'said', 'saidDueAt'].map((field) => [field, 1]));
  repeated.inc({ collection }, 0);

  const say = async (document: SaidDocument): Promise<void> => {
    const now = new Date();
    const rest: Said[] = [];
    for (const one of (document.said ?? []).filter(({ event }) => says(event.type, document))) {
      if (one.dueAt > now) {
        rest.push(one);
        continue;
      }
      await bus.publish(one.event);
      repeated.inc({ collection });
      rest.push(...nextOf(one, gapsMs, now));
    }
    const saidDueAt = new Date(Math.min(...rest.map(({ dueAt }) => dueAt.getTime())));
    const next = rest.length > 0 ? { $set: { said: rest, saidDueAt } } : { $unset: { said: 1, saidDueAt: 1 } };
    await model.updateOne(unchanged(document), next);
  };

  return async (): Promise<'more' | 'nothing' | undefined> => {
    const due = await model
      .find({ _id: trusted({ $nin: apart.resting() }), saidDueAt: trusted({ $lte: new Date() }) }, fields)
      .sort({ saidDueAt: 1 })
      .limit(BATCH)
      .lean<SaidDocument[]>();
    if (due.length === 0) return 'nothing';
    await apart.each(due, ({ _id }) => _id, say);
    return due.length === BATCH ? 'more' : undefined;
  };
};
