import { createPrivateKey, createPublicKey, diffieHellman, hkdfSync, type KeyObject } from 'node:crypto';
import type { ServiceName } from '@assay/contracts';
import { type Clock, systemClock } from '@assay/runtime';

/**
 * What a service needs for calls between services: its own private key, and the public keys of all.
 */
export interface InternalKeys {
  service: ServiceName;
  privateKey: KeyObject;
  publicKeys: ReadonlyMap<string, KeyObject>;
  /**
   * By service: what wraps the keys of identities on their way between that service and this one.
   */
  sharedKeys: ReadonlyMap<string, Buffer>;
  /** When a call is made, and until when its token is good. */
  now: Clock;
}

const USE = 'assay: identity keys between two services';

/**
 * A secret that only two services can derive: from the private key of one and the public key of the
 * other.
 */
const sharedKey = (privateKey: KeyObject, publicKey: KeyObject): Buffer =>
  Buffer.from(hkdfSync('sha256', diffieHellman({ privateKey, publicKey }), '', USE, 32));

/**
 * Reads the keys of one service: JSON `{privateKey, publicKeys: {service: key}}`, every key in PEM
 * (P-256).
 * @throws naming INTERNAL_KEYS when it cannot be read, or names no key of this service's own
 */
export const readInternalKeys = (service: ServiceName, json: string, now: Clock = systemClock): InternalKeys => {
  try {
    const { privateKey, publicKeys } = JSON.parse(json) as { privateKey: string; publicKeys: Record<string, string> };
    const known = new Map(Object.entries(publicKeys).map(([name, pem]) => [name, createPublicKey(pem)]));
    const own = createPrivateKey(privateKey);
    const isOwn = known.get(service)?.equals(createPublicKey(own)) === true;
    if (!isOwn || own.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('not a key of this service');
    const sharedKeys = new Map([...known].map(([name, key]) => [name, sharedKey(own, key)]));
    return { service, privateKey: own, publicKeys: known, sharedKeys, now };
  } catch {
    throw new Error(`configuration: INTERNAL_KEYS does not hold the keys of ${service} (docs/operations.md)`);
  }
};
