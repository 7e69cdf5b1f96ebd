import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';

/** Writes three megabytes of log, and says on standard error what became of them. */
const program = `
import { createLog, metricsText } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))};
const log = createLog('talking');
const line = 'x'.repeat(1000);
for (let n = 0; n < 3000; n += 1) log.info({ msg: line });
await new Promise((resolve) => setImmediate(resolve));
const lost = Number(/^assay_log_lines_lost_total (\\d+)$/m.exec(await metricsText())[1]);
console.error(JSON.stringify({ lost, megabytes: process.memoryUsage().rss >> 20 }));
`;

const outcomeOf = async (output: number): Promise<{ code: unknown; said: string }> => {
  const args = ['--import', 'tsx', '--input-type=module', '-e', program];
  const child = spawn(process.execPath, args, { stdio: ['ignore', output, 'pipe'] });
  const [said, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
  return { code, said };
};

const onLinux = process.platform === 'linux' ? test : test.skip;

// Whatever is written to /dev/full meets a full disk.
onLinux.each([
  ['full', /"lost":[1-9]/],
  ['null', /"lost":0,/],
])(
  'a service whose log goes to /dev/%s goes on',
  async (device, lost) => {
    const output = openSync(`/dev/${device}`, 'w');
    const { code, said } = await outcomeOf(output);
    closeSync(output);
    expect(said).toMatch(lost);
    expect(code).toBe(0);
  },
  20_000,
);
