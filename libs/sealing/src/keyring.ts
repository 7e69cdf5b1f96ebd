import { unwrapKey } from './sealing.ts';

/** An identity's key as it travels: wrapped by the transport key `kid`. */
interface WrappedKey {
  kid: string;
  wrapped: string;
}

export interface Keyring {
  /** The identity's data key. Throws when the transport key is forgotten or the wrapping is not of this identity. */
  unwrap(key: WrappedKey, identityId: string): Promise<Buffer>;
}

const KEPT = 8;

/**
 * Unwraps identity keys with transport keys asked from the gateway. A service uses a key for the work at hand and keeps none: only the few
 * transport keys in use stay in memory.
 */
export const createKeyring = (fetchTransportKey: (kid: string) => Promise<Buffer>): Keyring => {
  const known = new Map<string, Promise<Buffer>>();
  const transportKey = (kid: string): Promise<Buffer> => {
    const already = known.get(kid);
    if (already) return already;
    const asked = fetchTransportKey(kid);
    known.set(kid, asked);
    asked.catch(() => known.delete(kid));
    if (known.size > KEPT) known.delete(known.keys().next().value!);
    return asked;
  };
  return {
    unwrap: async ({ kid, wrapped }, identityId) => unwrapKey(await transportKey(kid), wrapped, identityId),
  };
};
