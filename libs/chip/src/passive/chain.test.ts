import { expect, test } from '@jest/globals';
import { readCertificate } from '../certificates/certificate.ts';
import { LIMITS } from '../limits.ts';
import { createAuthority, drawKey } from '../software/index.ts';
import { trusting } from '../testing/chips.ts';
import { buildChain } from './chain.ts';

const authorityNamed = (name: string) => createAuthority({ name, keys: drawKey });
/** More than the country with the most authorities has. */
const others = Array.from({ length: 30 }, (_, at) => authorityNamed(`Other ${at}`).certificate);
const first = authorityNamed('Oldest');
const second = first.renew();
const third = second.authority.renew();
const signer = readCertificate(third.authority.issueSigner().certificate);
const links = [second.link, third.link].map(readCertificate);

test('links lead over generations to the trusted authority, whatever other ones its country has', () => {
  const chain = buildChain(signer, links, trusting([...others, first.certificate]));
  expect(chain).toMatchObject({ state: 'TRUSTED', path: { length: 3 } });
  expect(buildChain(signer, links.slice(1), trusting([...others, first.certificate])).state).toBe('UNKNOWN');
});

test('a link that the trusted authority did not sign is wrong', () => {
  const forged = Buffer.from(second.link);
  forged[forged.length - 1]! ^= 1;
  const chain = buildChain(signer, [readCertificate(forged), links[1]!], trusting([...others, first.certificate]));
  expect(chain.state).toBe('WRONG');
});

test('an authority that no identifier names is found among all of its country', () => {
  const unnamed = readCertificate(first.issueSigner({ withoutIssuerKey: true }).certificate);
  expect(buildChain(unnamed, [], trusting([...others, first.certificate])).state).toBe('TRUSTED');
});

test('only a bounded number of authorities is tried', () => {
  const same = Array.from({ length: LIMITS.issuerAttempts }, () => authorityNamed('Same').certificate);
  const last = authorityNamed('Same');
  const unnamed = readCertificate(last.issueSigner({ withoutIssuerKey: true }).certificate);
  expect(buildChain(unnamed, [], trusting([...same, last.certificate])).state).toBe('UNKNOWN');
  expect(buildChain(unnamed, [], trusting([...same.slice(1), last.certificate])).state).toBe('TRUSTED');
});

test("another country's authority with the same key identifier is not the one that is named", () => {
  const known = readCertificate(first.certificate).subjectKeyId!;
  const ofCountry = (country: string) =>
    createAuthority({ country, keys: (kind) => ({ ...drawKey(kind), keyId: known }) }).certificate;
  const unknown = readCertificate(first.issueSigner().certificate);
  expect(buildChain(unknown, [], trusting([ofCountry('XY')])).state).toBe('UNKNOWN');
  expect(buildChain(unknown, [], trusting([ofCountry('UT')])).state).toBe('WRONG');
});
