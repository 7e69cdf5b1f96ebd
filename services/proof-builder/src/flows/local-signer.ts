import { createPublicKey, generateKeyPair, randomBytes, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { formatDateTime, present, type SigningKeyRotation } from '@assay/contracts';
import { type Clock, createApart, type Log } from '@assay/runtime';
import type { SealingKeys } from '@assay/sealing';
import jwt from 'jsonwebtoken';
import NodeRSA from 'node-rsa';
import { selfSignedCertificate } from '../domain/certificate.ts';
import type { Signer } from '../domain/signer.ts';
import { publicJwkOf, rotationDue, signerAt, signingKeyList, superseded } from '../domain/signing-keys.ts';
import type { SigningKey, SigningKeys } from '../store/signing-keys.ts';

const YEAR = 365 * 24 * 3600 * 1000;
const CERTIFICATE_YEARS = 30;
const contextOf = (kid: string): string => `signing-key|${kid}`;

export interface Deps {
  keys: SigningKeys;
  sealing: SealingKeys;
  bits: number;
  /** How long a key signs. */
  maxAgeSeconds: number;
  /**
   * How long a new key is published before it signs, for verifiers that cache the published keys.
   */
  overlapSeconds: number;
  now: Clock;
  log: Log;
}

export interface LocalSigner extends Signer {
  /**
   * Publishes the next key; it signs after the overlap. The very first one signs at once, and so
   * does one after a leak: then no other key signs any more. A rotation that is repeated makes no
   * further key.
   */
  rotate(rotation?: SigningKeyRotation, rotationId?: string): Promise<void>;
  /**
   * Makes the first key, rotates when it is due, destroys the private halves of keys that sign no
   * more, and seals those anew that a former master key sealed.
   */
  maintain(): Promise<void>;
}

const generate = promisify(generateKeyPair);

/** Apart from this thread: a key takes seconds, in which downloads would stand still. */
const makeKey = async (bits: number, sealing: SealingKeys, now: Date, activeFrom: Date): Promise<SigningKey> => {
  const { privateKey } = await generate('rsa', { modulusLength: bits });
  const pair = new NodeRSA(privateKey.export({ type: 'pkcs1', format: 'der' }), 'pkcs1-private-der');
  const privatePem = pair.exportKey('pkcs8-private-pem');
  const publicKey = createPublicKey(pair.exportKey('pkcs8-public-pem'));
  const jwk = publicJwkOf(privatePem);
  return {
    kid: jwk.kid,
    jwk,
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    certificatePem: selfSignedCertificate({
      publicKey,
      name: `Assay proof signing ${jwk.kid}`,
      serial: Buffer.concat([Buffer.of(0x40), randomBytes(15)]),
      from: now,
      to: new Date(now.getTime() + CERTIFICATE_YEARS * YEAR),
      sign: (bytes) => sign('sha256', bytes, privatePem),
    }),
    sealedPrivateKey: sealing.seal(contextOf(jwk.kid), privatePem),
    createdAt: formatDateTime(now),
    activeFrom: formatDateTime(activeFrom),
    retired: false,
  };
};

/** A key that signs since it was made: made after a leak, and the very first one. */
const isAtOnce = ({ createdAt, activeFrom }: SigningKey): boolean => activeFrom <= createdAt;

/**
 * Where the key of a rotation is; after all others if it was not made yet. A repeat may say for the
 * first time that the key is to sign at once: then one that signs later is not the one it needs.
 */
const placeOf = (known: readonly SigningKey[], signsAfterMs: number, rotationId: string | undefined): number => {
  const isOfRotation = (key: SigningKey): boolean =>
    rotationId !== undefined && key.rotationId === rotationId && (signsAfterMs > 0 || isAtOnce(key));
  const place = known.findIndex(isOfRotation);
  return place < 0 ? known.length : place;
};

/** Makes the next key. */
const createRotate = ({ keys, sealing, bits, overlapSeconds, now }: Deps): LocalSigner['rotate'] => {
  /** Adds a key after those known, unless its rotation has made it already. Returns its place. */
  const add = async (known: readonly SigningKey[], signsAfterMs: number, rotationId?: string): Promise<number> => {
    const place = placeOf(known, signsAfterMs, rotationId);
    if (place < known.length) return place;
    const at = now();
    const key = await makeKey(bits, sealing, at, new Date(at.getTime() + signsAfterMs));
    await keys.add({ ...key, ...present({ rotationId }) }, place);
    return place;
  };

  const afterOverlap = async (rotationId?: string): Promise<void> => {
    const known = await keys.all();
    await add(known, known.length === 0 ? 0 : overlapSeconds * 1000, rotationId);
  };

  /**
   * Retires what was there before the next key, by the order in which the keys were added: by their
   * times, replicas with different clocks would retire each other's.
   */
  const atOnce = async (rotationId?: string): Promise<void> => {
    const place = await add(await keys.all(), 0, rotationId);
    const all = await keys.all();
    const next = all[place];
    // Another replica published a key in its place that does not sign yet.
    if (!next || !isAtOnce(next)) return atOnce(rotationId);
    for (const { kid, retired } of all.slice(0, place)) if (!retired) await keys.retire(kid);
  };

  return (rotation = {}, rotationId) => (rotation.atOnce ? atOnce(rotationId) : afterOverlap(rotationId));
};

/** Signs with keys of this service's own, kept sealed with the master key. */
export const createLocalSigner = (deps: Deps): LocalSigner => {
  const { keys, sealing, maxAgeSeconds, overlapSeconds, now, log } = deps;
  const apart = createApart({ sweeper: 'signing-keys', log });

  const rotate = createRotate(deps);

  const signing = async (): Promise<SigningKey> => {
    const found = signerAt(await keys.all(), now());
    if (found) return found;
    await rotate();
    return signerAt(await keys.all(), now())!;
  };

  const sealAnew = async ({ kid, sealedPrivateKey: sealed }: SigningKey): Promise<void> => {
    const anew = sealed === undefined ? undefined : sealing.sealAnew(contextOf(kid), sealed);
    if (sealed !== undefined && anew !== undefined) await keys.replacePrivateKey(kid, sealed, anew);
  };

  return {
    rotate,
    maintain: async () => {
      if (rotationDue(await keys.all(), now(), maxAgeSeconds, overlapSeconds)) await rotate();
      for (const { kid } of superseded(await keys.all(), now())) await keys.retire(kid);
      // A key that no master key opens does not stop the others, nor the start of a process.
      await apart.each(await keys.all(), ({ kid }) => kid, sealAnew);
    },
    sign: async (content) => {
      const { kid, sealedPrivateKey } = await signing();
      const privatePem = sealing.open(contextOf(kid), sealedPrivateKey!).toString('utf8');
      // A string, not an object: jsonwebtoken then writes a header of the algorithm alone, and the
      // payload as it is.
      return { jws: jwt.sign(content, privatePem, { algorithm: 'RS256' }), kid };
    },
    publicKeys: async () => {
      await signing();
      return (await keys.all()).map(({ jwk }) => jwk);
    },
    list: async () => ({ keys: signingKeyList(await keys.all(), now()) }),
    current: async () => {
      const { kid, publicPem, certificatePem } = await signing();
      return { kid, publicPem, certificatePem };
    },
  };
};
