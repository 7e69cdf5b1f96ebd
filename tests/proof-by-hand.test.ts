import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newIdentity, newTenant, readStack, specimen } from '@assay/testing';
import { afterAll, expect, test } from '@jest/globals';

const folder = mkdtempSync(join(tmpdir(), 'assay-proof-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The commands of docs/proof.md in the blocks marked `verify`. Running them tests the page. */
const commandsOfThePage = (): string => {
  const page = readFileSync(join(import.meta.dirname, '../docs/proof.md'), 'utf8');
  const blocks = [...page.matchAll(/```sh verify\n([\s\S]*?)```/g)].map((match) => match[1]);
  expect(blocks.length).toBeGreaterThan(0);
  return blocks.join('\n');
};

test('a proof verifies with openssl and sha256sum alone, by the commands in docs/proof.md', async () => {
  const tenant = await newTenant('proof by hand');
  const identity = await newIdentity(tenant.relyingService);
  const { body } = await identity.document(specimen('passport.jpg'));
  await identity.becomes(body.id, 'VERIFIED');
  writeFileSync(join(folder, 'proof.bin'), (await identity.proof()).bytes);
  const output = execFileSync('bash', ['-euo', 'pipefail', '-c', commandsOfThePage()], {
    cwd: folder,
    env: { ...process.env, BASE_URL: readStack().baseUrl },
    encoding: 'utf8',
  });
  expect(output).toContain('Verified OK');
});
