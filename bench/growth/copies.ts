import { randomUUID } from 'node:crypto';
import type mongoose from 'mongoose';

interface Document {
  _id: string;
  [name: string]: unknown;
}

/** The collections that have documents for each identity, by database. */
const PER_IDENTITY: Readonly<Record<string, readonly string[]>> = {
  gateway: ['identities'],
  keys: ['identityKeys'],
  evidence_intake: ['evidences'],
  verification_worker: ['cases'],
  issuing_source_adapter: ['checks'],
  proof_builder: ['histories'],
  notifier: ['deliveries'],
};
/** What a document has only while events about it are young: a day later nothing of it is due. */
const OF_THE_FIRST_DAY = new Set([
  'outboxLease',
  'outboxRound',
  'said',
  'saidDueAt',
  'repeatAt',
  'reissueAt',
  'recheckAt',
]);
const LATER_MS = 30 * 24 * 3_600_000;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const AT_ONCE = 1000;

/** A value with other ids in place of its own; the same id becomes the same id. */
const copyOf = (value: unknown, idFor: (id: string) => string): unknown => {
  if (typeof value === 'string') return value.length < 36 ? value : value.replace(UUID, idFor);
  if (Array.isArray(value)) return value.map((each) => copyOf(each, idFor));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copyOf(each, idFor)]));
};

const settled = (document: Document): Document => {
  const copied = Object.entries(document).filter(([name]) => !OF_THE_FIRST_DAY.has(name));
  // What is published already is pulled a little later: a copy would publish it under new ids.
  const published = document.outbox ? { outbox: [] } : {};
  const later = document.expiresAt instanceof Date ? { expiresAt: new Date(Date.now() + LATER_MS) } : {};
  return { ...Object.fromEntries(copied), _id: document._id, ...published, ...later };
};

/** What one collection takes on disk. */
export interface Size {
  name: string;
  documents: number;
  bytesEach: number;
  indexBytesEach: number;
}

/**
 * Fills a suite's databases with identities: copies of one that went through the suite, under ids
 * of their own, as they are when they were last touched long ago. Nothing that is sealed in them
 * can be opened: they are there to be passed over.
 */
export const createCopies = (connection: mongoose.Connection, prefix: string) => {
  const collections = Object.entries(PER_IDENTITY).flatMap(([database, names]) =>
    names.map((name) => ({
      name: `${database}.${name}`,
      collection: connection.getClient().db(`${prefix}${database}`).collection<Document>(name),
    })),
  );

  const templateOf = (identityId: string) =>
    Promise.all(
      collections.map(async ({ name, collection }) => {
        const found = await collection.find({ $or: [{ _id: identityId }, { identityId }] }).toArray();
        if (found.length === 0) throw new Error(`${name} has nothing of ${identityId}`);
        return { collection, documents: found.map(settled) };
      }),
    );

  return {
    /** Adds so many copies of the identity; `tenantId` stays. */
    add: async (identityId: string, tenantId: string, times: number, say: (done: number) => void): Promise<void> => {
      const template = await templateOf(identityId);
      for (let done = 0; done < times; done += AT_ONCE) {
        const ids = Array.from({ length: Math.min(AT_ONCE, times - done) }, () => new Map([[tenantId, tenantId]]));
        const idIn = (known: Map<string, string>) => (id: string) => {
          const other = known.get(id) ?? randomUUID();
          known.set(id, other);
          return other;
        };
        const insert = ({ collection, documents }: (typeof template)[number]) => {
          const copies = ids.flatMap((known) => documents.map((one) => copyOf(one, idIn(known)) as Document));
          return collection.insertMany(copies, { ordered: false, writeConcern: { w: 1 } });
        };
        await Promise.all(template.map(insert));
        say(done + ids.length);
      }
    },

    sizes: (): Promise<Size[]> =>
      Promise.all(
        collections.map(async ({ name, collection }) => {
          const [stats] = await collection
            .aggregate<{ storageStats: Record<string, number> }>([{ $collStats: { storageStats: {} } }])
            .toArray();
          const { count = 0, storageSize = 0, totalIndexSize = 0 } = stats?.storageStats ?? {};
          const each = (bytes: number): number => (count === 0 ? 0 : Math.round(bytes / count));
          return { name, documents: count, bytesEach: each(storageSize), indexBytesEach: each(totalIndexSize) };
        }),
      ),
  };
};
