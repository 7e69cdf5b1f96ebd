import type { Element } from '../der/read.ts';
import { expectTag, oidOf, smallInteger } from '../der/values.ts';
import { TAG } from '../der/write.ts';
import { attempt, malformed } from '../errors.ts';
import type { Digest } from '../keys/digests.ts';
import { PLAIN_ECDSA } from '../keys/signature.ts';
import { table } from '../table.ts';
import { readDataGroup } from './files.ts';

/** A protocol of chip authentication that the chip offers. */
export interface ChipAuthenticationInfo {
  readonly protocol: string;
  readonly keyId?: number;
}

/** A key of chip authentication, not yet parsed. */
interface ChipAuthenticationKey {
  readonly agreement: 'ECDH' | 'DH';
  readonly keyId?: number;
  readonly publicKey: Element;
}

/** What data group 14 says about the chip's protocols. */
export interface SecurityInfos {
  readonly protocols: readonly ChipAuthenticationInfo[];
  readonly keys: readonly ChipAuthenticationKey[];
  /** The digest of active authentication with ECDSA. */
  readonly activeAuthenticationDigest?: Digest;
}

/** The key agreement and the cipher. An info with the key agreement alone names a curve. */
const PROTOCOL = /^0\.4\.0\.127\.0\.7\.2\.2\.3\.[12]\.\d+$/;
const KEYS = table<'ECDH' | 'DH'>({
  '0.4.0.127.0.7.2.2.1.2': 'ECDH',
  '0.4.0.127.0.7.2.2.1.1': 'DH',
});
const ACTIVE_AUTHENTICATION = '2.23.136.1.1.5';

const keyIdOf = (element: Element | undefined): { keyId?: number } =>
  element ? { keyId: smallInteger(element, 'the id of a chip key') } : {};

/** An unknown or absent algorithm names no digest. */
const digestNamedBy = (algorithm: Element | undefined): Digest[] => {
  const named = attempt(() => PLAIN_ECDSA[oidOf(algorithm, 'the algorithm of active authentication')]).value;
  return named ? [named] : [];
};

/** Reads data group 14. It ignores infos of other protocols (PACE, terminal authentication). */
export const readDataGroup14 = (bytes: Uint8Array): SecurityInfos => {
  const set = expectTag(readDataGroup(bytes, 14).children[0], TAG.set, 'the security infos');
  const infos = set.children.map((info) => ({
    id: oidOf(expectTag(info, TAG.sequence, 'a security info').children[0], 'a security info'),
    info,
  }));
  const digests = infos
    .filter(({ id }) => id === ACTIVE_AUTHENTICATION)
    .flatMap(({ info }) => digestNamedBy(info.children[2]));
  return {
    protocols: infos
      .filter(({ id }) => PROTOCOL.test(id))
      .map(({ id, info }) => ({ protocol: id, ...keyIdOf(info.children[2]) })),
    keys: infos.flatMap(({ id, info }) => {
      const agreement = KEYS[id];
      if (agreement === undefined) return [];
      const publicKey = info.children[1];
      if (publicKey === undefined) throw malformed('a chip key is missing');
      return { agreement, publicKey, ...keyIdOf(info.children[2]) };
    }),
    ...(digests[0] ? { activeAuthenticationDigest: digests[0] } : {}),
  };
};
