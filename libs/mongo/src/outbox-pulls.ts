import type { Envelope } from '@assay/contracts';
import { type Log, outsideTraces } from '@assay/runtime';
import type { AnyBulkWriteOperation, Model } from 'mongoose';
import { directly } from './direct.ts';

type Entries = readonly Envelope<unknown>[];

export interface PullOptions {
  // biome-ignore lint/suspicious/noExplicitAny: takes the model of any document that has an outbox
  model: Model<any>;
  log: Log;
  /** The write that removes published entries from the outbox of a document. */
  takeOut(id: string, done: Entries): AnyBulkWriteOperation;
  /** How long published entries may stay in their documents, in milliseconds. */
  afterMs: number;
}

const MOST_DOCUMENTS = 500;

/**
 * Takes what is published out of the documents it came from: the entries of many with one command,
 * a little later. Until then a crash leaves them behind, and they are published once more under the
 * same ids, which no consumer takes in twice (invariant 3). For the same reason a crash of the
 * database may undo it.
 */
export const createPulls = ({ model, log, takeOut, afterMs }: PullOptions) => {
  let waiting = new Map<string, Entries>();
  const underWay = new Map<ReadonlyMap<string, Entries>, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  const collection = model.collection.collectionName;

  const pull = async (batch: ReadonlyMap<string, Entries>): Promise<void> => {
    if (batch.size === 0) return;
    const writes = [...batch].map(([id, done]) => takeOut(id, done));
    await directly(model)
      .bulk(writes, { mayBeLost: true })
      // The sweep finds them and publishes them again.
      .catch((error: unknown) => log.warn({ msg: 'outbox.not-pulled', collection, documents: batch.size, error }));
  };

  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = new Map();
    underWay.set(
      batch,
      pull(batch).finally(() => underWay.delete(batch)),
    );
    await Promise.all(underWay.values());
  };
  const entriesIn = (id: string): Entries => [waiting, ...underWay.keys()].flatMap((batch) => batch.get(id) ?? []);

  return {
    /** These entries of the document are published. */
    add: (id: string, done: Entries): void => {
      waiting.set(id, [...(waiting.get(id) ?? []), ...done]);
      if (waiting.size >= MOST_DOCUMENTS) void flush();
      else timer ??= outsideTraces(() => setTimeout(() => void flush(), afterMs));
    },
    /** Whether entries of the document are to be removed. */
    has: (id: string): boolean => entriesIn(id).length > 0,
    /** Whether this entry is to be removed. */
    hasEntry: (id: string, entryId: string): boolean => entriesIn(id).some((entry) => entry.id === entryId),
    /** Removes all of them now. */
    flush,
  };
};
