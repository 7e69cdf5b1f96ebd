import { describe, expect, test } from '@jest/globals';
import { readCertificate } from '../certificates/certificate.ts';
import { nameText } from '../certificates/name.ts';
import { encodeElement, TAG } from '../der/write.ts';
import { distinguishedName } from '../software/build.ts';
import { type Authority, createAuthority, createChip, drawKey, type KeySource } from '../software/index.ts';
import { authority, NOW, planOf, pooledKeys, statesOf, trusting, verificationOf } from '../testing/chips.ts';
import { extension, isAuthority, oddCertificate, subjectKey } from '../testing/variants.ts';
import { readTrustFile } from './files.ts';
import { reportOfTrust } from './report.ts';
import { createTrustStore } from './store.ts';

const DAY = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(NOW.getTime() + days * DAY);

const pem = (label: string, der: Buffer): string =>
  `-----BEGIN ${label}-----\n${der.toString('base64').replaceAll(/(.{64})/g, '$1\n')}\n-----END ${label}-----\n`;

const folded = (line: string): string => line.replaceAll(/(.{76})(?=.)/g, '$1\n ');

const ldif = (entries: readonly (readonly [string, Buffer])[]): string =>
  [
    'version: 1',
    ...entries.flatMap(([name, value], index) => [
      '',
      `dn: cn=${index},dc=data,dc=download,dc=pkd`,
      'objectClass: top',
      folded(`${name}:: ${value.toString('base64')}`),
    ]),
  ].join('\n');

const signerState = (chip: Parameters<typeof verificationOf>[0], store: Parameters<typeof verificationOf>[1]) => {
  const verification = verificationOf(chip, store);
  const finding = verification.findings.find(({ code }) => code === 'SIGNER_NOT_RIGHT');
  return [
    statesOf(verification).PASSIVE_AUTHENTICATION_DOCUMENT_SIGNER_CHECK,
    finding && 'reason' in finding ? finding.reason : undefined,
  ];
};

describe('files of an administrator', () => {
  test('a certificate in DER, and several in PEM', () => {
    const other = createAuthority({ country: 'XY' });
    expect(readTrustFile(authority.certificate, NOW).authorities).toMatchObject([{ level: 'SINGLE' }]);
    const both = readTrustFile(
      Buffer.from(pem('CERTIFICATE', authority.certificate) + pem('CERTIFICATE', other.certificate)),
      NOW,
    );
    expect(both.authorities.map(({ certificate }) => certificate.subject.country)).toEqual(['UT', 'XY']);
  });

  test('a PEM of several: one that cannot be read is refused by itself', () => {
    const good = pem('CERTIFICATE', authority.certificate);
    const broken = pem('CERTIFICATE', Buffer.from('3003020101', 'hex'));
    const read = readTrustFile(Buffer.from(good + broken + pem('CERTIFICATE', createAuthority().certificate)), NOW);
    expect(read).toMatchObject({ authorities: { length: 2 }, refused: [{ subject: 'unknown' }] });
    expect(() => readTrustFile(Buffer.from(broken), NOW)).toThrow('a certificate');
  });

  test('several in DER, one after the other', () => {
    const known = [readCertificate(authority.certificate)];
    const other = createAuthority({ country: 'XY' });
    const serials = [Buffer.from('1122', 'hex')];
    const file = Buffer.concat([
      authority.certificate,
      authority.revoke(serials, NOW, inDays(90)),
      Buffer.from('3003020101', 'hex'),
      authority.signMasterList([authority.certificate], NOW),
      other.certificate,
    ]);
    expect(readTrustFile(file, NOW, known)).toMatchObject({
      authorities: { length: 3 },
      revocationLists: { length: 1 },
      refused: [{ subject: 'unknown' }],
    });
    const trailing = [authority.certificate, Buffer.from('\n')];
    expect(() => readTrustFile(Buffer.concat(trailing), NOW)).toThrow('bytes follow the last element');
    const cutOff = Buffer.concat([authority.certificate, other.certificate.subarray(0, -1)]);
    expect(() => readTrustFile(cutOff, NOW)).toThrow('ends outside');
    expect(() => readTrustFile(Buffer.alloc(1 << 20, Buffer.from('3000', 'hex')), NOW)).toThrow('more than');
  });

  test('a signed object that is no master list says why', () => {
    const list = authority.signMasterList([authority.certificate], NOW);
    const type = list.indexOf(Buffer.from('0606678108010102', 'hex'));
    const another = Buffer.from(list);
    another[type + 7]! += 1;
    expect(() => readTrustFile(another, NOW)).toThrow(/^a signed object is no master list$/);
    another[type] = TAG.null;
    expect(() => readTrustFile(another, NOW)).toThrow('no master list: the type of a content has another tag');
  });

  test('a revocation list in DER and in PEM', () => {
    const list = authority.revoke([Buffer.from('1122', 'hex')], NOW, inDays(90));
    const known = [readCertificate(authority.certificate)];
    for (const file of [list, Buffer.from(pem('X509 CRL', list))]) {
      const [read] = readTrustFile(file, NOW, known).revocationLists;
      expect([...read!.revoked]).toEqual(['1122']);
      expect(read!.nextUpdate).toEqual(inDays(90));
    }
    expect(readTrustFile(authority.revoke([], NOW, inDays(90)), NOW, known).revocationLists[0]!.revoked.size).toBe(0);
    const foreign = createAuthority().revoke([], NOW, inDays(90));
    expect(readTrustFile(foreign, NOW, known)).toMatchObject({
      revocationLists: [],
      refused: [{ reason: expect.any(String) }],
    });
  });

  test("a signer's certificate is no authority", () => {
    const { authorities, refused } = readTrustFile(authority.issueSigner().certificate, NOW);
    expect(authorities).toEqual([]);
    expect(refused).toMatchObject([{ reason: 'the certificate is no authority' }]);
  });

  test('nor is one whose key may sign revocation lists alone', () => {
    const key = drawKey({ curve: 'prime256v1' });
    const name = distinguishedName('UT', 'Odd', 'Odd CSCA');
    const listsOnly = extension('2.5.29.15', encodeElement(TAG.bitString, Buffer.from([1, 0x02])));
    const certificate = oddCertificate({
      ...{ subject: name, issuer: name, key, signedBy: key },
      extensions: [isAuthority, subjectKey(key), listsOnly],
    });
    expect(readTrustFile(certificate, NOW).refused).toMatchObject([
      { reason: 'the key of the certificate may not sign certificates' },
    ]);
  });

  test('a master list under its own signature, and under none', () => {
    const other = createAuthority({ country: 'XY' });
    const list = authority.signMasterList([authority.certificate, other.certificate], NOW);
    expect(readTrustFile(list, NOW)).toMatchObject({
      authorities: [{ level: 'MASTER_LIST' }, { level: 'MASTER_LIST' }],
      masterLists: [{ signedAt: NOW }],
    });
    const changed = Buffer.from(list);
    changed[list.indexOf(Buffer.from('Specimen'))]! ^= 1;
    expect(() => readTrustFile(changed, NOW)).toThrow(expect.objectContaining({ code: 'SIGNATURE_WRONG' }));
  });

  test('a list without its authority can be read only if that authority is known', () => {
    const other = createAuthority({ country: 'XY' });
    const list = authority.signMasterList([other.certificate], NOW);
    expect(() => readTrustFile(list, NOW)).toThrow(expect.objectContaining({ code: 'SIGNATURE_WRONG' }));
    expect(readTrustFile(list, NOW, [readCertificate(authority.certificate)]).authorities).toHaveLength(2);
  });

  test('an LDIF of the Public Key Directory: lists, signers, revocation lists', () => {
    const signer = authority.issueSigner();
    const file = ldif([
      ['pkdMasterListContent', authority.signMasterList([authority.certificate], NOW)],
      ['userCertificate;binary', signer.certificate],
      ['certificateRevocationList;binary', authority.revoke([signer.serialNumber], NOW, inDays(30))],
      ['userCertificate;binary', Buffer.from('no certificate')],
    ]);
    const read = readTrustFile(Buffer.from(file), NOW);
    expect(read.authorities).toMatchObject([{ level: 'MASTER_LIST' }]);
    expect(read.signers.map(({ bytes }) => bytes)).toEqual([signer.certificate]);
    expect([...read.revocationLists[0]!.revoked]).toEqual([signer.serialNumber.toString('hex')]);
    expect(read.refused).toHaveLength(1);
  });

  test('an LDIF whose values have blanks around them, options, or are no base64', () => {
    const good = ldif([
      ['cACertificate;binary;x-odd', authority.certificate],
      ['userCertificate', authority.issueSigner().certificate],
    ]);
    const read = readTrustFile(Buffer.from(`${good.replaceAll('\n', ' \r\n')}\r\nuserCertificate:: no base64!`), NOW);
    expect(read).toMatchObject({
      authorities: { length: 1 },
      signers: { length: 1 },
      refused: [{ subject: 'unknown' }],
    });
  });

  test.each([
    ['nothing', ''],
    ['a text', 'hello'],
    ['PEM around nothing', '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----'],
    ['an LDIF of other things', 'version: 1\ndn: cn=a\nmail: a@example.org\n'],
  ])('%s is refused', (_what, text) => {
    expect(() => readTrustFile(Buffer.from(text), NOW)).toThrow(expect.objectContaining({ name: 'ChipError' }));
  });
});

describe('chains', () => {
  const chip = createChip(authority, planOf());

  test('link certificates lead to an authority that is trusted under an earlier key', () => {
    const second = authority.renew();
    const third = second.authority.renew();
    const renewed = (issuer: Authority, otherCertificates: readonly Buffer[]) =>
      createChip(issuer, planOf({ otherCertificates }));
    const store = trusting([authority.certificate]);
    expect(signerState(renewed(second.authority, [second.link]), store)).toEqual(['OK', undefined]);
    expect(signerState(renewed(third.authority, [third.link, second.link]), store)).toEqual(['OK', undefined]);
    expect(signerState(renewed(third.authority, [third.link]), store)).toEqual(['UNVERIFIED', 'AUTHORITY_UNKNOWN']);
  });

  test('a signer cannot issue signers: what it signs leads to no authority', () => {
    const signer = authority.issueSigner({});
    const forged = createAuthority({ keys: () => signer.key });
    const other = createChip(forged, planOf({ otherCertificates: [signer.certificate] }));
    expect(signerState(other, trusting([authority.certificate]))[0]).toBe('UNVERIFIED');
  });

  test('an authority that claims a known key without having it fails', () => {
    const impostorKey = pooledKeys({ curve: 'prime256v1' });
    const known = readCertificate(authority.certificate).subjectKeyId!;
    const impostor = createAuthority({ keys: () => ({ ...impostorKey, keyId: known }) });
    expect(signerState(createChip(impostor, planOf()), trusting([authority.certificate]))).toEqual([
      'FAILED',
      'CHAIN_SIGNATURE_WRONG',
    ]);
  });

  test("another country's authority fails, whatever the signer's certificate says", () => {
    const foreign = createAuthority({ country: 'XY' });
    const store = trusting([authority.certificate, foreign.certificate]);
    expect(signerState(createChip(foreign, planOf()), store)).toEqual(['FAILED', 'OTHER_COUNTRY']);
  });

  test.each([
    ['D', 'DE'],
    ['RKS', 'KS'],
    ['EUE', 'eu'],
    ['UNO', 'UN'],
    ['GBN', 'GB'],
    ['FRA', 'FR'],
    ['XOM', 'XOM'],
    ['XOM', 'XO'],
    ['XPO', 'XP'],
  ])('documents of %s are signed under C=%s', (issuingState, country) => {
    const issuer = createAuthority({ country, keys: pooledKeys });
    const issued = createChip(issuer, planOf({ passport: { ...planOf().passport, issuingState } }));
    expect(signerState(issued, trusting([issuer.certificate]))).toEqual(['OK', undefined]);
  });

  test('of an organisation without two letters nobody knows whether other letters are its own', () => {
    const issuer = createAuthority({ country: 'XB', keys: pooledKeys });
    const issued = createChip(issuer, planOf({ passport: { ...planOf().passport, issuingState: 'XBA' } }));
    expect(signerState(issued, trusting([issuer.certificate]))).toEqual(['UNVERIFIED', 'ISSUING_STATE_UNKNOWN']);
  });

  test('a signer whose certificate is only in the trust store', () => {
    const bare = createChip(authority, planOf({ withoutCertificate: true }));
    expect(statesOf(verificationOf(bare, trusting([authority.certificate]))).PASOD_SIGNATURE_CHECK).toBe('UNVERIFIED');
    const store = createTrustStore({
      certificates: [{ der: authority.certificate, source: 'test', level: 'SINGLE' }],
      signers: [bare.signer.certificate],
    });
    expect(statesOf(verificationOf(bare, store)).PASSIVE_AUTHENTICATION_CHECK).toBe('OK');
  });

  test('a revoked signer fails; a list that another party signed revokes nothing', () => {
    const serials = [chip.signer.serialNumber];
    const store = trusting([authority.certificate], [authority.revoke(serials, NOW, inDays(30))]);
    expect(signerState(chip, store)).toEqual(['FAILED', 'REVOKED']);
    const foreign = createAuthority();
    expect(signerState(chip, trusting([authority.certificate], [foreign.revoke(serials, NOW, inDays(30))]))).toEqual([
      'OK',
      undefined,
    ]);
  });

  test('a revocation list of thousands is read, and revokes', () => {
    const others = Array.from({ length: 20_000 }, (_, at) => Buffer.from([0x22, at >> 8, at & 0xff]));
    const list = authority.revoke([...others, chip.signer.serialNumber], NOW, inDays(30));
    expect(readTrustFile(list, NOW, [readCertificate(authority.certificate)]).revocationLists[0]?.revoked.size).toBe(
      20_001,
    );
    expect(signerState(chip, trusting([authority.certificate], [list]))).toEqual(['FAILED', 'REVOKED']);
  });

  test('an outdated revocation list is used, and reported', () => {
    const store = trusting([authority.certificate], [authority.revoke([], inDays(-100), inDays(-10))]);
    expect(verificationOf(chip, store).findings).toContainEqual({ code: 'REVOCATION_LIST_OUTDATED' });
    expect(verificationOf(chip, trusting([authority.certificate])).findings).toContainEqual({
      code: 'NO_REVOCATION_LIST',
    });
  });

  test('a revocation list of the future is not the list of its country yet, and revokes all the same', () => {
    const certificates = [authority.certificate];
    const future = authority.revoke([chip.signer.serialNumber], inDays(1), inDays(400));
    const past = authority.revoke([], inDays(-1), inDays(30));
    expect(verificationOf(chip, trusting(certificates, [future])).findings).toContainEqual({
      code: 'NO_REVOCATION_LIST',
    });
    expect(reportOfTrust(trusting(certificates, [future]), NOW).countries).toEqual([
      { country: 'UT', certificates: 1, valid: 1 },
    ]);
    expect(trusting(certificates, [past, future]).latestRevocationList('UT', NOW)?.nextUpdate).toEqual(inDays(30));
    expect(signerState(chip, trusting(certificates, [future]))).toEqual(['FAILED', 'REVOKED']);
  });
});

describe('valid when it signed', () => {
  const store = trusting([authority.certificate]);
  const outdated = (changes: Parameters<typeof planOf>[0]) =>
    signerState(createChip(authority, planOf({ fault: 'expired-signer', ...changes })), store);

  test('by the signing time, otherwise by the date of issue, otherwise now', () => {
    expect(outdated({})).toEqual(['FAILED', 'NOT_VALID_WHEN_SIGNED']);
    expect(outdated({ withoutSigningTime: true })).toEqual(['FAILED', 'NOT_VALID_WHEN_SIGNED']);
    expect(outdated({ withoutSigningTime: true, dateOfIssue: inDays(-300).toISOString().slice(0, 10) })).toEqual([
      'OK',
      undefined,
    ]);
  });

  test('an expired signer and an expired authority vouch for what they signed while they were valid', () => {
    const old = createAuthority({ notBefore: inDays(-5000), notAfter: inDays(-1) });
    const chip = createChip(old, planOf());
    expect(signerState(chip, trusting([old.certificate]))).toEqual(['OK', undefined]);
  });
});

describe('an authority that had expired', () => {
  const kind = { curve: 'prime256v1' };
  const own = drawKey(kind);
  const keys: KeySource = (wanted) => (wanted === kind ? own : pooledKeys(wanted));
  const until = (days: number) =>
    createAuthority({ key: kind, keys, notBefore: inDays(-5000), notAfter: inDays(days) }).certificate;
  const issuer = createAuthority({ key: kind, keys });
  // Signed a hundred days ago by a signer of four hundred days.
  const chip = createChip(issuer, planOf());
  const undated = createChip(issuer, planOf({ withoutSigningTime: true }));
  const dateOfIssue = inDays(-100).toISOString().slice(0, 10);
  const dated = createChip(issuer, planOf({ withoutSigningTime: true, dateOfIssue }));
  const EXPIRED = ['FAILED', 'NOT_VALID_WHEN_SIGNED'];
  const FINE = ['OK', undefined];

  test.each([
    ['since the document was signed', -90, FINE, FINE],
    ['before the document was signed', -110, EXPIRED, FINE],
    ['before it issued the signer', -410, EXPIRED, EXPIRED],
  ])('%s', (_when, days, signedThen, signedUnknown) => {
    const store = trusting([until(days)]);
    expect(signerState(chip, store)).toEqual(signedThen);
    expect(signerState(dated, store)).toEqual(signedThen);
    expect(signerState(undated, store)).toEqual(signedUnknown);
  });

  test('counts with its longest certificate, in any order', () => {
    expect(signerState(chip, trusting([until(-110), until(10)]))).toEqual(FINE);
    expect(signerState(chip, trusting([until(10), until(-110)]))).toEqual(FINE);
  });

  test('leads on by its links, which vouch for their key however long they are valid', () => {
    const old = createAuthority({ notAfter: inDays(-110), keys: pooledKeys });
    const { authority: next, link } = old.renew();
    const under = createChip(next, planOf({ otherCertificates: [link] }));
    expect(signerState(under, trusting([old.certificate]))).toEqual(FINE);
    expect(signerState(under, trusting([link]))).toEqual(FINE);
    expect(signerState(under, trusting([next.certificate]))).toEqual(EXPIRED);
  });
});

test('the report: countries, old lists, what is about to expire', () => {
  const soon = createAuthority({ country: 'XY', notAfter: inDays(20) });
  const store = createTrustStore({
    certificates: [
      { der: authority.certificate, source: 'list', level: 'MASTER_LIST' },
      { der: soon.certificate, source: 'by hand', level: 'SINGLE' },
    ],
    revocationLists: [authority.revoke([], NOW, inDays(30))],
  });
  const signedUnder = { subject: 'the authority of the list', sha256: 'ab' };
  expect(reportOfTrust(store, NOW, { lists: { list: { signedAt: inDays(-91), signedUnder } } })).toEqual({
    countries: [
      { country: 'UT', certificates: 1, valid: 1, revocationListUntil: inDays(30).toISOString().slice(0, 23) },
      { country: 'XY', certificates: 1, valid: 1 },
    ],
    sources: [
      { source: 'by hand', certificates: 1, old: false },
      { source: 'list', certificates: 1, signedAt: inDays(-91).toISOString().slice(0, 23), signedUnder, old: true },
    ],
    expiring: [
      {
        subject: nameText(readCertificate(soon.certificate).subject),
        sha256: readCertificate(soon.certificate).sha256,
        notAfter: inDays(20).toISOString().slice(0, 23),
      },
    ],
  });
});

test('a directory attribute with the name of a member of every object is ignored', () => {
  const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty'];
  const text = ldif(names.map((name) => [name, Buffer.from('x')] as const));
  expect(() => readTrustFile(Buffer.from(text), NOW)).toThrow('nothing in the LDIF is of use');
});
