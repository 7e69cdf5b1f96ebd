/**
 * npm run demo [-- --document FILE [--back FILE] --selfie FILE] [-- --chip]
 *
 * Sets up what is missing, starts the whole suite in a folder of its own, proves one identity on it
 * and takes it down again. Without files it draws a specimen passport itself. The archive, the keys
 * it verifies with and the page that shows it stay in .run/demo.
 *   --document FILE   the image of a document; --back FILE its other side
 *   --selfie FILE     the image of a face
 *   --chip            reads the chip of the document too, which is in software
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from './arguments.mjs';
import { root } from './build.mjs';

const { chip, ...files } = readArguments(import.meta.filename, {
  document: { type: 'string' },
  back: { type: 'string' },
  selfie: { type: 'string' },
  chip: { type: 'boolean' },
});
// Before the suite is started for nothing.
for (const [option, file] of Object.entries(files))
  try {
    accessSync(file, constants.R_OK);
  } catch {
    console.error(`--${option}: ${file} cannot be read`);
    process.exit(2);
  }

const runDir = mkdtempSync(join(realpathSync(tmpdir()), 'assay-demo-'));
const archives = join(root, '.run', 'demo');
mkdirSync(archives, { recursive: true });

const run = (args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
const script = (name, ...args) => run([join(root, 'scripts', name), ...args]);

const down = () => {
  script('down.mjs', '--run-dir', runDir);
  rmSync(runDir, { recursive: true, force: true, maxRetries: 3 });
};
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    down();
    process.exit(130);
  });

let code = script('up.mjs', '--run-dir', runDir);
if (code === 0)
  code = run([
    '--import',
    'tsx',
    join(root, 'tools/demo/src/demo.main.ts'),
    '--stack',
    join(runDir, 'stack.json'),
    '--archives',
    archives,
    ...Object.entries(files).flatMap(([option, file]) => [`--${option}`, file]),
    ...(chip ? ['--chip'] : []),
  ]);
down();
process.exitCode = code;
