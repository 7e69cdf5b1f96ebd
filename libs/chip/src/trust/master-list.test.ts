import { sign } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { readDer } from '../der/read.ts';
import { encodeElement, encodeOid, TAG } from '../der/write.ts';
import { distinguishedName, integer, sequence, set, time } from '../software/build.ts';
import { drawKey } from '../software/index.ts';
import { NOW } from '../testing/chips.ts';
import { NAME, own, root, signer, signerKey } from '../testing/odd-issuer.ts';
import { authorityKey, extension, type OddObject, oddCertificate, oddObject, oddSigner } from '../testing/variants.ts';
import { readTrustFile } from './files.ts';

const SIGNED_AT = new Date('2026-05-01T00:00:00Z');
const signsLists = extension('2.5.29.37', sequence(encodeOid('2.23.136.1.1.3')));
const usage = (bits: number) => extension('2.5.29.15', encodeElement(TAG.bitString, Buffer.from([0, bits])));
const until = (day: string) => [time(new Date('2020-01-01T00:00:00Z')), time(new Date(`${day}T00:00:00Z`))] as const;

const listSigner = (changes: Parameters<typeof signer>[0] = {}) =>
  signer({ extensions: [authorityKey(own.keyId), signsLists, usage(0x80)], ...changes });

interface ListPlan {
  readonly authority?: Buffer;
  readonly beside?: readonly Buffer[];
  /** None: the list does not say. */
  readonly signedAt?: Date | 'none';
  /** Signatures in front of the usual one, by their certificates and keys. */
  readonly others?: readonly Pick<OddObject, 'certificate' | 'key'>[];
}

/** A master list of the authority, signed with the key of this certificate. */
const listBy = (
  certificate: Buffer,
  { authority = root(), beside = [], signedAt = SIGNED_AT, others = [] }: ListPlan = {},
) => {
  const content = sequence(integer(0), set(authority));
  const plan = {
    key: signerKey,
    certificate,
    certificates: [certificate, ...others.map((other) => other.certificate), ...beside],
    dataGroups: new Map(),
    contentType: '2.23.136.1.1.2',
    content,
    ...(signedAt === 'none' ? {} : { signingTime: time(signedAt) }),
  };
  const otherSigners = others.map(({ key, certificate: another }) =>
    oddSigner({ ...plan, key, certificate: another, sign: (bytes) => sign('sha256', bytes, key.privateKey) }, content),
  );
  return readDer(oddObject({ ...plan, otherSigners })).content;
};

describe('a master list', () => {
  test('is accepted under a signer of lists that an authority certified', () => {
    expect(readTrustFile(listBy(listSigner()), NOW)).toMatchObject({ authorities: { length: 1 }, refused: [] });
  });

  test('is refused if its signer had expired when it signed, or was not valid yet', () => {
    const expired = listSigner({ validity: until('2026-04-01') });
    expect(() => readTrustFile(listBy(expired), NOW)).toThrow('was not valid when it signed');
    expect(readTrustFile(listBy(listSigner({ validity: until('2026-05-02') })), NOW).authorities).toHaveLength(1);
    expect(() => readTrustFile(listBy(listSigner(), { signedAt: new Date('2019-01-01T00:00:00Z') }), NOW)).toThrow(
      'valid',
    );
  });

  test('that does not say when it was signed is refused once its signer has expired', () => {
    const list = listBy(listSigner({ validity: until('2026-04-01') }), { signedAt: 'none' });
    expect(readTrustFile(list, new Date('2026-03-01T00:00:00Z')).authorities).toHaveLength(1);
    expect(() => readTrustFile(list, new Date('2026-05-01T00:00:00Z'))).toThrow('was not valid when it signed');
  });

  test('is refused if the key of its signer is for something else', () => {
    const forLists = listSigner({ extensions: [authorityKey(own.keyId), signsLists, usage(0x02)] });
    expect(() => readTrustFile(listBy(forLists), NOW)).toThrow('may not sign lists');
    const forDocuments = listSigner({ extensions: [authorityKey(own.keyId), usage(0x80)] });
    expect(() => readTrustFile(listBy(forDocuments), NOW)).toThrow('may not sign lists');
  });

  test('is refused under a signer that another signer certified: which is no authority', () => {
    const documentKey = drawKey({ curve: 'prime256v1' });
    const name = distinguishedName('UT', 'Odd', 'Odd Document Signer');
    const documentSigner = oddCertificate({
      ...{ subject: name, issuer: NAME, key: documentKey, signedBy: own },
      extensions: [authorityKey(own.keyId), usage(0x80)],
    });
    const certificate = listSigner({
      ...{ issuer: name, signedBy: documentKey },
      extensions: [authorityKey(documentKey.keyId), signsLists],
    });
    expect(() => readTrustFile(listBy(certificate, { beside: [documentSigner] }), NOW)).toThrow('no known authority');
  });

  test('of several signatures needs one that counts, in any order', () => {
    const other = drawKey({ curve: 'prime256v1' });
    const more = { key: other, serial: integer(0x5678) };
    const expired = listSigner({ ...more, validity: until('2026-04-01') });
    const ofOthers = listSigner({ ...more, extensions: [authorityKey(own.keyId)] });
    for (const certificate of [expired, ofOthers]) {
      const others = [{ certificate, key: other }];
      expect(readTrustFile(listBy(listSigner(), { others }), NOW).masterLists).toMatchObject([{ signedAt: SIGNED_AT }]);
      const alone = [{ certificate, key: drawKey({ curve: 'prime256v1' }) }];
      expect(readTrustFile(listBy(listSigner(), { others: alone }), NOW).authorities).toHaveLength(1);
    }
    const bad = listSigner({ validity: until('2026-04-01') });
    expect(() => readTrustFile(listBy(bad, { others: [{ certificate: ofOthers, key: other }] }), NOW)).toThrow(
      'may not',
    );
  });
});
