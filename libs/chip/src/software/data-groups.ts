import { encodeElement, encodeOid, TAG } from '../der/write.ts';
import { DIGEST_OIDS, type Digest, hash } from '../keys/digests.ts';
import { DATA_GROUP_TAGS } from '../lds/files.ts';
import { algorithm, integer, octetString, sequence, set } from './build.ts';

const file = (number: number, ...parts: readonly Uint8Array[]): Buffer =>
  encodeElement(DATA_GROUP_TAGS[number]!, ...parts);
const text = (tag: number, value: string): Buffer => encodeElement(tag, Buffer.from(value, 'utf8'));
const uint = (value: number, size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
};

/** Data group 1 around a machine-readable zone. */
export const dataGroup1 = (lines: string): Buffer => file(1, text(0x5f1f, lines));

const facialRecord = (image: Uint8Array): Buffer => {
  const isJpeg = image[0] === 0xff && image[1] === 0xd8;
  const information = Buffer.concat([uint(1, 1), uint(isJpeg ? 0 : 1, 1), uint(413, 2), uint(531, 2), Buffer.alloc(6)]);
  const length = 20 + information.length + image.length;
  const face = Buffer.concat([uint(length, 4), uint(0, 2), Buffer.alloc(14), information, image]);
  return Buffer.concat([Buffer.from('FAC\x00010\x00', 'latin1'), uint(face.length + 14, 4), uint(1, 2), face]);
};

/**
 * Data group 2 around a picture, in the older encoding or, with deeply nested DER, in the newer
 * one.
 */
export const dataGroup2 = (image: Uint8Array, encoding: '19794' | '39794' = '19794'): Buffer => {
  const record =
    encoding === '19794'
      ? encodeElement(0x5f2e, facialRecord(image))
      : encodeElement(
          0x7f2e,
          encodeElement(0xa0, encodeElement(0xa1, encodeElement(0x30, encodeElement(0x80, image)))),
        );
  return file(
    2,
    encodeElement(
      0x7f61,
      integer(1),
      encodeElement(0x7f60, encodeElement(0xa1, encodeElement(0x81, uint(2, 1))), record),
    ),
  );
};

/** Data group 7 around the picture of a signature. */
export const dataGroup7 = (image: Uint8Array): Buffer => file(7, integer(1), encodeElement(0x5f43, image));

/** Dates as most issuers write them, or in binary-coded decimals as some do. */
export type DateForm = 'ASCII' | 'BCD';

const date = (tag: number, value: string, form: DateForm): Buffer => {
  const digits = value.replaceAll('-', '');
  return encodeElement(tag, form === 'BCD' ? Buffer.from(digits, 'hex') : Buffer.from(digits, 'latin1'));
};

const listed = (number: number, fields: readonly (readonly [number, Buffer])[]): Buffer =>
  file(number, encodeElement(0x5c, ...fields.map(([tag]) => uint(tag, 2))), ...fields.map(([, field]) => field));

/** Data group 11 with name and birth. */
export const dataGroup11 = (
  fullName: string,
  dateOfBirth: string,
  placeOfBirth: string,
  form: DateForm = 'ASCII',
): Buffer =>
  listed(11, [
    [0x5f0e, text(0x5f0e, fullName)],
    [0x5f2b, date(0x5f2b, dateOfBirth, form)],
    [0x5f11, text(0x5f11, placeOfBirth)],
  ]);

/** Data group 12 with authority and date of issue. */
export const dataGroup12 = (authority: string, dateOfIssue: string, form: DateForm = 'ASCII'): Buffer =>
  listed(12, [
    [0x5f19, text(0x5f19, authority)],
    [0x5f26, date(0x5f26, dateOfIssue, form)],
  ]);

/** Data group 14 with these infos. */
export const dataGroup14 = (...infos: readonly Buffer[]): Buffer => file(14, set(...infos));

/**
 * The info of a protocol of chip authentication: 1 is 3DES, 2 to 4 AES of 128, 192 and 256 bits.
 */
export const chipAuthenticationInfo = (cipher: 1 | 2 | 3 | 4, keyId?: number): Buffer =>
  sequence(encodeOid(`0.4.0.127.0.7.2.2.3.2.${cipher}`), integer(1), ...(keyId === undefined ? [] : [integer(keyId)]));

/** The key of chip authentication; finite-field keys have another identifier. */
export const chipAuthenticationKey = (spki: Uint8Array, keyId?: number, agreement: 'ECDH' | 'DH' = 'ECDH'): Buffer =>
  sequence(
    encodeOid(`0.4.0.127.0.7.2.2.1.${agreement === 'ECDH' ? 2 : 1}`),
    spki,
    ...(keyId === undefined ? [] : [integer(keyId)]),
  );

const PLAIN: Readonly<Record<Digest, number>> = { sha1: 1, sha224: 2, sha256: 3, sha384: 4, sha512: 5 };

/** The info that names the digest of active authentication with ECDSA. */
export const activeAuthenticationInfo = (digest: Digest): Buffer =>
  sequence(encodeOid('2.23.136.1.1.5'), integer(1), encodeOid(`0.4.0.127.0.7.1.1.4.1.${PLAIN[digest]}`));

/** Data group 15 around a public key. */
export const dataGroup15 = (spki: Uint8Array): Buffer => file(15, spki);

/** EF.COM: the list of data groups. Nothing signs it. */
export const comFile = (numbers: readonly number[]): Buffer =>
  encodeElement(
    0x60,
    text(0x5f01, '0107'),
    text(0x5f36, '040000'),
    encodeElement(0x5c, Buffer.from(numbers.map((number) => DATA_GROUP_TAGS[number]!))),
  );

/** The LDS object over these data groups. */
export const ldsObject = (dataGroups: ReadonlyMap<number, Buffer>, digest: Digest, version: 0 | 1): Buffer =>
  sequence(
    integer(version),
    algorithm(DIGEST_OIDS[digest]),
    sequence(...[...dataGroups].map(([number, bytes]) => sequence(integer(number), octetString(hash(digest, bytes))))),
    ...(version === 1 ? [sequence(text(TAG.printableString, '0108'), text(TAG.printableString, '040000'))] : []),
  );
