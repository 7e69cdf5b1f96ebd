import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { newIdentity, newTenant, readStack, specimen } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { peerZip } from '../services/proof-builder/src/testing/peer-zip.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-proof-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The commands of docs/proof.md in the blocks marked `verify`. Running them tests the page. */
const commandsOfThePage = (): string => {
  const page = readFileSync(join(import.meta.dirname, '../docs/proof.md'), 'utf8');
  const blocks = [...page.matchAll(/```sh verify\n([\s\S]*?)```/g)].map((match) => match[1]);
  expect(blocks.length).toBeGreaterThan(0);
  return blocks.join('\n');
};

/** What the commands print, run as the page says. */
const verify = (envelope: Buffer): string => {
  writeFileSync(join(folder, 'proof.bin'), envelope);
  return execFileSync('sh', ['-eu', '-c', commandsOfThePage()], {
    cwd: folder,
    env: { ...process.env, BASE_URL: readStack().baseUrl },
    encoding: 'utf8',
    stdio: 'pipe',
  });
};

let tenant: Awaited<ReturnType<typeof newTenant>>;
beforeAll(async () => {
  tenant = await newTenant('proof by hand');
});

const newProof = async () => {
  const identity = await newIdentity(tenant.relyingService);
  const { body } = await identity.document(specimen('passport.jpg'));
  await identity.becomes(body.id, 'VERIFIED');
  return { id: identity.id, envelope: (await identity.proof()).bytes };
};

/** The folders the commands unpacked last; what they make themselves are files. */
const unpacked = (): string[] =>
  readdirSync(join(folder, 'unpacked'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

/** The envelope with an archive of the files unpacked last, and of one beside their folder. */
const withOneBeside = async (envelope: Buffer): Promise<Buffer> => {
  const zip = peerZip(new Date());
  const from = join(folder, 'unpacked');
  const [root = ''] = unpacked();
  for (const entry of readdirSync(join(from, root), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const path = join(entry.parentPath, entry.name);
      zip.addBuffer(path.slice(from.length + 1), readFileSync(path));
    }
  zip.addBuffer('beside.txt', Buffer.from('nobody signed this'));
  const delimiter = envelope.subarray(0, envelope.indexOf('\r\n'));
  const head = envelope.subarray(0, envelope.indexOf('\r\n\r\n') + 4);
  return Buffer.concat([head, await buffer(zip.end().output), Buffer.from(`\r\n${delimiter}--\r\n`)]);
};

test('a proof verifies with openssl and sha256sum alone, by the commands in docs/proof.md', async () => {
  const { envelope } = await newProof();
  expect(verify(envelope)).toContain('Verified OK');
  const altered = await withOneBeside(envelope);
  expect(() => verify(altered)).toThrow('Command failed');
});

test('a second proof verifies where the first one was unpacked', async () => {
  for (const { id, envelope } of [await newProof(), await newProof()]) {
    expect(verify(envelope)).toContain('Verified OK');
    expect(unpacked().map((name) => name.slice(0, id.length))).toEqual([id]);
  }
});
