/**
 * `npm run up [-- --workers N] [--port P] [--run-dir DIR]`: sets up what is missing, starts the whole suite in the background and returns
 * when every service is ready. DIR/stack.json then says where everything is. On failure the last line of stderr says why.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { makeRunDir, readOptions, readStack, stackFile, startSupervisor, supervisorOf } from './run-dir.mjs';
import { setup } from './setup.mjs';

/** Somebody else's suite in this directory: waits until it is ready, when it is still starting. */
const waitForOther = async (dir) => {
  while (supervisorOf(dir) && !readStack(dir)) await pause(100);
  const stack = readStack(dir);
  if (!stack) throw new Error(`the suite that was starting in ${dir} did not get ready`);
  console.log(`already running in ${dir}: ${stack.baseUrl}`);
};

const up = async () => {
  const options = readOptions(process.argv.slice(2));
  const dir = makeRunDir(options.dir);
  if (supervisorOf(dir)) return waitForOther(dir);
  const started = performance.now();
  await setup();
  const supervisor = await startSupervisor({ ...options, dir }, console.log);
  if (!supervisor) return waitForOther(dir);
  supervisor.disconnect();
  supervisor.unref();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`ready in ${seconds} s: ${readStack(dir)?.baseUrl} (everything about it: ${stackFile(dir)})`);
};

try {
  await up();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
