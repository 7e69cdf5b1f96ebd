import { join, relative } from 'node:path';
import { rootDir } from './paths.ts';
import type { Member } from './suite.ts';

/**
 * Folders with another release, built, by the label of the process that is to be of it. JSON, in
 * `SUITE_RELEASES`.
 */
const givenReleases = ({ SUITE_RELEASES }: NodeJS.ProcessEnv): Record<string, string> =>
  SUITE_RELEASES ? (JSON.parse(SUITE_RELEASES) as Record<string, string>) : {};

/** The bundle a process runs: of this release, unless the caller wants it to be of another. */
export const entryOf = ({ label, program: { entry } }: Member, env: NodeJS.ProcessEnv = process.env): string => {
  const folder = givenReleases(env)[label];
  return folder === undefined ? entry : join(folder, relative(rootDir, entry));
};
