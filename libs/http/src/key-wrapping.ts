import type { ServiceName } from '@assay/contracts';
import { unwrapKey, wrapKey } from '@assay/sealing';
import type { InternalKeys } from './internal-keys.ts';

const sharedWith = ({ sharedKeys }: InternalKeys, other: string): Buffer => {
  const key = sharedKeys.get(other);
  if (!key) throw new Error('no key of this service is known');
  return key;
};

/**
 * An identity's key on its way to another service: nobody but that service can unwrap it, and for
 * no other identity.
 */
export const wrapFor = (keys: InternalKeys, to: ServiceName, key: Buffer, identityId: string): string =>
  wrapKey(sharedWith(keys, to), key, `${keys.service}>${to}|${identityId}`);

/**
 * Unwraps what another service wrapped for this one. Throws when it is for another service or
 * identity.
 */
export const unwrapFrom = (keys: InternalKeys, from: string, wrapped: string, identityId: string): Buffer =>
  unwrapKey(sharedWith(keys, from), wrapped, `${from}>${keys.service}|${identityId}`);
