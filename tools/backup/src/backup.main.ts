/**
 * npm run backup -- --state FOLDER --keys FOLDER [--run-dir DIR]
 *
 * Stores the databases of a suite in two new folders: its state in one, the keys of its identities
 * in the other. Store them apart: whoever has both, and MASTER_KEY, can read what was erased since.
 * Reads the server of MONGO_URL and DB_PREFIX, else that of a running suite.
 *   --state FOLDER   where the state goes; a folder that has no backup yet
 *   --keys FOLDER    where the keys go; not below the other one
 *   --run-dir DIR    the suite of `npm run up` in this directory (.run)
 */
import { relative, resolve } from 'node:path';
import { readArguments } from '../../../scripts/arguments.mjs';
import { backUp } from './dump.ts';
import type { Manifest } from './manifest.ts';
import { given, running } from './place.ts';

const options = readArguments(import.meta.filename, {
  state: { type: 'string' },
  keys: { type: 'string' },
  'run-dir': { type: 'string' },
});

const lineOf = ({ kind, collections, moment }: Manifest, folder: string): string => {
  const documents = collections.reduce((sum, each) => sum + each.documents, 0);
  return `${kind}: ${documents} documents of ${collections.length} collections in ${folder}, ${moment}`;
};

const isBelow = (folder: string, other: string): boolean => !relative(other, folder).startsWith('..');

const run = async (): Promise<void> => {
  const at = (folder: unknown): string => {
    if (typeof folder !== 'string') throw new Error('--state FOLDER and --keys FOLDER are needed');
    return resolve(process.env.INIT_CWD ?? '.', folder);
  };
  const folders = { state: at(options.state), keys: at(options.keys) };
  if (isBelow(folders.keys, folders.state) || isBelow(folders.state, folders.keys))
    throw new Error('state and keys belong in folders apart');
  const runDir = options['run-dir'];
  const place = (runDir === undefined && given(process.env)) || running(runDir ?? '.run', process.env);
  const stored = await backUp(place, folders);
  console.log(lineOf(stored.state, folders.state));
  console.log(lineOf(stored.keys, folders.keys));
  if (stored.state.moment === 'in turn')
    console.log('This server has no snapshots: what changed meanwhile is stored as it was when its turn came.');
};

await run().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
