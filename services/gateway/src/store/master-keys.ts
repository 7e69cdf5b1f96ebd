import { randomBytes } from 'node:crypto';
import { type Database, trusted, unlessDuplicate } from '@assay/mongo';
import { type Clock, createRecent } from '@assay/runtime';
import { type KeyService, localKeyId } from '@assay/sealing';
import { type Model, Schema } from 'mongoose';

/**
 * A key as it is stored: wrapped, and by which master key. A record without one was written when
 * there was only MASTER_KEY.
 */
export interface Wrapped {
  wrapped: string;
  keyId?: string;
}

interface CurrentDocument {
  _id: string;
  keyId: string;
  since: Date;
}

const schema = new Schema(
  { _id: String, keyId: String, since: Date, owner: String, leaseUntil: Date },
  { versionKey: false, id: false },
);

const CURRENT = 'current';
const LEASE = 'rewrapping';
const PROBE = 'probe of a new master key';
/** Unwrapped keys are cached, for a minute at most, as everywhere (decision 29). */
const UNWRAPPED = { most: 2000, forMs: 60_000 };

export interface Deps {
  mongodb: Database;
  keyService: KeyService;
  masterKey: Buffer;
  now: Clock;
  /**
   * Whether no identity has a key yet: then the first key of the first service wraps from the
   * start.
   */
  isFresh: () => Promise<boolean>;
}

export type MasterKeys = Awaited<ReturnType<typeof createMasterKeys>>;

/** Wraps with the master key in force, and unwraps with the one that wrapped. */
const wrapping = ({ keyService, masterKey }: Pick<Deps, 'keyService' | 'masterKey'>, current: () => string) => {
  const unwrapped = createRecent<{ key: Buffer; wrapped: string }>(UNWRAPPED);
  const open = ({ keyId, wrapped }: Wrapped, context: string): Promise<Buffer> =>
    keyService.unwrap(keyId ?? localKeyId(masterKey), wrapped, context);
  const wrap = async (key: Buffer, context: string): Promise<Required<Wrapped>> => {
    const keyId = current();
    return { keyId, wrapped: await keyService.wrap(keyId, key, context) };
  };
  return {
    /**
     * Wraps a stored key with the master key in force, to replace the only copy there is: both have
     * to unwrap to one key, for whoever answers may mix up answers. @throws if they do not
     */
    wrapAnew: async (stored: Wrapped, context: string): Promise<Required<Wrapped>> => {
      const key = await open(stored, context);
      const next = await wrap(key, context);
      for (const one of [stored, next])
        if (!key.equals(await open(one, context))) throw new Error('a key wrapped anew would be another one');
      return next;
    },

    wrap,

    /**
     * The key, possibly from the cache. The caller has just read the record, so the key of a
     * deleted record is never requested.
     */
    unwrap: async (stored: Wrapped, context: string): Promise<Buffer> => {
      const known = unwrapped.get(context);
      if (known?.wrapped === stored.wrapped) return known.key;
      const askedAt = performance.now();
      const key = await open(stored, context);
      unwrapped.set(context, { key, wrapped: stored.wrapped }, askedAt);
      return key;
    },

    /** The record was deleted: nothing of it stays in memory. */
    forget: (context: string): void => unwrapped.delete(context),
  };
};

// biome-ignore lint/suspicious/noExplicitAny: two shapes in one collection
type StateModel = Model<any>;

/** Lets one process at a time wrap anew; true where this one may, for so long. */
const createLease =
  (model: StateModel, now: Clock) =>
  async (owner: string, forMs: number): Promise<boolean> => {
    const free = [{ owner }, { leaseUntil: trusted({ $lte: now() }) }];
    const update = { $set: { owner, leaseUntil: new Date(now().getTime() + forMs) } };
    return unlessDuplicate(model.updateOne({ _id: LEASE, $or: free }, update, { upsert: true }));
  };

const probe = async (keyService: KeyService, keyId: string): Promise<void> => {
  const key = randomBytes(32);
  const answer = await keyService.unwrap(keyId, await keyService.wrap(keyId, key, PROBE), PROBE);
  if (!answer.equals(key)) throw new Error(`the master key ${keyId} does not unwrap what it wrapped`);
};

/**
 * Which master key is in force: one record for all processes. Each reads it at its start and at
 * every round of the sweep; until then it wraps with the former one.
 */
export const createMasterKeys = async (deps: Deps) => {
  const { mongodb, keyService, masterKey, now, isFresh } = deps;
  const model: StateModel = mongodb.connection.model('masterKeys', schema, 'masterKeys');

  const firstKey = async (): Promise<string> => {
    const [first] = (await isFresh()) ? await keyService.list() : [];
    return first ?? localKeyId(masterKey);
  };
  const read = (): Promise<CurrentDocument | null> => model.findById(CURRENT).lean<CurrentDocument>().exec();
  const begin = async (): Promise<CurrentDocument> => {
    const document = { _id: CURRENT, keyId: await firstKey(), since: now() };
    await unlessDuplicate(model.updateOne({ _id: CURRENT }, { $setOnInsert: document }, { upsert: true }));
    return (await read()) ?? document;
  };

  let current = (await read()) ?? (await begin());
  const refresh = async (): Promise<CurrentDocument> => {
    current = (await read()) ?? current;
    return current;
  };

  /**
   * The key that should take over: the first in the list, or a new one where that is in force
   * already and its service makes some.
   */
  const successor = async (former: string): Promise<string | undefined> => {
    const [first] = await keyService.list();
    if (first !== undefined && first !== former) return first;
    return first?.startsWith('vault:') ? keyService.make?.() : undefined;
  };

  return {
    ...wrapping(deps, () => current.keyId),
    /** Wraps and unwraps something with the key in force. @throws if it fails */
    probe: () => probe(keyService, current.keyId),
    /** The key that wrapped the records that name none. */
    firstKeyId: localKeyId(masterKey),
    refresh,
    list: keyService.list,

    /**
     * Puts the next master key in force, once it has wrapped and unwrapped something; gives the one
     * in force then. Undefined where there is none that could be. Of two at once one takes effect.
     */
    rotate: async (): Promise<CurrentDocument | undefined> => {
      const { keyId: former } = await refresh();
      const keyId = await successor(former);
      if (keyId === undefined) return undefined;
      await probe(keyService, keyId);
      await model.updateOne({ _id: CURRENT, keyId: former }, { $set: { keyId, since: now() } });
      return refresh();
    },

    lease: createLease(model, now),
  };
};
