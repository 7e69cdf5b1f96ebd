import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStack } from '@assay/testing';
import mongoose from 'mongoose';
import type { Stage } from './stage.ts';

/** The collections whose documents belong to an identity and are deleted with it. */
const PERSONAL = [
  ['keys', 'identityKeys'],
  ['evidence_intake', 'evidences'],
  ['evidence_intake', 'media'],
  ['verification_worker', 'cases'],
  ['issuing_source_adapter', 'checks'],
  ['proof_builder', 'histories'],
] as const;

export type Traces = Awaited<ReturnType<typeof openTraces>>;

/** Reads what the suite has stored and logged, without a proxy. */
export const openTraces = async ({ mongoUrl, runDir }: Pick<Stage, 'mongoUrl' | 'runDir'>) => {
  const prefix = readStack().names.databases;
  const connection = await mongoose.createConnection(mongoUrl).asPromise();
  const databases = async () => {
    const { databases: all } = await connection.db!.admin().listDatabases();
    return all.filter(({ name }) => name.startsWith(prefix)).map(({ name }) => connection.useDb(name).db!);
  };
  return {
    /** Documents with events that are written and not yet published. */
    unpublished: async (): Promise<number> => {
      const collections = (await Promise.all((await databases()).map((database) => database.collections()))).flat();
      const plain = collections.filter(({ collectionName }) => !collectionName.includes('chunks'));
      const counts = plain.map((collection) => collection.countDocuments({ 'outbox.0': { $exists: true } }));
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    },
    /** Documents that are left of closed identities, by collection. */
    leftOf: async (identityIds: readonly string[]): Promise<string[]> => {
      const concerned = { $in: [...identityIds] };
      const found = await Promise.all(
        PERSONAL.map(async ([database, name]) => {
          const collection = connection.useDb(prefix + database).db!.collection<{ _id: string }>(name);
          const count = await collection.countDocuments({
            $or: [{ _id: concerned }, { identityId: concerned }],
            // A closed case is its own tombstone.
            closed: { $ne: true },
          });
          return count > 0 ? `${database}.${name}: ${count}` : '';
        }),
      );
      return found.filter(Boolean);
    },
    /** How many lines of the services' logs have one of these messages, by service and message. */
    logged: (...messages: string[]): Map<string, number> => {
      const counts = new Map<string, number>();
      const folder = join(runDir, 'logs');
      for (const file of readdirSync(folder)) {
        const text = readFileSync(join(folder, file), 'utf8');
        for (const message of messages) {
          const count = text.split(`"msg":"${message}"`).length - 1;
          if (count > 0) counts.set(`${file.replace('.log', '')} ${message}`, count);
        }
      }
      return counts;
    },
    close: () => connection.close(),
  };
};
