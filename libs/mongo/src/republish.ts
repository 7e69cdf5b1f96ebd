import type { Bus } from '@assay/bus';
import type { Envelope } from '@assay/contracts';
import { counter, createApart, type Log } from '@assay/runtime';
import { type Model, trusted } from 'mongoose';
import { clockOf } from './database-clock.ts';

/** A published event, stored until it is republished for the last time. */
export interface RepublishedEvent {
  event: Envelope<unknown>;
  dueAt: Date;
  times: number;
}

/**
 * Whether an event of this type is republished; asked again, with the document as it is, when the
 * event is due.
 */
type IsRepublished = (type: string, document?: Record<string, unknown>) => boolean;

export interface RepublishOptions {
  /** All events by default. */
  isRepublished?: IsRepublished;
  /**
   * How long after an event it is republished for the first time, in milliseconds; two minutes by
   * default.
   */
  afterMs?: number | undefined;
  /** Fields of the document that `isRepublished` reads. */
  reads?: readonly string[];
  /** Pause between rounds that look for what is due, in milliseconds. */
  everyMs?: number;
}

interface SaidDocument extends Record<string, unknown> {
  _id: string;
  said?: RepublishedEvent[];
  saidDueAt: Date;
}

const always: IsRepublished = () => true;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** After the first time. The first of them is for what is lost twice in one disturbance. */
const FURTHER_GAPS_MS = [10 * MINUTE_MS, HOUR_MS, 24 * HOUR_MS];
const REPUBLISH_AFTER_MS = 120_000;
const BATCH = 100;
const MOST_KEPT = 200;
const BUDGET_BYTES = 2 * 1024 * 1024;

const republished = counter('assay_events_republished_total', 'Events published again in case a queue had lost them', [
  'collection',
]);

/** Keeps a document far below its limit of 16 MB: the larger an event, the fewer are stored. */
const mostOf = (events: readonly Envelope<unknown>[]): number => {
  const largest = Math.max(...events.map((event) => Buffer.byteLength(JSON.stringify(event))));
  return Math.max(1, Math.min(MOST_KEPT, Math.floor(BUDGET_BYTES / largest)));
};

/** The part of an update that stores published events in the document, to republish them later. */
export const scheduleRepublishing = (
  published: readonly Envelope<unknown>[],
  { isRepublished = always, afterMs = REPUBLISH_AFTER_MS }: RepublishOptions,
  now: Date,
) => {
  const events = published.filter(({ type }) => isRepublished(type));
  if (events.length === 0) return {};
  const dueAt = new Date(now.getTime() + afterMs);
  const said = events.map((event): RepublishedEvent => ({ event, dueAt, times: 0 }));
  return { $push: { said: { $each: said, $slice: -mostOf(events) } }, $min: { saidDueAt: dueAt } };
};

const nextOf = ({ event, times }: RepublishedEvent, gapsMs: readonly number[], now: Date): RepublishedEvent[] => {
  const gapMs = gapsMs[times + 1];
  return gapMs === undefined ? [] : [{ event, dueAt: new Date(now.getTime() + gapMs), times: times + 1 }];
};

/** Matches the document only while no further event was stored in it. */
const unchanged = ({ _id, saidDueAt, said = [] }: SaidDocument) => ({
  _id,
  saidDueAt,
  [`said.${said.length}`]: trusted({ $exists: false }),
  ...(said.length > 0 ? { [`said.${said.length - 1}.event.id`]: said.at(-1)!.event.id } : {}),
});

export interface Deps extends RepublishOptions {
  // biome-ignore lint/suspicious/noExplicitAny: takes the model of any document that has an outbox
  model: Model<any>;
  bus: Pick<Bus, 'publish'>;
  log: Log;
}

/**
 * One round that republishes due events under their own ids, in case a queue has lost them; each is
 * republished again ten minutes, an hour and a day later. Readers ignore an event they have
 * handled. So it is harmless if two replicas republish the same event.
 */
export const createRepublishing = ({
  model,
  bus,
  isRepublished = always,
  afterMs = REPUBLISH_AFTER_MS,
  reads = [],
  log,
}: Deps) => {
  const collection = model.collection.collectionName;
  const clock = clockOf(model.db);
  const apart = createApart({ sweeper: `republish ${collection}`, log });
  const gapsMs = [afterMs, ...FURTHER_GAPS_MS];
  const fields = Object.fromEntries([...reads, 'said', 'saidDueAt'].map((field) => [field, 1]));
  republished.inc({ collection }, 0);

  const republish = async (document: SaidDocument): Promise<void> => {
    const now = clock();
    const rest: RepublishedEvent[] = [];
    for (const one of (document.said ?? []).filter(({ event }) => isRepublished(event.type, document))) {
      if (one.dueAt > now) {
        rest.push(one);
        continue;
      }
      await bus.publish(one.event);
      republished.inc({ collection });
      rest.push(...nextOf(one, gapsMs, now));
    }
    const saidDueAt = new Date(Math.min(...rest.map(({ dueAt }) => dueAt.getTime())));
    const next = rest.length > 0 ? { $set: { said: rest, saidDueAt } } : { $unset: { said: 1, saidDueAt: 1 } };
    await model.updateOne(unchanged(document), next);
  };

  return async (): Promise<'more' | 'nothing' | undefined> => {
    const due = await model
      .find({ _id: trusted({ $nin: apart.resting() }), saidDueAt: trusted({ $lte: clock() }) }, fields)
      .sort({ saidDueAt: 1 })
      .limit(BATCH)
      .lean<SaidDocument[]>();
    if (due.length === 0) return 'nothing';
    await apart.each(due, ({ _id }) => _id, republish);
    return due.length === BATCH ? 'more' : undefined;
  };
};
