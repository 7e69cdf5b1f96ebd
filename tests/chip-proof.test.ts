import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newTenant, readPassport, readStack } from '@assay/testing';
import { afterAll, describe, expect, test } from '@jest/globals';

const folder = mkdtempSync(join(tmpdir(), 'assay-chip-proof-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const csca = join(readStack().dataDir, 'simulators/chip-csca.pem');

const run = (command: string, env: Record<string, string> = {}, cwd = folder): string =>
  execFileSync('bash', ['-euo', 'pipefail', '-c', command], {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/**
 * Retrieves the proof of an identity whose passport was read, and unpacks it as docs/proof.md says.
 */
const proofOf = async (passport: object, consents: object[], chipAuthentication = false) => {
  const tenant = await newTenant('chip proof', { acceptSpecimens: true });
  const { identity, id, at, data } = await readPassport(tenant, passport, { chipAuthentication, consents });
  await tenant.relyingService.post(`${at}/data`, data);
  await identity.becomes(id, 'VERIFIED');
  const unpacked = mkdtempSync(join(folder, 'proof-'));
  writeFileSync(join(unpacked, 'proof.bin'), (await identity.proof()).bytes);
  const page = readFileSync(join(import.meta.dirname, '../docs/proof.md'), 'utf8');
  const [unpack = ''] = [...page.matchAll(/```sh verify\n([\s\S]*?)```/g)].map(([, text]) => text!);
  run(unpack, {}, unpacked);
  const [root = ''] = readdirSync(join(unpacked, 'unpacked'));
  return { id, data, file: join(unpacked, 'proof.bin'), root: join(unpacked, 'unpacked', root) };
};

const assay = (args: string[]): string =>
  execFileSync('node', [join(import.meta.dirname, '../libs/client/bin/assay.mjs'), ...args], {
    env: { ...process.env, ASSAY_URL: readStack().baseUrl },
    encoding: 'utf8',
  });

describe('the proof of a chip', () => {
  test('contains every file as it was sent, and verifies again with the command and with openssl', async () => {
    const { id, data, file, root } = await proofOf({ activeAuthentication: 'ECDSA' }, [
      { type: 'PORTRAIT', approved: true },
    ]);
    const chip = join(root, 'chip', id);
    const { documentSecurityObject, dataGroups } = data as unknown as {
      documentSecurityObject: string;
      dataGroups: Record<string, string>;
    };
    expect(readFileSync(join(chip, 'sod.bin'), 'base64')).toBe(documentSecurityObject);
    for (const [number, sent] of Object.entries(dataGroups))
      expect(readFileSync(join(chip, `dg${number}.bin`), 'base64')).toBe(sent);
    const proof = JSON.parse(readFileSync(join(root, 'proof.json'), 'utf8'));
    expect(proof.hashes.additionalFiles.map(({ path }: { path: string }) => path)).toContain(`chip/${id}/sod.bin`);
    expect(assay(['proof', 'verify', file, '--csca', csca])).toMatch(/^OK +ACTIVE_AUTHENTICATION_CHECK$/m);

    const page = readFileSync(join(import.meta.dirname, '../docs/chip.md'), 'utf8');
    const [unwrap, , verify] = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text!);
    const [ecdsa] = [...page.matchAll(/```sh ecdsa\n([\s\S]*?)```/g)].map(([, text]) => text!);
    writeFileSync(join(chip, 'csca.pem'), readFileSync(csca));
    const signedAt = String(Math.floor(Date.now() / 1000));
    run(`${unwrap}\n${verify}`, { SIGNED_AT: signedAt }, chip);
    expect(run(ecdsa!, {}, chip)).toContain('Signature Verified Successfully');
  });

  test('has no portrait without consent, and says that chip authentication cannot be repeated', async () => {
    const { id, file, root } = await proofOf({ activeAuthentication: 'none', chipAuthentication: 'ECDH' }, [], true);
    const files = readdirSync(join(root, 'chip', id));
    expect(files).toEqual(expect.arrayContaining(['dg1.bin', 'chip-authentication-response.bin', 'session.json']));
    expect(files).not.toContain('dg2.bin');
    expect(readdirSync(root)).not.toContain('images');
    expect(assay(['proof', 'verify', file, '--csca', csca])).toMatch(/^not made +CHIP_AUTHENTICATION_CHECK/m);
  });
});
