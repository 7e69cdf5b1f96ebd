import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { readSecurityObject } from './lds/security-object.ts';
import { type ChipPlan, createChip, type SoftwareChip } from './software/index.ts';
import { authority, NOW, planOf } from './testing/chips.ts';

/** The commands that the page on chips gives its readers, in their order; those of one kind of key are marked with it. */
const page = readFileSync(join(import.meta.dirname, '../../../docs/chip.md'), 'utf8');
const commands = [...page.matchAll(/```sh ?(\w*)\n(.*?)```/gs)].map(([, mark = '', text = '']) => ({ mark, text }));

const SIGNED_AT = String(Math.floor((NOW.getTime() - 100 * 24 * 3600 * 1000) / 1000));
const challenge = Buffer.from('0123456789abcdef', 'hex');
const folder = mkdtempSync(join(tmpdir(), 'chip-'));

afterAll(() => rmSync(folder, { recursive: true }));

const pem = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replaceAll(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`;

const layOut = (chip: SoftwareChip): void => {
  writeFileSync(join(folder, 'sod.bin'), chip.documentSecurityObject);
  writeFileSync(join(folder, 'csca.pem'), pem(authority.certificate));
  writeFileSync(join(folder, 'challenge.bin'), challenge);
  for (const [number, bytes] of Object.entries(chip.dataGroups)) writeFileSync(join(folder, `dg${number}.bin`), bytes);
  const answer = chip.answerChallenge(challenge);
  if (answer) writeFileSync(join(folder, 'active-authentication.bin'), answer);
};

const run = (text: string): string =>
  execFileSync('bash', ['-e', '-o', 'pipefail', '-c', text], {
    cwd: folder,
    env: { PATH: process.env.PATH, SIGNED_AT },
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
];

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
    const listed = run(compare)
      .trim()
      .split('\n')
      .filter((line) => numbers.includes(/^dg(\d+)/.exec(line)![1]!));
    expect(listed.toSorted()).toEqual(
      numbers.map((number) => `dg${number}.bin listed as ${Number(number).toString(16).toUpperCase()}`).toSorted(),
    );
    if (changes.activeAuthentication === 'RSA') {
      const [ours, theirs] = run(commandsFor('rsa')).trim().split('\n');
      expect(ours).toBe(theirs);
    } else {
      expect(run(commandsFor('ecdsa'))).toContain('Signature Verified Successfully');
    }
  });

  test('refuse what was altered, and an answer to another challenge', () => {
    const chip = createChip(authority, planOf({ fault: 'wrong-signer', activeAuthentication: 'ECDSA' }));
    layOut(chip);
    run(passive[0]!);
    expect(() => run(passive[2]!)).toThrow(/verif/i);
    writeFileSync(join(folder, 'challenge.bin'), Buffer.alloc(8));
    expect(() => run(commandsFor('ecdsa'))).toThrow();
  });
});
