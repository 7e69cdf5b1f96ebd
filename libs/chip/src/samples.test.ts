import { describe, expect, test } from '@jest/globals';
import { activeAuthenticationIsRight } from './active/active-authentication.ts';
import { readCertificate } from './certificates/certificate.ts';
import { beginChipAuthentication, checkChipAnswer } from './chip-authentication/chip-authentication.ts';
import { readDataGroup15 } from './lds/active-authentication-key.ts';
import { readDataGroup2 } from './lds/portrait.ts';
import { readSecurityObject } from './lds/security-object.ts';
import { buildChain } from './passive/chain.ts';
import { authenticatePassively } from './passive/passive-authentication.ts';
import { NOW, statesOf } from './testing/chips.ts';
import { sample, sampleEntries, sampleJson, trustOf } from './testing/samples.ts';
import { readTrustFile } from './trust/files.ts';
import { readMasterList } from './trust/master-list.ts';
import { reportOfTrust } from './trust/report.ts';
import { verifyChip } from './verify/verify-chip.ts';

const now = new Date('2026-11-22T12:00:00Z');
const dutch = 'master-list/NL-2026-07-22.ml';

const securityObjects = sampleEntries('document-security-object').map((entry) => ({
  ...entry,
  file: String(entry.file),
}));

describe('security objects of real passports', () => {
  test.each(securityObjects)(
    '$file is signed by its signer, and lists its data groups',
    ({ file, dataGroupHashes, digest, signerValid }) => {
      const object = readSecurityObject(sample(file));
      const { signature, certificate } = authenticatePassively({
        securityObject: object,
        issuingState: undefined,
        dateOfIssue: undefined,
        trust: trustOf(),
        now,
      });
      expect(signature).toEqual({ state: 'OK' });
      expect([...object.lds.hashes.keys()]).toEqual(dataGroupHashes);
      expect(object.lds.digest).toBe(digest);
      const shortTime = (date: Date) =>
        `${date
          .toISOString()
          .replaceAll(/[-:T]|\.\d+/g, '')
          .slice(2)}`;
      expect([certificate!.notBefore, certificate!.notAfter].map(shortTime)).toEqual(signerValid);
    },
  );

  const withTrust = securityObjects.flatMap(({ file, mrzIssuingState, expected }) =>
    Object.entries(expected.signerWith ?? {}).map(([list, trusted]) => ({
      file,
      issuingState: mrzIssuingState,
      list,
      trusted,
    })),
  );

  test.each(withTrust)('the signer of $file under $list: $trusted', ({ file, issuingState, list, trusted }) => {
    const securityObject = readSecurityObject(sample(file));
    const { signer } = authenticatePassively({
      securityObject,
      issuingState,
      documentCode: 'P',
      dateOfIssue: undefined,
      trust: trustOf(list),
      now,
    });
    expect(signer.state).toBe(trusted ? 'OK' : 'UNVERIFIED');
    expect(signer.reason).toBe(trusted ? undefined : 'AUTHORITY_UNKNOWN');
  });

  test('the signers of real passports state that they sign passports, in one form or another', () => {
    const signers = securityObjects.flatMap(({ file }) => readSecurityObject(sample(file)).signedData.certificates);
    const stated = signers.flatMap(({ subject, documentTypes }) =>
      documentTypes ? [[subject.country, documentTypes.join(' ')]] : [],
    );
    expect(Object.fromEntries(stated)).toEqual({
      AT: 'P AR ID',
      FR: 'P IR',
      GB: 'P PT',
      ID: 'P',
      PH: 'P PO PD PR PS',
    });
  });

  test('no signer of a real document states a purpose, and a real signer of lists does', () => {
    const signers = securityObjects.flatMap(({ file }) => readSecurityObject(sample(file)).signedData.certificates);
    expect(signers.filter(({ purposes }) => purposes)).toEqual([]);
    expect(readMasterList(sample(dutch), NOW).signer.purposes).toEqual(['2.23.136.1.1.3']);
  });

  test("another country's document under the same signer fails", () => {
    const securityObject = readSecurityObject(sample('sod/FR.bin'));
    const { signer } = authenticatePassively({
      securityObject,
      issuingState: 'AUT',
      dateOfIssue: undefined,
      trust: trustOf(dutch),
      now,
    });
    expect(signer).toMatchObject({ state: 'FAILED', reason: 'OTHER_COUNTRY' });
  });
});

describe('the specimen ERIKA MUSTERMANN', () => {
  const verificationOf = (numbers: readonly number[]) =>
    verifyChip({
      files: { documentSecurityObject: sample('mustermann/SOD.bin') },
      dataGroups: Object.fromEntries(numbers.map((number) => [number, sample(`mustermann/DG${number}.bin`)])),
      trust: trustOf(dutch),
      now,
    });

  test('the listed data groups are right, the signer is unknown, the document has expired', () => {
    const verification = verificationOf([1, 2, 14]);
    expect(statesOf(verification)).toMatchObject({
      PASOD_SIGNATURE_CHECK: 'OK',
      PASSIVE_AUTHENTICATION_HASH_CHECK: 'OK',
      PASSIVE_AUTHENTICATION_DOCUMENT_SIGNER_CHECK: 'UNVERIFIED',
      PASSIVE_AUTHENTICATION_CHECK: 'UNVERIFIED',
      ACTIVE_AUTHENTICATION_CHECK: 'UNVERIFIED',
      CHIP_AUTHENTICATION_CHECK: 'WARNING',
      DATA_GROUP1_CHECK: 'OK',
    });
    expect(verification).toMatchObject({
      expired: true,
      errors: [],
      mrz: { issuingState: 'D', surname: 'MUSTERMANN', givenNames: 'ERIKA' },
    });
    expect(verification.portrait).toMatchObject({
      type: 'image/jp2',
      width: 413,
      height: 531,
      format: 'ISO/IEC 19794-5',
    });
  });

  test('data groups of other chips are not listed, and fail', () => {
    const verification = verificationOf([1, 2, 7, 11, 12, 14, 15]);
    expect(statesOf(verification)).toMatchObject({
      PASSIVE_AUTHENTICATION_HASH_CHECK: 'FAILED',
      PASSIVE_AUTHENTICATION_CHECK: 'FAILED',
    });
    const unlisted = Object.entries(verification.dataGroups)
      .filter(([, state]) => state === 'NOT_LISTED')
      .map(([number]) => Number(number));
    expect(unlisted).toEqual([7, 11, 12, 15]);
    expect(verification).not.toHaveProperty('holder');
  });
});

describe('authorities', () => {
  test('the Dutch master list is signed by its own country', () => {
    const { authorities, masterLists, refused } = readTrustFile(sample(dutch), NOW);
    expect(authorities).toHaveLength(411);
    expect(new Set(authorities.map(({ certificate }) => certificate.subject.country)).size).toBe(129);
    expect(masterLists[0]?.authority.sha256).toBe(readCertificate(sample('master-list/NL-root.cer')).sha256);
    expect(refused).toEqual([]);
  });

  test('a master list with one wrong byte anywhere is refused completely', () => {
    for (const at of [300, 5_000, 300_000, 620_000, 623_000]) {
      const changed = Buffer.from(sample(dutch));
      changed[at]! ^= 1;
      expect(() => readTrustFile(changed, NOW)).toThrow(expect.objectContaining({ name: 'ChipError' }));
    }
  });

  test('link certificates lead from the newest authority of Indonesia to the oldest', () => {
    const links = ['csca/ID-2016-01-link.cer', 'csca/ID-2020-10-link.cer'].flatMap((file) =>
      readTrustFile(sample(file), NOW).authorities.map(({ certificate }) => certificate),
    );
    const signer = readSecurityObject(sample('sod/ID.bin')).signedData.certificates[0]!;
    const chain = buildChain(signer, links, trustOf('csca/ID-2010-12.cer'));
    expect(chain).toMatchObject({ state: 'TRUSTED', path: [signer, links[1], links[0]] });
    expect(buildChain(signer, links.slice(1), trustOf('csca/ID-2010-12.cer')).state).toBe('UNKNOWN');
    expect(buildChain(signer, [], trustOf('csca/ID-2020-10.cer')).state).toBe('TRUSTED');
  });

  test('a trust store covers the countries of its certificates, and no other', () => {
    const store = trustOf('csca/ID-2016-01.cer', 'csca/ID-2020-10.cer');
    expect(reportOfTrust(store, NOW).countries).toEqual([{ country: 'ID', certificates: 2, valid: 1 }]);
    const stateOf = (file: string, issuingState: string) =>
      authenticatePassively({
        securityObject: readSecurityObject(sample(file)),
        issuingState,
        dateOfIssue: undefined,
        trust: store,
        now,
      }).signer;
    expect(stateOf('sod/ID.bin', 'IDN').state).toBe('OK');
    const others = securityObjects.filter(({ country }) => country !== 'ID');
    expect(others.length).toBeGreaterThan(0);
    for (const { file, mrzIssuingState } of others)
      expect(stateOf(file, mrzIssuingState)).toEqual({ state: 'UNVERIFIED', reason: 'AUTHORITY_UNKNOWN' });
  });
});

interface Answer {
  readonly dataGroup15: string;
  readonly challenge: string;
  readonly response: string;
}

interface Exchange {
  readonly dataGroup14: string;
  readonly terminalPrivateKey: string;
  readonly terminalPublicKey: string;
  readonly command: string;
  readonly response: string;
  readonly ksMac: string;
  readonly protocol: string;
}

const hex = (text: string): Buffer => Buffer.from(text, 'hex');

describe('recorded answers of chips', () => {
  test('active authentication with RSA', () => {
    const { dataGroup15, challenge, response } = sampleJson<Answer>('active-authentication/rsa-1792.json');
    const answer = { key: readDataGroup15(hex(dataGroup15)), challenge: hex(challenge), response: hex(response) };
    expect(activeAuthenticationIsRight(answer)).toBe(true);
    expect(activeAuthenticationIsRight({ ...answer, challenge: hex('0000000000000000') })).toBe(false);
    const changed = Buffer.from(answer.response);
    changed[100]! ^= 1;
    expect(activeAuthenticationIsRight({ ...answer, response: changed })).toBe(false);
  });

  test.each(['AT', 'FR'])(
    'chip authentication of %s: our command is the recorded one, and the answer right',
    (country) => {
      const exchange = sampleJson<Exchange>(`chip-authentication/${country}.json`);
      const start = beginChipAuthentication(hex(exchange.dataGroup14), {
        randomness: () => hex(exchange.terminalPrivateKey),
      });
      expect(start.protocol).toBe(exchange.protocol);
      expect(start.terminalPublicKey.toString('hex')).toBe(exchange.terminalPublicKey);
      expect(start.command.toString('hex')).toBe(exchange.command);
      expect(Buffer.from(start.state.macKey, 'base64').toString('hex')).toBe(exchange.ksMac);
      expect(checkChipAnswer(start.state, hex(exchange.response))).toBe(true);
      for (let at = 0; at < hex(exchange.response).length; at += 1) {
        const changed = hex(exchange.response);
        changed[at]! ^= 1;
        expect(checkChipAnswer(start.state, changed)).toBe(false);
      }
      const other = beginChipAuthentication(hex(exchange.dataGroup14));
      expect(checkChipAnswer(other.state, hex(exchange.response))).toBe(false);
    },
  );
});

test('the portrait in the newer encoding is found by its first bytes', () => {
  const { format, type, bytes } = readDataGroup2(sample('dg2-39794-mandatory.bin'));
  expect({ format, type, length: bytes.length }).toEqual({
    format: 'ISO/IEC 39794-5',
    type: 'image/jp2',
    length: 15000,
  });
});
