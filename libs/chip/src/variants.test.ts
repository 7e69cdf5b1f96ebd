import { execFileSync } from 'node:child_process';
import { constants, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readDer } from './der/read.ts';
import { encodeElement, encodeOid, TAG } from './der/write.ts';
import { type CheckState, createTrustStore, type TrustStore, verifyChip } from './index.ts';
import { DIGEST_OIDS } from './keys/digests.ts';
import { readSecurityObject } from './lds/security-object.ts';
import { authenticatePassively } from './passive/passive-authentication.ts';
import { algorithm, context, distinguishedName, integer, octetString, sequence, set } from './software/build.ts';
import { ldsObject } from './software/data-groups.ts';
import { type ChipPlan, createChip, drawKey, type KeySource, keyPairOf } from './software/index.ts';
import { authority, NOW, planOf, pooledKeys, sent, statesOf, trusting } from './testing/chips.ts';
import { dataGroups, own, root, signer, signerKey } from './testing/odd-issuer.ts';
import {
  authorityKey,
  compressed,
  extension,
  isAuthority,
  type OddCertificate,
  type OddObject,
  oddObject,
  oddSigner,
  spelledOut,
  subjectKey,
  years,
} from './testing/variants.ts';

/*
 * Deviations of issuers from the profile of ICAO 9303 in certificates and security objects, one at
 * a time. Most were seen in real ones. All are within the standards of X.509, CMS and X9.62, or
 * harmless.
 */

const P256 = { curve: 'prime256v1' };

const NAMES: Readonly<Record<string, string>> = {
  PASOD_SIGNATURE_CHECK: 'signature',
  PASSIVE_AUTHENTICATION_HASH_CHECK: 'hashes',
  PASSIVE_AUTHENTICATION_DOCUMENT_SIGNER_CHECK: 'signer',
};

/** The results for a security object with this trust store. */
const statesFor = (object: Partial<OddObject>, trust: TrustStore = trusting([root()])): Record<string, CheckState> => {
  const documentSecurityObject = oddObject({ key: signerKey, certificate: signer(), dataGroups, ...object });
  const states = statesOf(
    verifyChip({ files: { documentSecurityObject }, dataGroups: Object.fromEntries(dataGroups), trust, now: NOW }),
  );
  return Object.fromEntries(Object.entries(NAMES).map(([name, short]) => [short, states[name]!]));
};
const GOOD = { signature: 'OK', hashes: 'OK', signer: 'OK' };
const time = (tag: number, text: string): Buffer => encodeElement(tag, Buffer.from(text));

test('the usual object of these tests is right, and an altered one is not', () => {
  expect(statesFor({})).toEqual(GOOD);
  expect(statesFor({ sign: (bytes) => sign('sha256', Buffer.concat([bytes, bytes]), signerKey.privateKey) })).toEqual({
    signature: 'FAILED',
    hashes: 'OK',
    signer: 'UNVERIFIED',
  });
});

describe('keys that are given by their parameters', () => {
  const CHANGES: Readonly<Record<string, Parameters<typeof spelledOut>[1]>> = {
    'as they are': () => ({}),
    'without a seed': () => ({ seed: Buffer.alloc(0) }),
    'with a seed of their own': () => ({ seed: encodeElement(TAG.bitString, Buffer.alloc(21, 0).fill(7, 1)) }),
    'without a cofactor': () => ({ cofactor: Buffer.alloc(0) }),
    'of version 3': () => ({ version: integer(3) }),
    'with a compressed base point': ({ base }) => ({ base: compressed(base) }),
    'with a compressed public point': ({ point }) => ({ point: compressed(point) }),
  };
  const CURVES = ['prime256v1', 'secp521r1', 'brainpoolP224r1', 'brainpoolP320r1', 'brainpoolP512r1'];
  test.each(CURVES.flatMap((curve) => Object.keys(CHANGES).map((change) => [curve, change] as const)))(
    '%s, %s',
    (curve, change) => {
      const key = spelledOut(curve, CHANGES[change]!);
      const certificate = signer({ key });
      const csca = root({ spki: spelledOut('prime256v1', CHANGES[change]!).spki });
      expect(statesFor({ key, certificate })).toEqual(GOOD);
      expect(statesFor({}, trusting([csca]))).toMatchObject({ signature: 'OK', signer: 'FAILED' });
    },
  );

  test('an authority with a base point of its own is no authority', () => {
    const other = spelledOut('prime256v1', ({ point }) => ({ base: point }));
    expect(statesFor({ key: other, certificate: signer({ key: other }) })).toMatchObject({ signature: 'UNVERIFIED' });
  });
});

describe('RSA-PSS', () => {
  const rsa = keyPairOf('RSA', generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 }));
  const mask = (oid: string) => sequence(encodeOid('1.2.840.113549.1.1.8'), algorithm(oid));
  const pss = (...parameters: Buffer[]) => algorithm('1.2.840.113549.1.1.10', sequence(...parameters));
  const signWith = (digest: string, saltLength: number) => (bytes: Buffer) =>
    sign(digest, bytes, { key: rsa.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength });
  const certificate = signer({ key: rsa });
  const { sha256 } = DIGEST_OIDS;

  test.each([0, 20, 48, 222])('with a salt of %i bytes, and exponent 3', (saltLength) => {
    const signatureAlgorithm = pss(
      context(0, algorithm(sha256)),
      context(1, mask(sha256)),
      context(2, integer(saltLength)),
    );
    const made = { key: rsa, certificate, signatureAlgorithm, sign: signWith('sha256', saltLength) };
    expect(statesFor(made)).toEqual(GOOD);
    expect(statesFor({ ...made, sign: signWith('sha256', 32) })).toMatchObject({ signature: 'FAILED' });
  });

  test('with the default values: SHA-1, and 20 bytes', () => {
    expect(statesFor({ key: rsa, certificate, signatureAlgorithm: pss(), sign: signWith('sha1', 20) })).toEqual(GOOD);
  });

  test('with a mask of another digest', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pss-'));
    const file = join(folder, 'key.pem');
    writeFileSync(file, rsa.privateKey.export({ format: 'pem', type: 'pkcs8' }));
    const options = ['rsa_padding_mode:pss', 'rsa_pss_saltlen:32', 'rsa_mgf1_md:sha1'].flatMap((one) => [
      '-sigopt',
      one,
    ]);
    const bySha1 = (input: Buffer) =>
      execFileSync('openssl', ['dgst', '-sha256', '-sign', file, ...options], { input });
    const signatureAlgorithm = pss(context(0, algorithm(sha256)), context(2, integer(32)));
    const pssOnly = sequence(algorithm('1.2.840.113549.1.1.10'), readDer(rsa.spki).children[1]!.bytes);
    for (const spki of [rsa.spki, pssOnly]) {
      const made = { key: rsa, certificate: signer({ key: rsa, spki }), signatureAlgorithm };
      expect(statesFor({ ...made, sign: bySha1 })).toEqual(GOOD);
      expect(statesFor({ ...made, sign: signWith('sha256', 32) })).toMatchObject({ signature: 'FAILED' });
    }
    rmSync(folder, { recursive: true });
  });
});

describe('signed attributes', () => {
  test('may be missing: then the content itself is signed', () => {
    expect(statesFor({ withoutAttributes: true })).toEqual(GOOD);
    const other = ldsObject(new Map([[1, Buffer.from('another')]]), 'sha256', 0);
    const signature = sign('sha256', other, signerKey.privateKey);
    expect(statesFor({ withoutAttributes: true, sign: () => signature })).toMatchObject({ signature: 'FAILED' });
  });

  test.each(['SIGNED_AS_SENT', 'SIGNED_IN_ORDER'] as const)('in another order than that of DER, %s', (order) => {
    expect(statesFor({ reversedAttributes: order })).toEqual(GOOD);
    const other = drawKey(P256);
    const signedByOther = (bytes: Buffer) => sign('sha256', bytes, other.privateKey);
    expect(statesFor({ reversedAttributes: order, sign: signedByOther })).toMatchObject({ signature: 'FAILED' });
  });

  test('with lengths that are longer than those of DER, in which they were signed', () => {
    expect(statesFor({ longLengths: true })).toEqual(GOOD);
    const other = drawKey(P256);
    const signedByOther = (bytes: Buffer) => sign('sha256', bytes, other.privateKey);
    expect(statesFor({ longLengths: true, sign: signedByOther })).toMatchObject({ signature: 'FAILED' });
  });

  test.each([
    ['content type', '1.2.840.113549.1.9.3', encodeOid('2.23.136.1.1.1')],
    ['digest', '1.2.840.113549.1.9.4', octetString(Buffer.alloc(32))],
  ])('with two values of the %s are ambiguous', (_name, type, value) => {
    expect(statesFor({ secondValue: { of: type, value } })).toMatchObject({ signature: 'FAILED' });
  });

  test('never count as content', () => {
    const attributes = set(sequence(encodeOid('1.2.840.113549.1.9.3'), set(encodeOid('2.23.136.1.1.1'))));
    const states = statesFor({ withoutAttributes: true, content: attributes });
    expect(states).toMatchObject({ signature: 'UNVERIFIED', hashes: 'UNVERIFIED' });
  });

  test.each([
    ['a UTCTime', TAG.utcTime, '260801120000Z'],
    ['a UTCTime without seconds', TAG.utcTime, '2608011200Z'],
    ['a UTCTime in a zone', TAG.utcTime, '260801140000+0200'],
    ['a GeneralizedTime', TAG.generalizedTime, '20260801120000Z'],
    ['a GeneralizedTime with a fraction', TAG.generalizedTime, '20260801120000.5Z'],
    ['no time at all', TAG.utf8String, 'yesterday'],
  ])('with %s as signing time', (_name, tag, text) => {
    expect(statesFor({ signingTime: time(tag, text) })).toEqual(GOOD);
  });
});

describe('algorithms', () => {
  test.each([
    ['id-ecPublicKey, its digest elsewhere', algorithm('1.2.840.10045.2.1')],
    ['ECDSA with NULL behind it', algorithm('1.2.840.10045.4.3.2', encodeElement(TAG.null))],
  ])('%s', (_name, signatureAlgorithm) => {
    expect(statesFor({ signatureAlgorithm })).toEqual(GOOD);
  });

  test('r and s one after the other, by the identifier of the BSI', () => {
    const plain = (bytes: Buffer) => sign('sha256', bytes, { key: signerKey.privateKey, dsaEncoding: 'ieee-p1363' });
    expect(statesFor({ signatureAlgorithm: algorithm('0.4.0.127.0.7.1.1.4.1.3'), sign: plain })).toEqual(GOOD);
  });

  test.each([
    ['SHA-512/224', '2.16.840.1.101.3.4.2.5'],
    ['SHA3-256', '2.16.840.1.101.3.4.2.8'],
    ['MD5', '1.2.840.113549.2.5'],
  ])('%s is unknown: the check is UNVERIFIED', (_name, oid) => {
    expect(statesFor({ digestAlgorithm: algorithm(oid) })).toEqual({
      signature: 'UNVERIFIED',
      hashes: 'OK',
      signer: 'UNVERIFIED',
    });
    const hashes = sequence(sequence(integer(1), octetString(Buffer.alloc(28))));
    const content = sequence(integer(0), algorithm(oid), hashes);
    expect(statesFor({ content })).toMatchObject({ hashes: 'UNVERIFIED' });
  });
});

describe('certificates', () => {
  const NEGATIVE = encodeElement(TAG.integer, Buffer.from('8001', 'hex'));
  test.each<[string, Partial<OddCertificate>]>([
    ['a negative serial number', { serial: NEGATIVE }],
    ['a serial number with zeros in front', { serial: encodeElement(TAG.integer, Buffer.from('00001234', 'hex')) }],
    ['no version and no extensions', { version: 'none', extensions: [] }],
    [
      'times with zones and fractions',
      {
        validity: [time(TAG.utcTime, '200101000000+0100'), time(TAG.generalizedTime, '20450101000000.0Z')],
      },
    ],
    ['country and attributes in small letters', { issuer: distinguishedName('ut', 'odd', 'odd csca'), extensions: [] }],
    ['a country of three letters', { subject: distinguishedName('UTO', 'Odd', 'Odd Signer') }],
    ['an issuer of three letters', { issuer: distinguishedName('UTO', 'Odd', 'Odd CSCA'), extensions: [] }],
    [
      'an unknown critical extension',
      {
        extensions: [
          authorityKey(own.keyId),
          extension('1.2.3.4', octetString(Buffer.alloc(3)), Buffer.from('0101ff', 'hex')),
        ],
      },
    ],
    [
      'a false flag written out',
      {
        extensions: [authorityKey(own.keyId), extension('2.5.29.19', sequence(), Buffer.from('010100', 'hex'))],
      },
    ],
    ["a key identifier that is nobody's", { extensions: [authorityKey(Buffer.alloc(20, 9))] }],
    [
      'neither key identifier nor a name that fits',
      { issuer: distinguishedName('UT', 'Odd', 'Odd Renamed'), extensions: [] },
    ],
  ])('of a signer with %s', (_name, changes) => {
    expect(statesFor({ certificate: signer(changes) })).toEqual(GOOD);
  });

  test('of a signer whose key identifier is that of another authority of the country', () => {
    const other = pooledKeys(P256);
    const beside = root({ key: other, signedBy: other, extensions: [isAuthority, subjectKey(other)] });
    const certificate = signer({ extensions: [authorityKey(other.keyId)] });
    expect(statesFor({ certificate }, trusting([beside, root()]))).toEqual(GOOD);
    expect(statesFor({ certificate }, trusting([beside]))).toMatchObject({ signature: 'OK', signer: 'FAILED' });
  });

  test('of an authority without identifier, version and purpose', () => {
    expect(statesFor({}, trusting([root({ version: 'none', extensions: [] })]))).toEqual(GOOD);
    expect(statesFor({}, trusting([root({ serial: NEGATIVE, validity: years })]))).toEqual(GOOD);
  });

  test('of another country do not vouch, whatever they signed', () => {
    const foreign = root({ subject: distinguishedName('XX', 'Odd', 'Odd CSCA') });
    expect(statesFor({}, trusting([foreign]))).toMatchObject({ signature: 'OK', signer: 'FAILED' });
  });

  const ANY = '2.5.29.37.0';
  const LISTS = '2.23.136.1.1.3';
  const CLIENTS = '1.3.6.1.5.5.7.3.2';
  const MAIL = '1.3.6.1.5.5.7.3.4';
  test.each([
    ['master lists', [LISTS], 'FAILED'],
    ['deviation lists', ['2.23.136.1.1.8'], 'FAILED'],
    ['travel records', ['2.23.136.1.1.9.8.1'], 'FAILED'],
    ['servers and clients', ['1.3.6.1.5.5.7.3.1', CLIENTS], 'FAILED'],
    ['anything', [LISTS, ANY], 'OK'],
    ['what nobody else of an authority does', [MAIL], 'OK'],
    ['that beside another', [MAIL, CLIENTS], 'OK'],
  ] as const)('made for %s', (_name, purposes, state) => {
    const extensions = [authorityKey(own.keyId), extension('2.5.29.37', sequence(...purposes.map(encodeOid)))];
    expect(statesFor({ certificate: signer({ extensions }) })).toEqual({ ...GOOD, signer: state });
  });

  const usage = (bits: number) => extension('2.5.29.15', encodeElement(TAG.bitString, Buffer.from([0, bits])));
  test.each([
    ['digital signatures', [usage(0x80)], 'OK'],
    ['signatures that nobody may repudiate', [usage(0x40)], 'OK'],
    ['signatures of documents and of certificates', [usage(0x84)], 'OK'],
    ['the encryption of keys', [usage(0x20)], 'FAILED'],
    ['an agreement on keys', [usage(0x08)], 'FAILED'],
    ['certificates and revocation lists', [usage(0x06)], 'FAILED'],
    ['nothing', [usage(0)], 'FAILED'],
    ['an authority', [isAuthority], 'FAILED'],
  ] as const)('whose key is for %s', (_name, extensions, state) => {
    const certificate = signer({ extensions: [authorityKey(own.keyId), ...extensions] });
    expect(statesFor({ certificate })).toEqual({ ...GOOD, signer: state });
  });

  test('of an authority, which signs no document itself', () => {
    for (const extensions of [[isAuthority, subjectKey(own), usage(0x86)], []]) {
      const csca = root({ extensions });
      expect(statesFor({ key: own, certificate: csca }, trusting([csca]))).toEqual({ ...GOOD, signer: 'FAILED' });
    }
  });

  const strings = (types: readonly string[]) =>
    types.map((type) => encodeElement(TAG.printableString, Buffer.from(type)));
  const listed = (...types: string[]) => sequence(integer(0), set(...strings(types)));
  test.each([
    ['passports', listed('P'), 'OK'],
    ['passports among others', listed('ID', 'AR', 'P'), 'OK'],
    ['passports of one kind', listed('PO'), 'OK'],
    ['passports, by strings alone', sequence(...strings(['PD', 'PO'])), 'OK'],
    ['cards', listed('ID', 'AR'), 'FAILED'],
    ['visas', listed('V'), 'FAILED'],
    ['visas, by strings alone', sequence(...strings(['V'])), 'FAILED'],
    ['an unreadable value', octetString(Buffer.from('V')), 'OK'],
    ['no documents at all', listed(), 'OK'],
  ] as const)('whose signer may sign %s', (_name, types, state) => {
    const extensions = [authorityKey(own.keyId), extension('2.23.136.1.1.6.2', types)];
    expect(statesFor({ certificate: signer({ extensions }) })).toEqual({ ...GOOD, signer: state });
  });

  test.each([
    ['AR', 'ID', 'OK'],
    ['C', 'AR', 'OK'],
    ['ID', 'P', 'FAILED'],
    ['V', 'ID', 'FAILED'],
  ])('that signs a document of code %s and may sign %s', (documentCode, type, state) => {
    const extensions = [authorityKey(own.keyId), extension('2.23.136.1.1.6.2', listed(type))];
    const object = oddObject({ key: signerKey, certificate: signer({ extensions }), dataGroups });
    const { signer: check } = authenticatePassively({
      securityObject: readSecurityObject(object),
      issuingState: 'UTO',
      documentCode,
      dateOfIssue: undefined,
      trust: trusting([root()]),
      now: NOW,
    });
    expect(check.state).toBe(state);
  });

  test('may be absent, broken, or for other purposes', () => {
    const known = (certificates: readonly Buffer[]) => ({ certificates, certificate: signer() });
    const certificate = signer();
    const trust = createTrustStore({
      certificates: [{ der: root(), source: 'test', level: 'SINGLE' }],
      signers: [certificate],
    });
    const broken = sequence(integer(1));
    for (const certificates of [[], [broken], [root()]]) {
      expect(statesFor({ certificate, certificates }, trust)).toEqual(GOOD);
      expect(statesFor(known(certificates))).toEqual({ signature: 'UNVERIFIED', hashes: 'OK', signer: 'UNVERIFIED' });
    }
    expect(statesFor({ certificate, certificates: [broken, root(), certificate] })).toEqual(GOOD);
  });
});

describe('security objects', () => {
  test('with several signatures count with the best', () => {
    const plan = { key: signerKey, certificate: signer(), dataGroups };
    const content = ldsObject(dataGroups, 'sha256', 0);
    const unknown = oddSigner({ ...plan, signatureAlgorithm: algorithm('1.2.3.4') }, content);
    const wrong = oddSigner({ ...plan, sign: () => Buffer.from('3006020101020101', 'hex') }, content);
    expect(statesFor({ ...plan, otherSigners: [unknown, wrong] })).toEqual(GOOD);
  });

  test('with a signature that is none beside a right one count with that one', () => {
    for (const none of [sequence(integer(1)), integer(1), sequence(integer(1), set(), integer(1))])
      expect(statesFor({ otherSigners: [none] })).toEqual(GOOD);
  });

  test('that list data groups the reader did not send, or carry revocation lists', () => {
    const more = new Map([...dataGroups, [3, Buffer.alloc(9)], [4, Buffer.alloc(9)], [16, Buffer.alloc(9)]]);
    const content = ldsObject(more, 'sha256', 1);
    expect(statesFor({ content, revocations: context(1, sequence()) })).toEqual(GOOD);
  });

  test.each(['1.2.840.113549.1.7.1', '1.3.27.1.1.1', '1.2.528.1.1006.1.20.1'])(
    'of the content type %s',
    (contentType) => {
      expect(statesFor({ contentType })).toEqual(GOOD);
    },
  );
});

test('active authentication with an RSA key whose exponent is 3', () => {
  const keys: KeySource = (kind) =>
    kind === 'RSA-1024'
      ? keyPairOf('RSA', generateKeyPairSync('rsa', { modulusLength: 1024, publicExponent: 3 }))
      : pooledKeys(kind);
  const plan = { keys, activeAuthentication: 'RSA', activeAuthenticationKey: 'RSA-1024' } as const;
  const check = (more: Partial<ChipPlan>) =>
    statesOf(verifyChip(sent(createChip(authority, planOf({ ...plan, ...more })), trusting([authority.certificate]))));
  expect(check({})).toMatchObject({ ACTIVE_AUTHENTICATION_CHECK: 'OK' });
  expect(check({ fault: 'cloned' })).toMatchObject({ ACTIVE_AUTHENTICATION_CHECK: 'FAILED' });
});
