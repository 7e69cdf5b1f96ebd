import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const run = promisify(execFile);
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const net = path.resolve(import.meta.dirname, '../models/face-detector.onnx');

/** What a process leaves in its home and its folder of temporary files after it opened a net. */
const leftBy = async (source: string, opening: string): Promise<string[]> => {
  const home = mkdtempSync(path.join(tmpdir(), 'runtime-'));
  try {
    const program = `
      import { ${opening.split('.')[0]} } from ${JSON.stringify(source)};
      await ${opening}(${JSON.stringify(net)}, {});`;
    await run(process.execPath, ['--import', tsx, '--input-type=module', '-e', program], {
      env: { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: home, XDG_CACHE_HOME: home },
      cwd: import.meta.dirname,
    });
    return readdirSync(home).filter((name) => !name.startsWith('tsx-'));
  } finally {
    rmSync(home, { recursive: true });
  }
};

test('the runtime of the nets writes nothing about its use', async () => {
  const own = pathToFileURL(path.join(import.meta.dirname, 'onnxruntime.ts')).href;
  expect(await leftBy(own, 'openNet')).toEqual([]);
  // It would: this is what the test is to notice.
  expect(await leftBy('onnxruntime-node', 'InferenceSession.create')).not.toEqual([]);
});
