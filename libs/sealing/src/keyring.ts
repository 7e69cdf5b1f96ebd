/** The identity whose key is requested. */
interface KeyOwner {
  tenantId: string;
  identityId: string;
}

/** An identity's key, and how long it may still be held in memory. */
export interface CachedKey {
  key: Buffer;
  holdMs: number;
}

/**
 * Requests the key of an identity; undefined if the identity is closed, because its key was
 * destroyed.
 */
export type FetchKey = (owner: KeyOwner) => Promise<CachedKey | undefined>;

export interface Keyring {
  /** The identity's key; undefined once the identity is closed. */
  keyOf(owner: KeyOwner): Promise<Buffer | undefined>;
  /** The same with the rest of its time. */
  hold(owner: KeyOwner): Promise<CachedKey | undefined>;
  /** This process has just made the identity's key: it need not ask for it. */
  made(owner: KeyOwner, key: Buffer): void;
  /** The identity was closed: removes its key from memory. */
  forget(owner: KeyOwner): void;
}

/** The longest time a process may hold an identity's key in memory. */
export const KEY_CACHED_MS = 60_000;
const HELD_AT_MOST = 2000;

const nameOf = ({ tenantId, identityId }: KeyOwner): string => `${tenantId}|${identityId}`;

/**
 * The keys of the identities that a process works on, requested one by one and cached for at most a
 * minute: a minute after an identity was closed anywhere, it is unreadable here. If there are too
 * many, the oldest is dropped.
 */
export const createKeyring = (fetchKey: FetchKey, now: () => number = () => performance.now()): Keyring => {
  const cached = new Map<string, { found: Promise<CachedKey | undefined>; askedAt: number }>();

  const drop = (name: string, found: Promise<unknown>): void => {
    if (cached.get(name)?.found === found) cached.delete(name);
  };

  const remember = (owner: KeyOwner, found: Promise<CachedKey | undefined>): Promise<CachedKey | undefined> => {
    const name = nameOf(owner);
    cached.set(name, { found, askedAt: now() });
    if (cached.size > HELD_AT_MOST) cached.delete(cached.keys().next().value!);
    found.then(
      (fetched) => {
        if (!fetched || fetched.holdMs <= 0) return drop(name, found);
        setTimeout(() => drop(name, found), Math.min(fetched.holdMs, KEY_CACHED_MS)).unref();
      },
      () => drop(name, found),
    );
    return found;
  };

  const ask = (owner: KeyOwner) => remember(owner, fetchKey(owner));

  const hold = async (owner: KeyOwner): Promise<CachedKey | undefined> => {
    const known = cached.get(nameOf(owner));
    if (!known) return ask(owner);
    const fetched = await known.found;
    const restMs = fetched ? known.askedAt + Math.min(fetched.holdMs, KEY_CACHED_MS) - now() : 0;
    return fetched && restMs > 0 ? { key: fetched.key, holdMs: Math.floor(restMs) } : ask(owner);
  };

  return {
    hold,
    keyOf: async (owner) => (await hold(owner))?.key,
    made: (owner, key) => void remember(owner, Promise.resolve({ key, holdMs: KEY_CACHED_MS })),
    forget: (owner) => {
      cached.delete(nameOf(owner));
    },
  };
};
