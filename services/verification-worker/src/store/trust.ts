import type { ImportedList } from '@assay/chip';
import { present } from '@assay/contracts';
import { trusted as filter } from '@assay/mongo';
import { type Connection, type Model, Schema } from 'mongoose';
import type { StoredTrust, Trust } from '../domain/trust.ts';

/**
 * One entry of the trust store: a certificate of a country's authority or of a signer, or a
 * revocation list.
 */
interface TrustEntry extends StoredTrust {
  /** Where it came from first, of the sources that were not removed. */
  source: string;
  addedAt: Date;
}

/** Everything that contained it. Entries of a former release name none, and have their `source`. */
type Origin = Pick<TrustEntry, 'source' | 'level'>;
type TrustDocument = Omit<TrustEntry, 'sha256'> & { _id: string; origins?: Origin[] };

const entrySchema = new Schema<TrustDocument>(
  {
    _id: { type: String, required: true },
    kind: { type: String, required: true },
    level: { type: String, required: true },
    der: { type: Buffer, required: true },
    country: { type: String, default: '' },
    subject: { type: String, required: true },
    serialNumber: String,
    notBefore: { type: Date, required: true },
    notAfter: Date,
    source: { type: String, default: '' },
    origins: { type: [{ _id: false, source: String, level: String }], default: undefined },
    addedAt: { type: Date, required: true },
  },
  { versionKey: false },
);
entrySchema.index({ kind: 1, country: 1 });

const versionSchema = new Schema<{ _id: string; version: number }>(
  { _id: String, version: Number },
  { versionKey: false },
);
/** A list imported before its authority was stored has none. */
const listSchema = new Schema<ImportedList & { _id: string }>(
  { _id: String, signedAt: { type: Date, required: true }, signedUnder: { type: Object } },
  { versionKey: false },
);
const VERSION = 'trust';

export interface TrustStore {
  /** The trust store as it is now: every answered change is in it. */
  current(): Promise<Trust>;
  list(kind: TrustEntry['kind'], country?: string): Promise<(TrustEntry & { sources: string[] })[]>;
  /** Returns how many are new; of the others the source is noted. */
  add(entries: readonly TrustEntry[]): Promise<number>;
  /** Removes an entry, or only one source of it: it stays as long as another one contains it. */
  remove(kinds: readonly TrustEntry['kind'][], id: string, source?: string): Promise<boolean>;
  /** A master list of a source was imported. */
  listImported(source: string, list: ImportedList): Promise<void>;
  /** The newest master list of each source. */
  importedLists(): Promise<Record<string, ImportedList>>;
}

const entryOf = ({ _id, origins = [], ...entry }: TrustDocument): TrustEntry & { sources: string[] } => ({
  sha256: _id,
  ...entry,
  sources: [...new Set([entry.source, ...origins.map(({ source }) => source)])],
});

const bytesOf = (der: Uint8Array | { buffer: Uint8Array }): Uint8Array =>
  der instanceof Uint8Array ? der : Buffer.from(der.buffer);

const importedLists = (connection: Connection): Pick<TrustStore, 'listImported' | 'importedLists'> => {
  const lists = connection.model('trustLists', listSchema, 'trustLists');
  return {
    listImported: async (source, { signedAt, signedUnder }) => {
      await lists.updateOne({ _id: source }, { $max: { signedAt } }, { upsert: true });
      // An older list that is imported afterwards changes neither.
      await lists.updateOne({ _id: source, signedAt }, { $set: { signedUnder } });
    },
    importedLists: async () => {
      const found = await lists.find().lean();
      return Object.fromEntries(
        found.map(({ _id, signedAt, signedUnder }) => [_id, { signedAt, ...present({ signedUnder }) }]),
      );
    },
  };
};

/** Takes one source of an entry away, and the entry with the last one. */
const removeSource = async (
  entries: Model<TrustDocument>,
  entry: { _id: string },
  source: string,
): Promise<boolean> => {
  const found = await entries.findOne(entry).lean<TrustDocument>();
  if (!found || !entryOf(found).sources.includes(source)) return false;
  const next = found.origins?.find((origin) => origin.source !== source);
  if (found.source === source && !next) return (await entries.deleteOne(entry)).deletedCount === 1;
  const first = found.source === source ? { $set: { source: next?.source, level: next?.level } } : {};
  return (await entries.updateOne(entry, { ...first, $pull: { origins: { source } } })).matchedCount === 1;
};

/** What changes the store; each change is counted. */
const changes = (
  entries: Model<TrustDocument>,
  changed: () => PromiseLike<unknown>,
): Pick<TrustStore, 'add' | 'remove'> => ({
  add: async (added) => {
    const writes = added.map(({ sha256, ...entry }) => ({
      updateOne: {
        filter: { _id: sha256 },
        update: {
          $setOnInsert: { ...entry, der: Buffer.from(entry.der) },
          $addToSet: { origins: { source: entry.source, level: entry.level } },
        },
        upsert: true,
      },
    }));
    if (writes.length === 0) return 0;
    const { upsertedCount } = await entries.bulkWrite(writes, { ordered: false });
    await changed();
    return upsertedCount;
  },
  remove: async (kinds, id, source) => {
    const one = { _id: id, kind: filter({ $in: [...kinds] }) };
    const isRemoved =
      source === undefined
        ? (await entries.deleteOne(one)).deletedCount === 1
        : await removeSource(entries, one as { _id: string }, source);
    await changed();
    return isRemoved;
  },
});

export const createTrustStore = (connection: Connection): TrustStore => {
  const entries = connection.model('trust', entrySchema, 'trust') as unknown as Model<TrustDocument>;
  const versions = connection.model('trustVersions', versionSchema, 'trustVersions');
  let loaded: Trust = { version: -1, data: { certificates: [] } };

  const version = async (): Promise<number> => (await versions.findById(VERSION).lean())?.version ?? 0;
  const changed = () => versions.updateOne({ _id: VERSION }, { $inc: { version: 1 } }, { upsert: true });
  const all = async (kind: TrustEntry['kind']) => {
    const found = await entries.find({ kind }).lean<TrustDocument[]>();
    return found.map((entry) => ({ ...entry, der: bytesOf(entry.der) }));
  };

  return {
    current: async () => {
      // Read first: a change in between has a later version, so the store is read again.
      const now = await version();
      if (loaded.version === now) return loaded;
      const [authorities, signers, revocations] = [
        await all('AUTHORITY'),
        await all('SIGNER'),
        await all('REVOCATION_LIST'),
      ];
      loaded = {
        version: now,
        data: {
          certificates: authorities.map(({ der, source, level }) => ({ der, source, level })),
          signers: signers.map(({ der }) => der),
          revocationLists: revocations.map(({ der }) => der),
        },
      };
      return loaded;
    },
    list: async (kind, country) => {
      const found = await entries
        .find({ kind, ...(country ? { country } : {}) })
        .sort({ country: 1, notBefore: 1, _id: 1 })
        .lean<TrustDocument[]>();
      return found.map(entryOf);
    },
    ...changes(entries, changed),
    ...importedLists(connection),
  };
};
