import { execFile, execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newIdentity, newTenant, readStack, specimen } from '@assay/testing';
import { afterAll, describe, expect, test } from '@jest/globals';
import { helpOf } from '../scripts/arguments.mjs';

/**
 * A test runs every block of code in the documentation: this one, or one that is named here. The
 * test fails for a block that no test runs.
 */

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'assay-snippets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Block {
  page: string;
  /** The text behind the opening fence. */
  kind: string;
  text: string;
}
const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const blocks: Block[] = pages.flatMap((page) =>
  [...read(page).matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map(([, kind, text]) => ({
    page,
    kind: kind!,
    text: text!,
  })),
);

/** Blocks that another test reads from their page and runs: page, kind, test. */
const ELSEWHERE: readonly (readonly [RegExp, RegExp, string])[] = [
  [/^docs\/guide\//, /^(sh|js|python|output)$/, 'tests/guide.test.ts'],
  [/^docs\/guide\/webhooks/, /^json$/, 'tests/guide.test.ts'],
  [/^docs\/guide\/capture/, /^html$/, 'tests/capture.test.ts'],
  [/^README/, /^(js|sh client)$/, 'tests/client-package.test.ts'],
  [/^clients\/python\/README/, /^(sh|python)$/, 'tests/python-client.test.ts'],
  [/^docs\/proof/, /^sh verify$/, 'tests/proof-by-hand.test.ts'],
  [/^docs\/chip/, /^sh/, 'libs/chip/src/openssl.test.ts'],
];
/** Diagrams, and excerpts of output and of files: nothing that a reader types. */
const SHOWN: readonly (readonly [RegExp, RegExp])[] = [
  [/./, /^mermaid$/],
  [/^README/, /^services\//],
  [/^docs\/architecture/, /^/],
  [/^docs\/newcomer/, /^listening on port/],
  [/^docs\/guide\/chips/, /^\{\n {2}"documentSecurityObject"/],
];

const isElsewhere = ({ page, kind, text }: Block): boolean =>
  ELSEWHERE.some(([where, what]) => where.test(page) && what.test(kind)) || text.includes('BASE=$(node -p');
const isShown = ({ page, kind, text }: Block): boolean =>
  SHOWN.some(([where, what]) => where.test(page) && (what.test(kind || 'none') || what.test(text)));
const own = blocks.filter((block) => !isElsewhere(block) && !isShown(block));

test.each(ELSEWHERE)('the blocks of %s with %s exist, and %s reads them', (where, what, file) => {
  expect(blocks.filter(({ page, kind }) => where.test(page) && what.test(kind)).length).toBeGreaterThan(0);
  expect(existsSync(join(root, file))).toBe(true);
});

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const bin = join(root, 'libs/client/bin/assay.mjs');
const environment = () => ({ ...process.env, ASSAY_URL: readStack().baseUrl, ASSAY_KEY: readStack().keys.admin });
const bash = (text: string, more: Record<string, string> = {}): Promise<{ code: number; stdout: string }> =>
  new Promise((resolve) => {
    const script = `assay() { "${process.execPath}" "${bin}" "$@"; }\nnpx() { shift; assay "$@"; }\n${text}`;
    const options = { cwd: folder, env: { ...environment(), ...more } };
    execFile('bash', ['-c', script], options, (error, stdout) =>
      resolve({ code: error ? Number(error.code) : 0, stdout }),
    );
  });

const optionsOf = (line: string): string[] => [...line.matchAll(/ (--[a-z][\w-]*)/g)].map(([, option]) => option!);
/** The help text of a script. */
const helpOfScript = (name: string): string => {
  const file = scripts[name]?.match(/\S+\.(?:mjs|ts)(?= |$)/g)?.at(-1);
  return file ? helpOf(join(root, file)) : '';
};
const COMPOSE = read('docker-compose.yml');
/** The pages and files that document variables. */
const KNOWN = ['docs/configuration.md', 'docker-compose.yml', 'deploy/first-run.mjs'].map(read).join('\n');

/**
 * What is wrong with a line that no test runs, because it starts suites or needs what only its
 * reader has. Undefined when everything in it is known.
 */
const faultOf = async (line: string): Promise<string | undefined> => {
  const bare = line.replace(/ +#.*$/, '').replace(/^(?:[A-Z_]+=\S+ )+/, '');
  const variables = [...line.matchAll(/(?:^| )([A-Z][A-Z_]+)=/g)].map(([, name]) => name!);
  const unknown = variables.filter((name) => !KNOWN.includes(name.replace(/_FILE$/, '')));
  if (unknown.length > 0) return `unknown variables ${unknown.join(', ')}`;
  const script = /^npm (?:run )?([\w:]+)/.exec(bare)?.[1];
  if (script) {
    if (!(script in scripts)) return `no script ${script}`;
    const missing = optionsOf(bare).filter((option) => !helpOfScript(script).includes(option));
    return missing.length > 0 ? `npm run ${script} tells nothing of ${missing.join(', ')}` : undefined;
  }
  const words = /^(?:npx )?assay ((?:[a-z][\w-]*(?: |$))+)/.exec(bare)?.[1]?.trim().split(' ') ?? [];
  if (words.length > 0) {
    const { code, stdout } = await bash(`assay ${words.slice(0, 2).join(' ')} --help`);
    const missing = optionsOf(bare).filter(
      (option) => !['--url', '--key'].includes(option) && !stdout.includes(option),
    );
    return code === 0 && missing.length === 0 ? undefined : `assay ${words.join(' ')} tells nothing of ${missing}`;
  }
  const profile = /^docker compose.*--profile (\w+)/.exec(bare)?.[1];
  if (profile && !COMPOSE.includes(profile)) return `no profile ${profile}`;
  const isOfOthers = /^(docker compose|helm install|kubectl create|node deploy\/first-run\.mjs| *\$\(|service=| )/.test(
    bare,
  );
  return isOfOthers || variables.length > 0 ? undefined : 'nobody runs it';
};

/** Pages whose block runs as a whole here, with values for the names in capitals. */
const RUN = ['docs/sandbox.md', 'docs/webhooks.md', 'docs/command.md', 'docs/runbooks/dead-letters.md'];
/** Programs that use the client, run from a file. */
const PROGRAMS = ['docs/proof.md ts', 'libs/client/PACKAGE.md js'];

const called = own.filter(({ page, kind }) => !RUN.includes(page) && !PROGRAMS.includes(`${page} ${kind}`));
test.each(called.map(({ page, text }) => [page, text] as const))(
  'the commands of %s exist, with their options',
  async (_page, text) => {
    const lines = text
      .replaceAll(/ *\\\n\s*/g, ' ')
      .trim()
      .split('\n');
    const faults = await Promise.all(lines.map(async (line) => [line, await faultOf(line)] as const));
    expect(faults.filter(([, fault]) => fault !== undefined)).toEqual([]);
  },
  60_000,
);

const blockOf = (page: string): string => own.find((block) => block.page === page)!.text;

describe('what is run here', () => {
  test('a sandbox is created', async () => {
    const { baseUrl, keys } = readStack();
    const { stdout } = await bash(blockOf('docs/sandbox.md'), { SUITE: baseUrl, ADMIN: keys.admin });
    expect(JSON.parse(stdout)).toMatchObject({ settings: { sandbox: true } });
  });

  test('a webhook is signed by openssl as by the service', async () => {
    const [BODY, SECRET] = ['{"event":"Evaluation"}', 'a secret'];
    const { stdout } = await bash(blockOf('docs/webhooks.md'), { BODY, SECRET });
    expect(stdout.trim()).toBe(createHmac('sha256', SECRET).update(BODY).digest('base64'));
  });

  test('the examples of the command, one after the other', async () => {
    const tenant = await newTenant('snippets');
    const identity = await newIdentity(tenant.relyingService);
    const { body } = await identity.document(specimen('passport.jpg'));
    await identity.becomes(body.id, 'VERIFIED');
    const lines = blockOf('docs/command.md').trim().replaceAll('TENANT', tenant.tenantId).split('\n');
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) {
      const { code } = await bash(line.replaceAll('IDENTITY', identity.id));
      // `assay evaluate` exits with 1 when the evaluation has another result.
      expect([line, code]).toEqual([line, line.includes('evaluate') ? expect.any(Number) : 0]);
      expect(code).toBeLessThan(2);
    }
    expect(JSON.parse(readFileSync(join(folder, 'case.json'), 'utf8'))).toBeTruthy();
  }, 90_000);

  test('the collection for Postman, made as in the README, is JSON', async () => {
    const [, command = ''] = /`(npm run [^`]*postman[^`]*)`/.exec(read('README.md')) ?? [];
    const { code } = await bash(`cd ${root} && ${command.replace('> ', `> ${folder}/`)}`);
    expect(code).toBe(0);
    const { item, info } = JSON.parse(readFileSync(join(folder, 'assay.postman.json'), 'utf8'));
    expect([info.name, item.length > 5]).toEqual([expect.any(String), true]);
  }, 60_000);

  test('dead letters are listed', async () => {
    for (const line of blockOf('docs/runbooks/dead-letters.md').trim().split('\n'))
      expect([line, (await bash(line)).code]).toEqual([line, 0]);
  }, 60_000);
});

describe('programs', () => {
  const at = mkdtempSync(join(root, 'node_modules/.snippets-'));
  afterAll(() => rmSync(at, { recursive: true, force: true }));
  const run = (text: string, key = ''): Promise<string> => {
    writeFileSync(join(at, 'program.mts'), text);
    const options = { cwd: at, env: { ...environment(), ASSAY_KEY: key }, encoding: 'utf8' } as const;
    return promisify(execFile)(process.execPath, ['--import', 'tsx', 'program.mts'], options).then(
      ({ stdout }) => stdout,
    );
  };
  const programOf = (page: string): string =>
    own.find((block) => PROGRAMS.includes(`${block.page} ${block.kind}`) && block.page === page)!.text;

  test('the package creates an identity', async () => {
    const tenant = await newTenant('snippets');
    const text = programOf('libs/client/PACKAGE.md').replace('https://assay.example', readStack().baseUrl);
    expect((await run(`${text}\nconsole.log(id);`, tenant.keys.relyingService)).trim()).toMatch(/^[0-9a-f-]{36}$/);
  }, 60_000);

  test('a proof is verified, and what is wrong with it is reported', async () => {
    const tenant = await newTenant('snippets');
    const identity = await newIdentity(tenant.relyingService);
    const { bytes } = await identity.proof();
    const jwksUrl = `const jwksUrl = '${readStack().baseUrl}/.well-known/jwks.json';\n`;
    writeFileSync(join(at, 'proof.bin'), bytes);
    const text = jwksUrl + programOf('docs/proof.md').replace('console.error', 'console.log');
    expect(await run(text)).toBe('');
    writeFileSync(join(at, 'proof.bin'), bytes.subarray(0, -200));
    expect(await run(`${text}`)).not.toBe('');
  }, 60_000);
});

test('every script that a page names in its text exists', () => {
  const missing = pages.flatMap((page) =>
    [...read(page).matchAll(/`npm run (?:-s )?([\w:]+)/g)]
      .map(([, name]) => name!)
      .filter((name) => !(name in scripts))
      .map((name) => `${page}: ${name}`),
  );
  expect(missing).toEqual([]);
});
