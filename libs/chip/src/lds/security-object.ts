import { type SignedData, signedDataOf } from '../cms/signed-data.ts';
import { readDer } from '../der/read.ts';
import { childAt, expectTag, octets, smallInteger } from '../der/values.ts';
import { TAG } from '../der/write.ts';
import { malformed, unsupported } from '../errors.ts';
import { DIGEST_BYTES, type Digest, digestOf } from '../keys/digests.ts';
import { LIMITS } from '../limits.ts';
import { readFile, SECURITY_OBJECT_TAG } from './files.ts';

/** What the issuer signed: a hash of each data group of the chip. */
export interface LdsObject {
  readonly version: 0 | 1;
  readonly digest: Digest;
  readonly hashes: ReadonlyMap<number, Buffer>;
  /** Version 1 only: the version of the logical data structure, as `0108`. */
  readonly ldsVersion?: string;
}

/** EF.SOD: the signed object, and the LDS object inside it. */
export interface SecurityObject {
  readonly signedData: SignedData;
  readonly lds: LdsObject;
}

/**
 * The content types that issuers give an LDS object: ICAO's, plain data (China), and two from
 * earlier drafts.
 */
const CONTENT_TYPES: ReadonlySet<string> = new Set([
  '2.23.136.1.1.1',
  '1.2.840.113549.1.7.1',
  '1.3.27.1.1.1',
  '1.2.528.1.1006.1.20.1',
]);

const hashesOf = (entries: ReturnType<typeof readDer>, digest: Digest): Map<number, Buffer> => {
  const hashes = new Map<number, Buffer>();
  for (const entry of entries.children) {
    const number = smallInteger(
      expectTag(entry, TAG.sequence, 'a hash of the LDS object').children[0],
      'the number of a data group',
    );
    const value = octets(entry.children[1], 'the hash of a data group');
    if (number < 1 || number > LIMITS.dataGroups || hashes.has(number))
      throw malformed('the LDS object numbers its data groups wrongly');
    if (value.length !== DIGEST_BYTES[digest])
      throw malformed('the hash of a data group has another length than its digest');
    hashes.set(number, value);
  }
  return hashes;
};

/** Reads the LDS object that EF.SOD signs. */
const ldsObjectOf = (content: Uint8Array): LdsObject => {
  const object = expectTag(readDer(content), TAG.sequence, 'the LDS object');
  const version = smallInteger(object.children[0], 'the version of the LDS object');
  if (version !== 0 && version !== 1) throw unsupported('the LDS object has a version other than 0 and 1');
  const digest = digestOf(object.children[1], 'the digest of the LDS object');
  const hashes = hashesOf(childAt(object, 2, TAG.sequence, 'the hashes of the LDS object'), digest);
  const ldsVersion = object.children[3]?.children[0]?.content.toString('latin1');
  return { version, digest, hashes, ...(ldsVersion ? { ldsVersion } : {}) };
};

/** Reads EF.SOD. */
export const readSecurityObject = (bytes: Uint8Array): SecurityObject => {
  const file = readFile(bytes, SECURITY_OBJECT_TAG, 'EF.SOD');
  if (file.children.length !== 1) throw malformed('EF.SOD holds more than one object');
  const signedData = signedDataOf(file.children[0]!);
  if (!CONTENT_TYPES.has(signedData.contentType)) throw unsupported('EF.SOD signs something other than an LDS object');
  return { signedData, lds: ldsObjectOf(signedData.content) };
};
