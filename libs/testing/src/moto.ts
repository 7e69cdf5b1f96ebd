import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Without moto's extra `server`, which installs every service of AWS and four times the bytes. */
const PACKAGES = ['moto==5.2.1', 'flask==3.1.3', 'flask-cors==6.0.5', 'PyYAML==6.0.3', 'py-partiql-parser==0.6.3'];
const CACHE = fileURLToPath(new URL('../../../.cache/', import.meta.url));
const QUIET = ['--quiet', '--disable-pip-version-check', '--no-compile', '--root-user-action', 'ignore'];
const INSTALL_LIMIT_MS = 120_000;

/** How to start moto_server: `spawn(command, [...args, '-p', port], { env })`. */
export interface MotoServer {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}

const runs = (command: string, args: string[]) =>
  spawnSync(command, args, { stdio: 'ignore', timeout: INSTALL_LIMIT_MS }).status === 0;

/**
 * moto (PyPI), an S3-compatible server. pip installs it into `.cache` if it is not there.
 * Undefined, with a line on stderr, if python3, pip or the package index is missing.
 */
export const motoServer = (): MotoServer | undefined => {
  const folder = join(CACHE, 'moto-5.2.1');
  if (!existsSync(folder)) {
    mkdirSync(CACHE, { recursive: true });
    const partial = mkdtempSync(`${folder}-`);
    if (!runs('python3', ['-m', 'pip', 'install', ...QUIET, '--target', partial, ...PACKAGES])) {
      rmSync(partial, { recursive: true });
      process.stderr.write('object storage is not tested: pip could not install moto\n');
      return undefined;
    }
    renameSync(partial, folder);
  }
  return { command: 'python3', args: ['-m', 'moto.server'], env: { ...process.env, PYTHONPATH: folder } };
};
