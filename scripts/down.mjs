/** `npm run down [-- --run-dir DIR]`: ends the suite of a run directory, whatever state it is in. Its data stay for the next `up`. */
import { existsSync, realpathSync } from 'node:fs';
import { endRun, readOptions } from './run-dir.mjs';

try {
  const { dir } = readOptions(process.argv.slice(2));
  const ended = existsSync(dir) && (await endRun(realpathSync(dir)));
  console.log(ended ? `ended the suite in ${dir}` : `nothing runs in ${dir}`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
