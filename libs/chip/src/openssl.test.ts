import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { readSecurityObject } from './lds/security-object.ts';
import { type ChipPlan, createAuthority, createChip, type SoftwareChip } from './software/index.ts';
import { authority, NOW, planOf } from './testing/chips.ts';
import { sample } from './testing/samples.ts';
import { readTrustFile } from './trust/files.ts';

/** The commands in docs/chip.md, in order. A mark names the kind of key that a command is for. */
const page = readFileSync(join(import.meta.dirname, '../../../docs/chip.md'), 'utf8');
const commands = [...page.matchAll(/```sh ?(\w*)\n(.*?)```/gs)].map(([, mark = '', text = '']) => ({ mark, text }));

const SIGNED_AT = String(Math.floor((NOW.getTime() - 100 * 24 * 3600 * 1000) / 1000));
const challenge = Buffer.from('0123456789abcdef', 'hex');
const folder = mkdtempSync(join(tmpdir(), 'chip-'));

afterAll(() => rmSync(folder, { recursive: true }));

const pem = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n')}\n-----END CERTIFICATE-----\n`;

const layOut = (chip: SoftwareChip, csca = authority.certificate): void => {
  writeFileSync(join(folder, 'sod.bin'), chip.documentSecurityObject);
  writeFileSync(join(folder, 'csca.pem'), pem(csca));
  writeFileSync(join(folder, 'challenge.bin'), challenge);
  for (const [number, bytes] of Object.entries(chip.dataGroups)) writeFileSync(join(folder, `dg${number}.bin`), bytes);
  const answer = chip.answerChallenge(challenge);
  if (answer) writeFileSync(join(folder, 'active-authentication.bin'), answer);
};

/** `shell`: any of POSIX has to do. */
const run = (text: string, signedAt = SIGNED_AT, shell = ['bash', '-e', '-o', 'pipefail']): string =>
  execFileSync(shell[0]!, [...shell.slice(1), '-c', text], {
    cwd: folder,
    env: { PATH: process.env.PATH, SIGNED_AT: signedAt },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

const passive = commands.filter(({ mark }) => mark === '').map(({ text }) => text);
const commandsFor = (mark: string): string => commands.find((command) => command.mark === mark)!.text;

const plans: readonly (readonly [string, Partial<ChipPlan>])[] = [
  ['ECDSA on a named curve', { activeAuthentication: 'ECDSA' }],
  [
    'RSA-PSS, signer by key identifier',
    {
      signerKey: 'RSA-2048',
      form: { digest: 'sha256', padding: 'PSS' },
      naming: 'KEY_ID',
      activeAuthentication: 'ECDSA',
    },
  ],
  [
    'RSA, BER, version 1',
    {
      signerKey: 'RSA-2048',
      ber: true,
      ldsVersion: 1,
      activeAuthentication: 'RSA',
      activeAuthenticationKey: 'RSA-1024',
    },
  ],
  [
    'brainpool, hashes by another digest',
    {
      signerKey: { curve: 'brainpoolP512r1' },
      form: { digest: 'sha512' },
      ldsDigest: 'sha384',
      ber: true,
      activeAuthentication: 'ECDSA',
      activeAuthenticationKey: { curve: 'brainpoolP256r1' },
    },
  ],
];

const listedIn = (text: string, numbers: readonly string[]): string[] =>
  text
    .trim()
    .split('\n')
    .filter((line) => numbers.includes(/^dg(\d+)/.exec(line)![1]!))
    .toSorted();
const allListed = (numbers: readonly string[]): string[] =>
  numbers.map((number) => `dg${number}.bin listed as ${Number(number).toString(16).toUpperCase()}`).toSorted();

describe('the commands of the page on chips', () => {
  test.each(plans)('reach the same verdict: %s', (_name, changes) => {
    const chip = createChip(authority, planOf(changes));
    layOut(chip);
    const [unwrap, look, verify, compare] = passive as [string, string, string, string];
    run(unwrap);
    expect(run(look)).toMatch(/Specimen Authority Signer[\s\S]*Aug 14 12:00:00 2026/);
    run(verify);
    expect(readFileSync(join(folder, 'lds.der'))).toEqual(
      readSecurityObject(chip.documentSecurityObject).signedData.content,
    );
    const numbers = Object.keys(chip.dataGroups);
    expect(listedIn(run(compare), numbers)).toEqual(allListed(numbers));
    if (changes.activeAuthentication === 'RSA') {
      const [ours, theirs] = run(commandsFor('rsa')).trim().split('\n');
      expect(ours).toBe(theirs);
    } else {
      expect(run(commandsFor('ecdsa'))).toContain('Signature Verified Successfully');
    }
  });

  test.each(['brainpoolP384r1', 'prime256v1'])('reach the same verdict if %s is given by its parameters', (curve) => {
    const key = { curve, explicit: true };
    const issuer = createAuthority({ key, form: { digest: 'sha384' } });
    const chip = createChip(issuer, planOf({ signerKey: key, form: { digest: 'sha256' } }));
    layOut(chip, issuer.certificate);
    run(passive[0]!);
    expect(() => run(passive[2]!)).toThrow('explicit ECC parameters');
    expect(run(commandsFor('explicit'))).toContain('Verified OK');
    const numbers = Object.keys(chip.dataGroups);
    expect(listedIn(run(passive[3]!), numbers)).toEqual(allListed(numbers));
    layOut(chip, createAuthority({ key, form: { digest: 'sha384' } }).certificate);
    expect(() => run(commandsFor('explicit'))).toThrow();
    layOut(createChip(issuer, planOf({ signerKey: key, fault: 'wrong-signer' })), issuer.certificate);
    run(passive[0]!);
    expect(() => run(commandsFor('explicit'))).toThrow('Verification failure');
  });

  const PSS = ' -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:auto';
  test.each([
    ['PKCS1', ''],
    ['PSS', PSS],
  ] as const)('reach the same verdict if an authority with RSA (%s) signed such a key', (padding, options) => {
    const issuer = createAuthority({ key: 'RSA-2048', form: { digest: 'sha512', padding } });
    layOut(createChip(issuer, planOf({ signerKey: { curve: 'prime256v1', explicit: true } })), issuer.certificate);
    run(passive[0]!);
    const text = commandsFor('explicit');
    if (options) expect(() => run(text)).toThrow('padding check failed');
    expect(page).toContain(options.trim());
    expect(run(text.replace('-verify authority.pem', `-verify authority.pem${options}`))).toContain('Verified OK');
  });

  test('reach the same verdict if the signer is named in another order', () => {
    layOut(createChip(authority, planOf({ naming: 'ISSUER_REVERSED' })));
    run(passive[0]!);
    expect(() => run(passive[2]!)).toThrow('signer certificate not found');
    for (const shell of [undefined, ['sh', '-e']])
      expect(run(commandsFor('reversed'), SIGNED_AT, shell).trim().split('\n')).toEqual([
        'listed',
        'Verified OK',
        'signer.pem: OK',
      ]);
    layOut(createChip(authority, planOf({ naming: 'ISSUER_REVERSED', fault: 'wrong-signer' })));
    run(passive[0]!);
    expect(() => run(commandsFor('reversed'))).toThrow();
  });

  test('extract the authorities from a master list', () => {
    const key = { curve: 'prime256v1', explicit: true };
    const issuer = createAuthority({ country: 'XY', key });
    const chips = [createChip(authority, planOf()), createChip(issuer, planOf({ signerKey: key }))] as const;
    layOut(chips[0]);
    writeFileSync(join(folder, 'list.ml'), authority.signMasterList([issuer.certificate, authority.certificate], NOW));
    expect(run(commandsFor('list'))).toContain('C = UT, O = Specimen');
    expect(readFileSync(join(folder, 'csca.pem'), 'utf8')).toBe(pem(issuer.certificate) + pem(authority.certificate));
    run(passive[0]!);
    run(passive[2]!);
    writeFileSync(join(folder, 'sod.bin'), chips[1].documentSecurityObject);
    run(passive[0]!);
    expect(run(commandsFor('explicit'))).toContain('Verified OK');
  });

  test.each(['FR', 'NZ', 'PH'])('reach the verdict of a real object of %s under a real master list', (country) => {
    const { authorities } = readTrustFile(sample('master-list/NL-2026-07-22.ml'), NOW);
    writeFileSync(join(folder, 'sod.bin'), sample(`sod/${country}.bin`));
    const all = authorities.map(({ certificate }) => pem(certificate.bytes)).join('');
    writeFileSync(join(folder, 'csca.pem'), all);
    run(passive[0]!);
    run(passive[2]!, '1577836800');
    expect(() => run(passive[2]!, '1325376000')).toThrow('certificate is not yet valid');
  });

  test.each(['AT', 'GB'])('and of %s, whose keys are given by their parameters', (country) => {
    const { authorities } = readTrustFile(sample('master-list/NL-2026-07-22.ml'), NOW);
    writeFileSync(join(folder, 'sod.bin'), sample(`sod/${country}.bin`));
    const ofCountry = authorities.filter(({ certificate }) => certificate.subject.country === country);
    writeFileSync(join(folder, 'csca.pem'), ofCountry.map(({ certificate }) => pem(certificate.bytes)).join(''));
    run(passive[0]!);
    expect(run(commandsFor('explicit'))).toContain('Verified OK');
  });

  test('refuse altered files, and an answer to another challenge', () => {
    const chip = createChip(authority, planOf({ fault: 'wrong-signer', activeAuthentication: 'ECDSA' }));
    layOut(chip);
    run(passive[0]!);
    expect(() => run(passive[2]!)).toThrow(/verif/i);
    writeFileSync(join(folder, 'challenge.bin'), Buffer.alloc(8));
    expect(() => run(commandsFor('ecdsa'))).toThrow();
  });
});
