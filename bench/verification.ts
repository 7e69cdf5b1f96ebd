/**
 * npm run bench:verification [-- --rounds N] [--json FILE]
 *
 * Starts a suite of its own and measures what one whole verification takes: an identity with
 * consents, a passport by image, a selfie, five looks at the status and the proof. Processor time
 * of each service has that of its processes for images in it. What the suite does by itself
 * meanwhile is in it. Counts are the same on every machine; processor time is less so where others
 * use it.
 *   --rounds N    verifications that are measured, four at once (16)
 *   --json FILE   writes the figures as JSON, with date and command: what `npm run sizing` reads
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { countsOf, newTenant, readStack, specimen, startWebhookReceiver, type Tally, totalOf } from '@assay/testing';
import mongoose from 'mongoose';
import { readArguments } from '../scripts/arguments.mjs';
import { onSuite } from './on-suite.ts';
import { severalAtOnce, verify } from './verification-flow.ts';

/** The less the suite waits, the less of its processor time is that of an idle suite. */
const AT_ONCE = 4;

const options = readArguments(import.meta.filename, {
  rounds: { type: 'string', default: '16' },
  json: { type: 'string' },
});
const rounds = Number(options.rounds);

/**
 * Bytes of documents and indexes in the suite's databases: media and archives, and everything else.
 */
const storedBytes = async (): Promise<{ media: number; state: number }> => {
  const { mongoUrl, names } = readStack();
  const connection = await mongoose.createConnection(mongoUrl).asPromise();
  const { databases } = await connection.db!.admin().listDatabases();
  const stored = { media: 0, state: 0 };
  for (const { name } of databases.filter((each) => each.name.startsWith(names.databases)))
    for (const collection of await connection.useDb(name).db!.collections()) {
      const [sums] = await collection
        .aggregate<{ bytes: number }>([{ $group: { _id: null, bytes: { $sum: { $bsonSize: '$$ROOT' } } } }])
        .toArray();
      stored[/\.chunks$|^media$/.test(collection.collectionName) ? 'media' : 'state'] += sums?.bytes ?? 0;
    }
  await connection.close();
  return stored;
};

const rounded = (value: number): number => Math.round(value * 10) / 10;
const perRound = (tallies: readonly Tally[]): Record<string, number> => {
  const names = [...new Set(tallies.flatMap((tally) => [...tally.keys()]))].sort();
  const sum = (name: string) => tallies.reduce((all, tally) => all + (tally.get(name) ?? 0), 0);
  return Object.fromEntries(names.map((name) => [name, rounded(sum(name) / rounds)]));
};
const byFirstWord = (tally: Tally): Tally => {
  const by = new Map<string, number>();
  for (const [key, count] of tally) by.set(key.split(' ')[0]!, (by.get(key.split(' ')[0]!) ?? 0) + count);
  return by;
};

const measure = async () => {
  const receiver = await startWebhookReceiver();
  const webhook = { url: receiver.url, mode: 'HMAC', headerName: 'x-signature', secret: 'a webhook secret' } as const;
  const tenant = await newTenant('verification', { webhook });
  await (await verify(tenant, receiver))();
  const before = await storedBytes();
  const proofs: (() => Promise<unknown>)[] = [];
  const flows = await countsOf(() =>
    severalAtOnce(rounds, AT_ONCE, async () => {
      proofs.push(await verify(tenant, receiver));
    }),
  );
  const after = await storedBytes();
  const retrieved = await countsOf(() => severalAtOnce(rounds, AT_ONCE, (n) => proofs[n]!()));
  await receiver.close();
  const all = [flows, retrieved];
  const uploaded = specimen('passport.jpg').length + specimen('selfie-same.jpg').length;
  return {
    processorMs: perRound(all.map(({ processorMs }) => processorMs)),
    databaseCommands: rounded(all.reduce((sum, { database }) => sum + totalOf(database), 0) / rounds),
    messagesPublished: rounded(all.reduce((sum, { published }) => sum + totalOf(published), 0) / rounds),
    messagesByQueue: perRound(all.map(({ handled }) => byFirstWord(handled))),
    requests: rounded(all.reduce((sum, { requests }) => sum + totalOf(requests), 0) / rounds),
    uploadedBytes: uploaded,
    mediaBytes: Math.round((after.media - before.media) / rounds),
    stateBytes: Math.round((after.state - before.state) / rounds),
  };
};

const perVerification = await onSuite(measure, { env: { MONGO_COUNT: '1' } });
const figures = {
  measuredAt: new Date().toISOString(),
  command: `npm run bench:verification -- --rounds ${rounds}`,
  machine: `${cpus().length} x ${cpus()[0]?.model}, node ${process.version}`,
  verification: 'consents, a passport by image, a selfie, five looks at the status, the proof; embedded MongoDB',
  perVerification,
};
console.log(JSON.stringify(figures, null, 2));
if (options.json) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
