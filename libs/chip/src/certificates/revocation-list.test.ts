import { sign } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { encodeElement, TAG } from '../der/write.ts';
import { algorithm, bitString, context, distinguishedName, integer, sequence, time } from '../software/build.ts';
import { drawKey } from '../software/index.ts';
import { NOW, trusting } from '../testing/chips.ts';
import { extension, isAuthority, oddCertificate, subjectKey } from '../testing/variants.ts';
import { readCertificate } from './certificate.ts';
import { readRevocationList } from './revocation-list.ts';

const ECDSA_SHA256 = algorithm('1.2.840.10045.4.3.2');
const key = drawKey({ curve: 'prime256v1' });

const issuerOf = (country: string, name: string) => {
  const subject = distinguishedName(country, 'Odd', name);
  const own = drawKey({ curve: 'prime256v1' });
  const issue = (serial: number) =>
    readCertificate(
      oddCertificate({
        subject: distinguishedName(country, 'Odd', `Signer ${serial}`),
        issuer: subject,
        key,
        signedBy: own,
        serial: integer(serial),
      }),
    );
  const certificate = oddCertificate({
    subject,
    issuer: subject,
    key: own,
    signedBy: own,
    extensions: [isAuthority, subjectKey(own)],
  });
  return { subject, key: own, certificate, issue };
};

const lister = issuerOf('UT', 'Lists');
const listed = issuerOf('UT', 'Is Listed');
const foreign = issuerOf('XX', 'Foreign');

/** An entry; `issuer` names the issuer of its certificate. */
const entry = (serial: number, issuer?: Buffer): Buffer =>
  sequence(
    integer(serial),
    time(NOW),
    ...(issuer ? [sequence(extension('2.5.29.29', sequence(context(4, issuer)), Buffer.from('0101ff', 'hex')))] : []),
  );

const indirect = (...entries: Buffer[]): Buffer => {
  const flag = extension('2.5.29.28', sequence(encodeElement(0x84, Buffer.from([0xff]))));
  const body = sequence(
    integer(1),
    ECDSA_SHA256,
    lister.subject,
    time(NOW),
    sequence(...entries),
    context(0, sequence(flag)),
  );
  return sequence(body, ECDSA_SHA256, bitString(sign('sha256', body, lister.key.privateKey)));
};

test('a revocation list that spells its country differently from its authority revokes all the same', () => {
  const issuer = distinguishedName('UTO', 'Odd', 'Lists');
  const body = sequence(integer(1), ECDSA_SHA256, issuer, time(NOW), sequence(entry(1)));
  const list = sequence(body, ECDSA_SHA256, bitString(sign('sha256', body, lister.key.privateKey)));
  const trust = trusting([lister.certificate], [list]);
  expect([1, 2].map((serial) => trust.isRevoked(lister.issue(serial)))).toEqual([true, false]);
});

test('an entry counts whatever its reason, unless it takes the revocation back', () => {
  const reason = (code: number) => extension('2.5.29.21', encodeElement(TAG.enumerated, Buffer.from([code])));
  const withReason = (serial: number, code: number) => sequence(integer(serial), time(NOW), sequence(reason(code)));
  const takenBack = sequence(
    integer(4),
    time(NOW),
    sequence(extension('2.5.29.29', sequence(context(4, listed.subject))), reason(8)),
  );
  const list = indirect(withReason(1, 1), withReason(2, 6), withReason(3, 8), takenBack, entry(5));
  const trust = trusting([lister.certificate, listed.certificate], [list]);
  const revokedOf = (issuer: typeof lister) =>
    [1, 2, 3, 4, 5].filter((serial) => trust.isRevoked(issuer.issue(serial)));
  expect([revokedOf(lister), revokedOf(listed)]).toEqual([[1, 2], [5]]);
});

describe('an indirect revocation list', () => {
  const list = indirect(entry(1), entry(2, listed.subject), entry(3), entry(4, foreign.subject));
  const trust = trusting(
    [lister, listed, foreign].map(({ certificate }) => certificate),
    [list],
  );
  const revokedOf = (issuer: typeof lister) => [1, 2, 3, 4].filter((serial) => trust.isRevoked(issuer.issue(serial)));

  test('revokes certificates of the issuer that the entry, or an earlier one, names', () => {
    expect(revokedOf(lister)).toEqual([1]);
    expect(revokedOf(listed)).toEqual([2, 3]);
  });

  test('does not apply to certificates of another country', () => {
    expect(revokedOf(foreign)).toEqual([]);
  });

  test('may name its own issuer again', () => {
    const { revoked } = readRevocationList(indirect(entry(1, listed.subject), entry(2, lister.subject)));
    expect([...revoked]).toEqual(['02']);
  });

  test('whose certificate issuer is no name is refused', () => {
    const odd = extension('2.5.29.29', sequence(encodeElement(0x82, Buffer.from('odd.example'))));
    const broken = sequence(integer(1), time(NOW), sequence(odd));
    expect(() => readRevocationList(indirect(broken))).toThrow('the issuer of a revoked certificate');
  });
});

describe('a revocation list of which not every signer can be sure', () => {
  const flag = (tag: number, value = 0xff): Buffer => encodeElement(tag, Buffer.from([value]));
  const critical = (id: string, value: Buffer): Buffer => extension(id, value, Buffer.from('0101ff', 'hex'));
  const scope = (...members: Buffer[]): Buffer => critical('2.5.29.28', sequence(...members));
  const withExtensions = (...extensions: Buffer[]): Buffer => {
    const named = sequence(entry(1));
    const body = sequence(
      integer(1),
      ECDSA_SHA256,
      lister.subject,
      time(NOW),
      named,
      context(0, sequence(...extensions)),
    );
    return sequence(body, ECDSA_SHA256, bitString(sign('sha256', body, lister.key.privateKey)));
  };
  const odd = '1.2.3.4';

  test.each([
    ['a delta', [critical('2.5.29.27', integer(1))]],
    ['of authorities alone', [scope(flag(0x82))]],
    ['of some reasons alone', [scope(encodeElement(0x83, Buffer.from('0640', 'hex')))]],
    ['of attributes alone', [scope(flag(0x85))]],
    ['with a critical extension that nobody knows', [critical(odd, integer(1))]],
  ])('%s revokes what it names, and is not the list of its country', (_name, extensions) => {
    const trust = trusting([lister.certificate], [withExtensions(...extensions)]);
    expect([1, 2].map((serial) => trust.isRevoked(lister.issue(serial)))).toEqual([true, false]);
    expect(trust.latestRevocationList('UT', NOW)).toBeUndefined();
  });

  test.each([
    ['with a number', [critical('2.5.29.20', integer(7))]],
    ['of signers alone', [scope(flag(0x81), flag(0x82, 0))]],
    ['of several issuers', [scope(flag(0x84))]],
    ['with an extension that may be left out', [extension(odd, integer(1))]],
  ])('%s it is not', (_name, extensions) => {
    expect(
      trusting([lister.certificate], [withExtensions(...extensions)]).latestRevocationList('UT', NOW),
    ).toBeDefined();
  });
});
