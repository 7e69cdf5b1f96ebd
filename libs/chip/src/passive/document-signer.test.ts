import { describe, expect, test } from '@jest/globals';
import { readSecurityObject } from '../lds/security-object.ts';
import { context, distinguishedName, integer, time } from '../software/build.ts';
import { issueRevocationList } from '../software/certificates.ts';
import { drawKey } from '../software/index.ts';
import { NOW, trusting } from '../testing/chips.ts';
import { dataGroups, NAME, own, root, signer, signerKey } from '../testing/odd-issuer.ts';
import { authorityKey, isAuthority, oddCertificate, oddObject, subjectKey } from '../testing/variants.ts';
import { authenticatePassively } from './passive-authentication.ts';

const P256 = { curve: 'prime256v1' };
const FORMER = distinguishedName('UT', 'Odd', 'Former CSCA');
const [former, middle] = [drawKey(P256), drawKey(P256)];

interface Asked {
  certificate?: Buffer;
  signingTime?: Buffer;
  others?: Buffer[];
  trust?: ReturnType<typeof trusting>;
  dateOfIssue?: string;
}
const stateOf = ({
  certificate = signer(),
  others = [],
  trust = trusting([root()]),
  dateOfIssue,
  signingTime,
}: Asked) =>
  authenticatePassively({
    securityObject: readSecurityObject(
      oddObject({
        ...{ key: signerKey, certificate, certificates: [certificate, ...others], dataGroups },
        ...(signingTime ? { signingTime } : {}),
      }),
    ),
    issuingState: 'UTO',
    documentCode: 'P',
    dateOfIssue,
    trust,
    now: NOW,
  }).signer;

describe('an authority that is revoked', () => {
  const form = { digest: 'sha256' } as const;
  const [thisUpdate, nextUpdate] = [new Date('2024-01-01T00:00:00Z'), new Date('2044-01-01T00:00:00Z')];
  const list = issueRevocationList({
    ...{ issuer: NAME, signedBy: own, form, thisUpdate, nextUpdate },
    serialNumbers: [Buffer.from([1])],
  });
  const link = oddCertificate({
    subject: NAME,
    issuer: FORMER,
    serial: integer(7),
    key: own,
    signedBy: former,
    extensions: [isAuthority, subjectKey(own), authorityKey(former.keyId)],
  });

  test.each([
    ['before its link certificate', [root(), link]],
    ['behind it', [link, root()]],
  ])('no longer vouches, listed %s', (_where, certificates) => {
    expect(stateOf({ trust: trusting(certificates) }).state).toBe('OK');
    expect(stateOf({ trust: trusting(certificates, [list]) })).toMatchObject({ state: 'FAILED', reason: 'REVOKED' });
  });
});

describe('a link certificate', () => {
  const throughLink = (country: string) =>
    stateOf({
      certificate: signer({ signedBy: middle, extensions: [authorityKey(middle.keyId)] }),
      others: [
        oddCertificate({
          subject: distinguishedName(country, 'Odd', 'Odd CSCA'),
          issuer: NAME,
          key: middle,
          signedBy: own,
          version: context(0, integer(2)),
          extensions: [isAuthority, subjectKey(middle), authorityKey(own.keyId)],
        }),
      ],
    });

  test('leads from a signer to its own country, and never to another', () => {
    expect(throughLink('UT').state).toBe('OK');
    expect(throughLink('XX')).toMatchObject({ state: 'FAILED', reason: 'OTHER_COUNTRY' });
  });
});

describe('a signer of an authority that has another name and another key since', () => {
  const RENAMED = distinguishedName('UT', 'Renamed', 'Renamed CSCA');
  const present = drawKey(P256);
  const linkFrom = (issuer: Buffer, signedBy = own) =>
    oddCertificate({
      ...{ subject: RENAMED, issuer, serial: integer(8), key: present, signedBy },
      extensions: [isAuthority, subjectKey(present), authorityKey(signedBy.keyId)],
    });
  const renewed = oddCertificate({
    ...{ subject: RENAMED, issuer: RENAMED, serial: integer(9), key: present, signedBy: present },
    extensions: [isAuthority, subjectKey(present)],
  });
  const list = issueRevocationList({
    ...{ issuer: RENAMED, signedBy: present, form: { digest: 'sha256' } },
    ...{ thisUpdate: new Date('2024-01-01T00:00:00Z'), nextUpdate: new Date('2044-01-01T00:00:00Z') },
    serialNumbers: [Buffer.from('1234', 'hex')],
  });

  test('is revoked by the list under the new name, if a link certificate leads from the old one', () => {
    const link = linkFrom(NAME);
    expect(stateOf({ trust: trusting([root(), link, renewed]) }).state).toBe('OK');
    for (const certificates of [
      [root(), link, renewed],
      [renewed, link, root()],
      [root(), link],
    ])
      expect(stateOf({ trust: trusting(certificates, [list]) })).toMatchObject({ state: 'FAILED', reason: 'REVOKED' });
  });

  test('is not revoked by an authority of another name that it is not linked to', () => {
    const others = [
      [root(), renewed],
      [root(), renewed, linkFrom(NAME, former)],
      [root(), renewed, linkFrom(FORMER)],
    ];
    for (const certificates of others) expect(stateOf({ trust: trusting(certificates, [list]) }).state).toBe('OK');
  });
});

describe('a time of signing', () => {
  const validity = [time(new Date('2020-05-02T12:00:00Z')), time(new Date('2024-05-02T12:00:00Z'))] as const;
  test.each([
    ['2020-05-02T11:00:00Z', 'OK'],
    ['2020-05-01T12:00:00Z', 'OK'],
    ['2020-05-01T11:59:59Z', 'FAILED'],
    ['2024-05-03T12:00:00Z', 'OK'],
    ['2024-05-03T12:00:01Z', 'FAILED'],
  ])('%s may be off by a day, as clocks and time zones are: %s for a signer valid from noon', (at, state) => {
    expect(stateOf({ certificate: signer({ validity }), signingTime: time(new Date(at)) }).state).toBe(state);
  });
});

describe('a date of issue', () => {
  const validity = [time(new Date('2020-05-02T01:00:00Z')), time(new Date('2030-05-02T12:00:00Z'))] as const;
  test.each([
    ['2020-05-01', 'OK'],
    ['2020-04-30', 'FAILED'],
    ['2020-05-02', 'OK'],
  ])('%s lasts anywhere on Earth: %s for a signer valid from 01:00 UTC of 2 May', (dateOfIssue, state) => {
    expect(stateOf({ certificate: signer({ validity }), dateOfIssue }).state).toBe(state);
  });
});

describe('an authority whose certificate begins after the document was signed', () => {
  const signingTime = time(new Date('2021-05-02T12:00:00Z'));
  const from = (day: string) => [time(new Date(`${day}T00:00:00Z`)), time(new Date('2045-01-01T00:00:00Z'))] as const;
  const before = signer({ validity: from('2021-01-01') });
  const later = root({ validity: from('2023-01-01') });
  const link = oddCertificate({
    ...{ subject: NAME, issuer: FORMER, serial: integer(7), key: own, signedBy: former },
    ...{ extensions: [isAuthority, subjectKey(own), authorityKey(former.keyId)], validity: from('2023-01-01') },
  });
  const stateUnder = (...trusted: Buffer[]) => stateOf({ certificate: before, signingTime, trust: trusting(trusted) });

  test('vouches for nothing', () => {
    expect(stateUnder(later)).toMatchObject({ state: 'UNVERIFIED', reason: 'AUTHORITY_NOT_YET_VALID' });
    expect(stateUnder(root({ validity: from('2021-05-03') })).state).toBe('OK');
    const future = trusting([root({ validity: from('2040-01-01') })]);
    expect(stateOf({ trust: future })).toMatchObject({ state: 'UNVERIFIED', reason: 'AUTHORITY_NOT_YET_VALID' });
  });

  test('may be a link certificate, or a renewed one beside the first of its key', () => {
    expect(stateUnder(link).state).toBe('OK');
    expect(stateUnder(later, root({ validity: from('2019-01-01'), serial: integer(2) })).state).toBe('OK');
  });
});
