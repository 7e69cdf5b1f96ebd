import { createHash } from 'node:crypto';
import { unwrapKey, wrapKey } from './sealing.ts';

/**
 * Where master keys are: in this process, or in a key management service that never gives them out.
 * A key's id begins with the name of its service and a colon. A call that fails because the service
 * is away, refuses us or does not know the key rejects with an error of status 503.
 */
export interface KeyService {
  readonly name: string;
  /** The ids of its keys, the one that should wrap first. */
  list(): Promise<string[]>;
  /** Wraps a key, bound to a context. */
  wrap(keyId: string, key: Buffer, context: string): Promise<string>;
  /** Unwraps what `wrap` made. Rejects where key, context or a single bit is another. */
  unwrap(keyId: string, wrapped: string, context: string): Promise<Buffer>;
  /** Makes a new key and gives its id; absent where keys are made elsewhere. */
  make?(): Promise<string>;
}

const LOCAL = 'local';
const ID_LETTERS = 16;

/** The id of a master key that this process holds: it tells nothing of the key. */
export const localKeyId = (key: Buffer): string =>
  `${LOCAL}:${createHash('sha256').update('assay: id of a master key').update(key).digest('hex').slice(0, ID_LETTERS)}`;

/** The failure of a call with a key that this process does not have: another one may. */
const unknownKey = (keyId: string): Error =>
  Object.assign(new Error(`the master key ${keyId} is not known here`), { name: 'MasterKeyUnknown', status: 503 });

/** Master keys in this process; the first one wraps. */
export const createLocalKeys = (keys: readonly Buffer[]): KeyService => {
  const byId = new Map(keys.map((key) => [localKeyId(key), key]));
  const find = (keyId: string): Buffer => {
    const key = byId.get(keyId);
    if (!key) throw unknownKey(keyId);
    return key;
  };
  return {
    name: LOCAL,
    list: async () => [...byId.keys()],
    wrap: async (keyId, key, context) => wrapKey(find(keyId), key, context),
    unwrap: async (keyId, wrapped, context) => unwrapKey(find(keyId), wrapped, context),
  };
};

/**
 * Several key services as one: each key is used where its id says it is. The keys of the first
 * service come first.
 */
export const joinKeyServices = (services: readonly KeyService[]): KeyService => {
  const serviceOf = (keyId: string): KeyService => {
    const found = services.find(({ name }) => keyId.startsWith(`${name}:`));
    if (!found) throw unknownKey(keyId);
    return found;
  };
  return {
    name: services.map(({ name }) => name).join('+'),
    list: async () => (await Promise.all(services.map((service) => service.list()))).flat(),
    wrap: async (keyId, key, context) => serviceOf(keyId).wrap(keyId, key, context),
    unwrap: async (keyId, wrapped, context) => serviceOf(keyId).unwrap(keyId, wrapped, context),
    make: async () => {
      const first = services[0];
      if (!first?.make) throw unknownKey('(new)');
      return first.make();
    },
  };
};
