import {
  type Clock,
  counter,
  createApart,
  createRecent,
  gauge,
  isDependencyDown,
  type Log,
  newId,
} from '@assay/runtime';
import type { PlacedFinding } from '../domain/doctor.ts';
import type { IdentityKeys } from '../store/identity-keys.ts';
import type { KeyRecord, KeyRecords } from '../store/key-records.ts';

const BATCH = 50;
const LEASE_MS = 30_000;
const UNUSABLE_MS = 5000;
const MOST_KEYS = 100;
/**
 * Rounds that count nothing after the key in force wraps everything: only a replica that does not
 * know the key yet wraps with the former one, and for one round at most.
 */
const CLEAN_ROUNDS = 5;

const rewrapped = counter(
  'assay_keys_rewrapped_total',
  'Keys of identities and of the gateway that were wrapped anew by the master key in force',
);
const remaining = gauge(
  'assay_keys_to_rewrap',
  'Keys of identities and of the gateway that a former master key wraps still',
);
const age = gauge('assay_master_key_age_seconds', 'How long the master key in force has been so');

export interface Deps {
  keys: Pick<IdentityKeys, 'masterKeys' | 'records'>;
  now: Clock;
  log: Log;
}

/**
 * The master keys of the suite, and how many keys each wraps: of identities, and the gateway's own.
 */
export interface MasterKeyStatus {
  current: string;
  since: Date;
  keys: { keyId: string; wraps: number }[];
  /** How many keys a master key other than the current one wraps. */
  remaining: number;
}

/** Master keys that cannot be used at present. Each is tried again after a pause. */
const createUnusableKeys = (log: Log) => {
  const recent = createRecent<true>({ most: MOST_KEYS, forMs: UNUSABLE_MS });
  const everUnusable = new Set<string>();
  const has = (keyId: string): boolean => recent.get(keyId) === true;
  return {
    has,
    list: (): string[] => [...everUnusable].filter(has),
    /** Notes a key whose key service is down. Throws any other error. */
    note: (keyId: string, error: unknown): void => {
      if (!isDependencyDown(error)) throw error;
      log.warn({ msg: 'rewrapping.waits', keyId, error });
      recent.set(keyId, true);
      everUnusable.add(keyId);
    },
  };
};

/** Which rounds need not count, because the master key in force wrapped everything before. */
const createCleanRounds = () => {
  let cleanKeyId: string | undefined;
  let left = 0;
  return {
    begin: (keyId: string): void => {
      cleanKeyId = keyId;
      left = CLEAN_ROUNDS;
    },
    /** Takes one of these rounds, if one is left under this key. */
    take: (keyId: string): boolean => {
      const isClean = cleanKeyId === keyId && left > 0;
      if (isClean) left -= 1;
      return isClean;
    },
  };
};

/** Wraps a batch of one kind of keys anew, and returns how many it found. */
const createBatch = ({ keys: { masterKeys }, log }: Deps) => {
  const apart = createApart({ sweeper: 'rewrapping', log });
  // A key that cannot be used stops neither those of other keys nor the readiness of this process.
  const unusable = createUnusableKeys(log);

  return async (one: KeyRecords, current: string): Promise<number> => {
    const wrapAnew = async (record: KeyRecord): Promise<void> => {
      const next = await masterKeys.wrapAnew(record, one.contextOf(record._id));
      if (await one.replace(record, next)) rewrapped.inc();
    };
    const work = async (record: KeyRecord): Promise<void> => {
      const keyId = record.keyId ?? masterKeys.firstKeyId;
      if (!unusable.has(keyId)) await wrapAnew(record).catch((error: unknown) => unusable.note(keyId, error));
    };
    const found = await one.wrappedElsewhere([current, ...unusable.list()], apart.resting(), BATCH);
    await apart.each(found, ({ _id }) => _id, work);
    return found.length;
  };
};

/**
 * One round: wraps keys anew that a former master key wrapped. It continues where the last round
 * ended, in whichever process that was.
 */
const createRewrap = (deps: Deps) => {
  const { keys, now } = deps;
  const { masterKeys, records } = keys;
  const owner = newId();
  const cleanRounds = createCleanRounds();
  const wrapBatch = createBatch(deps);

  return async (): Promise<'more' | 'nothing'> => {
    const { keyId, since } = await masterKeys.refresh();
    age.set((now().getTime() - since.getTime()) / 1000);
    if (cleanRounds.take(keyId)) return 'nothing';
    const left = await Promise.all(records.map((one) => one.countElsewhere(keyId)));
    remaining.set(left.reduce((sum, count) => sum + count, 0));
    if (left.every((count) => count === 0)) {
      cleanRounds.begin(keyId);
      return 'nothing';
    }
    if (!(await masterKeys.lease(owner, LEASE_MS))) return 'nothing';
    let done = 0;
    for (const one of records) done += await wrapBatch(one, keyId);
    return done > 0 ? 'more' : 'nothing';
  };
};

const DAY_MS = 24 * 3600 * 1000;
const OLD_DAYS = 365;

/** Whether the master keys are fit for production: reached, not too old, and one of them enough. */
const examineMasterKeys = async (
  masterKeys: Deps['keys']['masterKeys'],
  status: () => Promise<MasterKeyStatus>,
  now: Clock,
): Promise<PlacedFinding[]> => {
  const where = 'gateway';
  const looked = await masterKeys
    .probe()
    .then(status)
    .catch((error: unknown) => {
      if (!isDependencyDown(error)) throw error;
    });
  if (!looked)
    return [{ check: 'key-service', status: 'PROBLEM', message: 'the master key in force cannot be used', where }];
  const { current, since, keys, remaining: left } = looked;
  const isBehind = keys[0]?.keyId !== current;
  const days = Math.floor((now().getTime() - since.getTime()) / DAY_MS);
  const isUnfinished = left > 0 && days > 0;
  const oldOrLate = isUnfinished ? `${left} keys are not wrapped anew yet` : `it is in force for ${days} days`;
  return [
    isBehind
      ? { check: 'key-service', status: 'WARNING', message: 'a further master key exists and is not in force', where }
      : { check: 'key-service', status: 'OK', message: `the key service answers; ${current} is in force`, where },
    { check: 'master-key-age', status: isUnfinished || days > OLD_DAYS ? 'WARNING' : 'OK', message: oldOrLate, where },
  ];
};

export type MasterKeyFlow = ReturnType<typeof createMasterKeyFlow>;

/**
 * Rotation of the master key: puts the next one in force and wraps the stored keys anew in the
 * background. No request waits for it.
 */
export const createMasterKeyFlow = (deps: Deps) => {
  const { now } = deps;
  const { masterKeys, records } = deps.keys;
  const status = async (): Promise<MasterKeyStatus> => {
    const { keyId: current, since } = await masterKeys.refresh();
    const counts = (await Promise.all(records.map((one) => one.counts()))).flat();
    const known = [...new Set([...(await masterKeys.list()), current, ...counts.map(({ keyId }) => keyId)])];
    const wrapsOf = (keyId: string): number =>
      counts.filter((one) => one.keyId === keyId).reduce((sum, { count }) => sum + count, 0);
    const keys = known.map((keyId) => ({ keyId, wraps: wrapsOf(keyId) }));
    const elsewhere = keys.filter(({ keyId }) => keyId !== current);
    return { current, since, keys, remaining: elsewhere.reduce((sum, { wraps }) => sum + wraps, 0) };
  };

  return {
    status,
    rewrap: createRewrap(deps),
    /** Whether a further master key took over, and how things are now. */
    rotate: async (): Promise<MasterKeyStatus & { rotated: boolean }> => {
      const rotated = (await masterKeys.rotate()) !== undefined;
      return { ...(await status()), rotated };
    },
    examine: () => examineMasterKeys(masterKeys, status, now),
  };
};
