/**
 * npm run up [-- --replicas N] [--workers N] [--port P] [--run-dir DIR]
 *
 * Sets up what is missing, starts the whole suite in the background and returns when every service
 * is ready. DIR/stack.json then says where everything is. On failure the last line of stderr says
 * why. `npm run down` ends it.
 *   --replicas N    processes of each of the six services, behind one base URL (1)
 *   --workers N     processes of the verification worker, where that differs; 0: what it would do
 *                   waits
 *   --port P        the port of the base URL; a free one when left out
 *   --run-dir DIR   data, logs and stack.json (.run); several suites can run side by side
 */
import { setTimeout as pause } from 'node:timers/promises';
import { answerHelp } from './arguments.mjs';
import {
  makeRunDir,
  notApplied,
  readOptions,
  readStack,
  stackFile,
  startSupervisor,
  supervisorOf,
} from './run-dir.mjs';
import { setup } from './setup.mjs';

/** Somebody else's suite in this directory: waits until it is ready, when it is still starting. */
const waitForOther = async (dir, options) => {
  while (supervisorOf(dir) && !readStack(dir)) await pause(100);
  const stack = readStack(dir);
  if (!stack) throw new Error(`the suite that was starting in ${dir} did not get ready`);
  console.log(`already running in ${dir}\n${linksOf(dir)}`);
  const ignored = notApplied(options, stack);
  if (ignored.length > 0) console.error(`it was started otherwise, not applied: ${ignored.join(', ')}; end it first`);
};

/** Where everything is, for a person to open. */
const linksOf = (dir) => {
  const stack = readStack(dir);
  if (!stack) throw new Error(`the suite in ${dir} has ended`);
  const { baseUrl, apiPrefix, mailcatcher } = stack;
  const links = {
    'base URL': `${baseUrl}/${apiPrefix}/v1`,
    'start page': `${baseUrl}/`,
    documentation: `${baseUrl}/docs`,
    administration: `${baseUrl}/admin`,
    console: `${baseUrl}/console`,
    'capture page': `${baseUrl}/capture`,
    inbox: mailcatcher,
    'keys, addresses': stackFile(dir),
  };
  const lines = Object.entries(links).filter(([, link]) => link);
  return lines.map(([name, link]) => `  ${name.padEnd(16)} ${link}`).join('\n');
};

const up = async () => {
  const options = readOptions(process.argv.slice(2));
  const dir = makeRunDir(options.dir);
  if (supervisorOf(dir)) return waitForOther(dir, options);
  const started = performance.now();
  await setup();
  const supervisor = await startSupervisor({ ...options, dir }, console.log);
  if (!supervisor) return waitForOther(dir, options);
  supervisor.disconnect();
  supervisor.unref();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`ready in ${seconds} s\n${linksOf(dir)}`);
};

answerHelp(import.meta.filename);
try {
  await up();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
