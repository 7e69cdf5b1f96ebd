import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVICE_NAMES } from '@assay/contracts';
import { newSeed, type Seed } from './seed.ts';

/**
 * What a run directory keeps between runs, so that a suite that is started again knows its data,
 * keys and ports.
 */
export interface RunDir {
  readonly dir: string;
  readonly dataDir: string;
  readonly logDir: string;
  /** Where tests arm crash points. */
  readonly crashDir: string;
  /** Where the simulated sources keep their record books. */
  readonly recordsDir: string;
  /** The services' folder for temporary files; empty when a run begins. */
  readonly tempDir: string;
  readonly seedFile: string;
  readonly seed: Seed;
  /** For each service, as it reads them: its private key and every service's public key. */
  readonly internalKeys: Readonly<Record<string, string>>;
  readonly masterKey: string;
  readonly portBase: number | undefined;
}

/**
 * A key pair (P-256) for each service; each knows its own private key and everybody's public key.
 */
const newInternalKeys = (): Record<string, string> => {
  const pairs = SERVICE_NAMES.map((service) => ({ service, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) }));
  const publicKeys = Object.fromEntries(
    pairs.map(({ service, publicKey }) => [service, publicKey.export({ type: 'spki', format: 'pem' })]),
  );
  return Object.fromEntries(
    pairs.map(({ service, privateKey }) => [
      service,
      JSON.stringify({ privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }), publicKeys }),
    ]),
  );
};

/** Writes a file that only its owner reads, whole or not at all. */
export const writePrivate = async (file: string, value: unknown): Promise<void> => {
  const next = `${file}.${process.pid}`;
  await writeFile(next, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await rename(next, file);
};

const readOrCreate = async <T>(file: string, make: () => T): Promise<T> => {
  if (!existsSync(file)) await writePrivate(file, make());
  return JSON.parse(await readFile(file, 'utf8')) as T;
};

/** The logs of the run before stay beside the new ones, under `.old`. */
const setLogsAside = async (logDir: string): Promise<void> => {
  const names = (await readdir(logDir)).filter((name) => name.endsWith('.log') && name !== 'supervisor.log');
  await Promise.all(names.map((name) => rename(join(logDir, name), join(logDir, `${name}.old`))));
};

/** Opens a run directory, making what is missing. */
export const openRunDir = async (dir: string): Promise<RunDir> => {
  const dataDir = join(dir, 'data');
  const logDir = join(dir, 'logs');
  const crashDir = join(dir, 'crash');
  const recordsDir = join(dataDir, 'simulators');
  const tempDir = join(dataDir, 'tmp');
  await rm(tempDir, { recursive: true, force: true });
  for (const folder of [dataDir, logDir, crashDir, recordsDir, tempDir])
    await mkdir(folder, { recursive: true, mode: 0o700 });
  await setLogsAside(logDir);
  const seedFile = join(dir, 'seed.json');
  const seed = await readOrCreate(seedFile, newSeed);
  const secrets = await readOrCreate(join(dir, 'secrets.json'), () => ({
    internalKeys: newInternalKeys(),
    masterKey: randomBytes(32).toString('base64'),
  }));
  const portsFile = join(dir, 'ports.json');
  const portBase = existsSync(portsFile)
    ? (JSON.parse(await readFile(portsFile, 'utf8')) as { base: number }).base
    : undefined;
  return { dir, dataDir, logDir, crashDir, recordsDir, tempDir, seedFile, seed, ...secrets, portBase };
};
