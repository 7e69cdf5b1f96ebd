/**
 * npm run restore -- --state FOLDER [--keys FOLDER] [--erased FILE] [--replace]
 *
 * Restores what `npm run backup` stored to the server of MONGO_URL and DB_PREFIX, while no service
 * runs. Keys that are at the server stay as they are: what was erased since the backup stays
 * erased.
 *   --state FOLDER   the state
 *   --keys FOLDER    the keys, for a server that has none any more
 *   --erased FILE    identities that were erased since, one id a line: their keys are left out
 *   --replace        drops the state that is there
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readArguments } from '../../../scripts/arguments.mjs';
import { erasedIds } from './erased.ts';
import { given } from './place.ts';
import { restore } from './restore.ts';

const options = readArguments(import.meta.filename, {
  state: { type: 'string' },
  keys: { type: 'string' },
  erased: { type: 'string' },
  replace: { type: 'boolean' },
});

const run = async (): Promise<void> => {
  const at = (path: string): string => resolve(process.env.INIT_CWD ?? '.', path);
  const { state, keys, erased, replace } = options;
  const place = given(process.env);
  if (state === undefined || place === undefined) throw new Error('--state FOLDER and MONGO_URL are needed');
  const done = await restore(place, {
    state: at(state),
    keys: keys === undefined ? undefined : at(keys),
    replace,
    erased: erased === undefined ? [] : erasedIds(readFileSync(at(erased), 'utf8')),
  });
  console.log(`${done.documents} documents restored`);
  console.log(
    keys === undefined
      ? 'keys: left as they are at the server'
      : `keys: ${done.keys} restored, ${done.keysLeftOut} left out, of identities erased since`,
  );
  console.log(`${done.closing} identities of the backup have no key: the gateway finishes their closing once it runs`);
};

await run().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
