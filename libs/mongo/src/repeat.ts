import type { Bus } from '@assay/bus';
import type { Envelope } from '@assay/contracts';
import { type Clock, counter, createApart, type Log } from '@assay/runtime';
import { type Model, type Schema, trusted } from 'mongoose';

/**
 * Fields of a document that is published again: the next time, and the count. The write that
 * changes the document sets them.
 */
export const repeatFields = { repeatAt: { type: Date }, repeats: { type: Number } } as const;

/**
 * The index that a collection with these fields needs: only documents that are to be published
 * again are in it.
 */
export const repeatIndex = (schema: Schema): void => {
  schema.index({ repeatAt: 1 }, { sparse: true, name: 'repeat' });
};

interface Repeated {
  _id: string;
  repeatAt: Date;
  repeats?: number;
}

export interface RepeatOptions<D> {
  // biome-ignore lint/suspicious/noExplicitAny: takes the model of any document that has these fields
  model: Model<any>;
  bus: Pick<Bus, 'publish'>;
  /**
   * The events that repeat the state of the document; none if there is nothing to repeat any more.
   */
  eventsOf(document: D): Envelope<unknown>[];
  /** Work that is repeated on the document before that. */
  again?(document: D): Promise<void>;
  /** The pauses before each repetition; after the last one, the document is not published again. */
  gapsMs: readonly number[];
  now: Clock;
  log: Log;
}

const BATCH = 100;
const repeated = counter('assay_events_repeated_total', 'Events announced again in case a queue had lost them', [
  'collection',
]);

/**
 * One round that publishes documents again, so that lost events arrive after all. Readers ignore
 * events they have handled. Two replicas may repeat one document at the same time, which is as
 * harmless.
 */
export const createRepeat = <D extends object>({ model, bus, eventsOf, again, gapsMs, now, log }: RepeatOptions<D>) => {
  const collection = model.collection.collectionName;
  const apart = createApart({ sweeper: `repeat ${collection}`, log });
  repeated.inc({ collection }, 0);

  const announce = async (document: D & Repeated): Promise<void> => {
    const { _id, repeatAt } = document;
    await again?.(document);
    for (const event of eventsOf(document)) {
      await bus.publish(event);
      repeated.inc({ collection });
    }
    const repeats = (document.repeats ?? 0) + 1;
    const gapMs = gapsMs[repeats - 1];
    const next =
      gapMs === undefined
        ? { $unset: { repeatAt: 1, repeats: 1 } }
        : { $set: { repeatAt: new Date(now().getTime() + gapMs), repeats } };
    // A later change has set another time: that one counts.
    await model.updateOne({ _id, repeatAt }, next);
  };

  return async (): Promise<'more' | 'nothing' | undefined> => {
    const due = await model
      .find({ _id: trusted({ $nin: apart.resting() }), repeatAt: trusted({ $lte: now() }) })
      .sort({ repeatAt: 1 })
      .limit(BATCH)
      .lean<(D & Repeated)[]>();
    await apart.each(due, ({ _id }) => _id, announce);
    if (due.length === 0) return 'nothing';
    return due.length === BATCH ? 'more' : undefined;
  };
};
