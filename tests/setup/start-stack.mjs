/**
 * Starts, before the first test, what the selected tests need: a whole suite for the stories
 * (TEST_STACK_FILE names its stack.json), and a MongoDB and a RabbitMQ of their own for the tests
 * of libs and services (TEST_MONGO_URL, TEST_AMQP_URL). All of it ends with this process.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../scripts/build.mjs';
import { makeRunDir, readStack, stackFile, startSupervisor } from '../../scripts/run-dir.mjs';
import { ensureBrowser } from './browser.mjs';
import { neededBy } from './selection.mjs';

const started = [];

const start = async (name, withPrograms) => {
  // scripts/test.mjs names the folder, so that it can inspect what is left there.
  const base = process.env.TEST_RUN_BASE;
  const dir = makeRunDir(base ? join(base, name) : mkdtempSync(join(tmpdir(), `assay-test-${name}-`)));
  const supervisor = await startSupervisor({ dir, withPrograms, tied: true }, () => undefined);
  if (!supervisor) throw new Error(`another suite runs in ${dir}`);
  started.push(supervisor);
  // Jest may end without notice. The pipe to the supervisor alone must not keep Jest running.
  supervisor.unref();
  supervisor.channel?.unref();
  return dir;
};

export default async function startStack({ testPathPatterns }) {
  const needed = neededBy(testPathPatterns?.patterns ?? []);
  if (!needed.suite && !needed.engines) return;
  if (needed.browser) ensureBrowser();
  await build(({ folder }) => needed.suite || folder === 'libs/local-stack');
  globalThis.assayStartedStacks = started;
  await Promise.all([
    needed.engines &&
      start('engines', false).then((dir) => {
        const { mongoUrl, amqpUrl } = readStack(dir) ?? {};
        process.env.TEST_MONGO_URL = mongoUrl;
        process.env.TEST_AMQP_URL = amqpUrl;
      }),
    needed.suite &&
      start('suite', true).then((dir) => {
        process.env.TEST_STACK_FILE = stackFile(dir);
      }),
  ]);
}
