import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readStack } from '@assay/testing';
import { connect } from 'amqplib';
import mongoose from 'mongoose';

/**
 * Every document of every collection of the suite as the bytes that the server stores, except
 * collections that `skipped` names (`database.collection`).
 */
export const exportOf = async (skipped: (name: string) => boolean): Promise<Map<string, Buffer[]>> => {
  const connection = await mongoose.createConnection(readStack().mongoUrl).asPromise();
  const { databases } = await connection.db!.admin().listDatabases();
  const exported = new Map<string, Buffer[]>();
  // The tests of single services use other databases on the same server, and fill them meanwhile.
  for (const { name } of databases.filter(({ name: database }) => database.startsWith('assay_'))) {
    const database = connection.useDb(name).db!;
    for (const collection of await database.collections()) {
      if (skipped(`${name}.${collection.collectionName}`)) continue;
      const documents = await collection.find({}, { raw: true }).toArray();
      exported.set(`${name}.${collection.collectionName}`, documents as unknown as Buffer[]);
    }
  }
  await connection.close();
  return exported;
};

/** Whether a collection is in a database of keys. Backups leave these out. */
export const ofKeys = (name: string): boolean => /^[^.]*keys\./.test(name);

export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
  });

/**
 * Collects every message that the suite publishes from now on: all that the broker could write to
 * its disk.
 */
export const listen = async (): Promise<{ heard: Buffer[]; close: () => Promise<void> }> => {
  const { EXCHANGE } = await import('@assay/contracts');
  const url = new URL(readStack().amqpUrl);
  // A test that searches all messages answers no heartbeat for minutes.
  url.searchParams.set('heartbeat', '0');
  const connection = await connect(url.href);
  const channel = await connection.createChannel();
  const { queue } = await channel.assertQueue('', { exclusive: true });
  await channel.bindQueue(queue, EXCHANGE, '#');
  const heard: Buffer[] = [];
  await channel.consume(queue, (message) => message && heard.push(message.content), { noAck: true });
  // Does not wait for the broker to close the connection: after all messages on their way that may
  // take a minute.
  return { heard, close: async () => void connection.close().catch(() => undefined) };
};
