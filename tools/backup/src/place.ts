import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Place } from './databases.ts';

/** The databases that MONGO_URL and DB_PREFIX name, as they do for the services. */
export const given = ({ MONGO_URL, DB_PREFIX }: NodeJS.ProcessEnv): Place | undefined =>
  MONGO_URL ? { url: MONGO_URL, prefix: DB_PREFIX ?? 'assay_' } : undefined;

/** The databases of a suite that runs in this directory. */
export const running = (runDir: string, { INIT_CWD }: NodeJS.ProcessEnv): Place => {
  const { mongoUrl, names } = JSON.parse(
    readFileSync(join(resolve(INIT_CWD ?? '.', runDir), 'stack.json'), 'utf8'),
  ) as {
    mongoUrl: string;
    names: { databases: string };
  };
  return { url: mongoUrl, prefix: names.databases };
};
