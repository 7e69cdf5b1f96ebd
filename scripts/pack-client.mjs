/**
 * npm run client:pack [-- FOLDER]: the archive of `@assay/client` as npm takes it, with everything
 * it needs inside: ESM, declarations, the command, an entry for browsers. Prints the archive's
 * path.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { answerHelp } from './arguments.mjs';
import { root } from './build.mjs';

answerHelp(import.meta.filename);

const client = join(root, 'libs/client');
const staged = join(client, 'dist/package');
const types = join(client, 'dist/types');
const sources = join(types, 'libs/client/src');
const manifest = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8'));

// For packages inside that know CommonJS only.
const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" };

/**
 * @type {(entry: string, out: string, more: import('esbuild').BuildOptions) => Promise<unknown>}
 */
const bundle = (entry, out, more) =>
  build({
    absWorkingDir: root,
    entryPoints: [join(client, entry)],
    outfile: join(staged, out),
    bundle: true,
    format: 'esm',
    logLevel: 'silent',
    ...more,
  });

const bundles = async () => {
  /** @type {import('esbuild').BuildOptions} */
  const forNode = { platform: 'node', target: 'node20', mainFields: ['module', 'main'], banner };
  await bundle('src/package.ts', 'index.js', forNode);
  await bundle('src/command/main.ts', 'command.js', forNode);
  await bundle('src/browser.ts', 'browser.js', { platform: 'browser', target: 'es2022' });
};

/**
 * The declarations that the two entries reach, with imports as every reader of ESM resolves them.
 */
const declarations = () => {
  rmSync(types, { recursive: true, force: true });
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(client, 'tsconfig.package.json')],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  cpSync(join(client, 'src/api/operations.d.ts'), join(sources, 'api/operations.d.ts'));
  const wanted = [join(sources, 'package.d.ts'), join(sources, 'browser.d.ts')];
  for (const file of wanted) {
    const text = readFileSync(file, 'utf8');
    const next = text.replace(/from '(\.[^']+?)(?:\.d)?\.ts'/g, (_all, path) => {
      const found = join(dirname(file), `${path}.d.ts`);
      if (!wanted.includes(found)) wanted.push(found);
      return `from '${path}.js'`;
    });
    const to = join(staged, 'types', relative(sources, file));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, next);
  }
};

const COMMAND = `#!/usr/bin/env node
import { main } from './command.js';

process.exitCode = await main(process.argv);
`;

const packageJson = {
  name: manifest.name,
  version: manifest.version,
  description: 'Client of Assay, an identity-proofing service',
  license: 'Apache-2.0',
  type: 'module',
  engines: { node: '>=20.19' },
  exports: {
    '.': { types: './types/package.d.ts', default: './index.js' },
    './browser': { types: './types/browser.d.ts', default: './browser.js' },
  },
  types: './types/package.d.ts',
  bin: { assay: './assay.mjs' },
};

const target = resolve(process.argv[2] ?? join(client, 'dist'));
rmSync(staged, { recursive: true, force: true });
mkdirSync(staged, { recursive: true });
mkdirSync(target, { recursive: true });
await bundles();
declarations();
writeFileSync(join(staged, 'assay.mjs'), COMMAND, { mode: 0o755 });
writeFileSync(join(staged, 'package.json'), `${JSON.stringify(packageJson, null, 2)}\n`);
cpSync(join(client, 'PACKAGE.md'), join(staged, 'README.md'));
for (const text of ['LICENSE', 'THIRD_PARTY.md']) cpSync(join(root, text), join(staged, text));
execFileSync('npm', ['pack', '--silent', '--pack-destination', target], {
  cwd: staged,
  stdio: ['ignore', 'ignore', 'inherit'],
});
process.stdout.write(`${join(target, `assay-client-${manifest.version}.tgz`)}\n`);
