/**
 * npm run down [-- --run-dir DIR]
 *
 * Ends the suite of a run directory (.run), whatever state it is in. Its data stay for the next
 * `up`.
 */
import { existsSync, realpathSync } from 'node:fs';
import { answerHelp } from './arguments.mjs';
import { endRun, readOptions } from './run-dir.mjs';

answerHelp(import.meta.filename);
try {
  const { dir } = readOptions(process.argv.slice(2));
  const ended = existsSync(dir) && (await endRun(realpathSync(dir)));
  console.log(ended ? `ended the suite in ${dir}` : `nothing runs in ${dir}`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
