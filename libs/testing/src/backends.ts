import { type Bus, connectBus } from '@assay/bus';
import { type Envelope, present } from '@assay/contracts';
import type { ServiceName } from '@assay/http';
import { connectMongo, type Database } from '@assay/mongo';
import { quietLog } from './quiet.ts';
import { testStack } from './stack.ts';

interface BackendsOptions<Data> {
  /** How long messages wait in each waiting room. */
  roomsMs?: readonly number[];
  /** Called with each event of the service, after the broker has stored it. */
  onPublished?: (event: Envelope<Data>) => void;
}

/**
 * The databases and the broker namespace of a service under test in this process. No other test
 * uses them. `close` removes the databases; close the service before.
 */
export const openBackends = async <Data = Record<string, unknown>>(
  service: ServiceName,
  { roomsMs, onPublished }: BackendsOptions<Data> = {},
) => {
  const stack = testStack();
  const namespace = stack.namespace();
  const url = stack.amqpUrl;
  const rabbitmq = await connectBus({ url, service, log: quietLog, namespace, ...present({ roomsMs }) });
  const published: Envelope<Data>[] = [];
  const databases: Database[] = [];
  const recording: Bus = {
    ...rabbitmq,
    publish: async (event) => {
      await rabbitmq.publish(event);
      published.push(event as Envelope<Data>);
      onPublished?.(event as Envelope<Data>);
    },
  };
  return {
    database: async (name: string): Promise<Database> => {
      const database = await connectMongo(stack.mongoUrl, stack.database(name), quietLog);
      databases.push(database);
      return database;
    },
    /** For messages that the test publishes to the service. */
    rabbitmq,
    /** For the service; `published` contains everything that it publishes. */
    recording,
    published,
    close: async (): Promise<void> => {
      await rabbitmq.close();
      for (const database of databases) {
        await database.connection.dropDatabase();
        await database.close();
      }
    },
  };
};
