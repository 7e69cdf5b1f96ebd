import { setTimeout as pause } from 'node:timers/promises';
import { readStack } from '@assay/testing';
import mongoose from 'mongoose';
import type { Fault } from './plan.ts';
import type { Exercise } from './run.ts';
import type { Stage } from './stage.ts';

const QUOTA = 8000;

/** The faults of writes to one collection while all other collections work. */
const FAULTS = (collection: string): Fault[] => [
  { target: 'mongodb', kind: 'answer', code: QUOTA, collection },
  { target: 'mongodb', kind: 'cut-after-applying', collection },
];

/** The names of the collections that the suite has made. */
const collectionsOf = async ({ mongoUrl }: Pick<Stage, 'mongoUrl'>): Promise<string[]> => {
  const connection = await mongoose.createConnection(mongoUrl).asPromise();
  const { databases } = await connection.db!.admin().listDatabases();
  const ours = databases.filter(({ name }) => name.startsWith(readStack().names.databases));
  const lists = await Promise.all(ours.map(({ name }) => connection.useDb(name).db!.listCollections().toArray()));
  await connection.close();
  return [...new Set(lists.flat().map(({ name }) => name))].sort();
};

/**
 * Strikes one collection after the other: the database first refuses its writes, then applies them
 * without a reply.
 */
export const strikeCollections = async (stage: Stage, ms: number): Promise<Exercise[]> =>
  (await collectionsOf(stage)).flatMap(FAULTS).map((fault) => ({
    name: `mongodb ${fault.kind} (${fault.collection})`,
    run: async () => {
      const before = stage.struck();
      const end = stage.begin(fault);
      await pause(ms);
      end();
      return stage.struck() - before;
    },
  }));
