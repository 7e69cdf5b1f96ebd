import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startChild } from './child.ts';
import { endWhenSilent } from './liveness.ts';
import { accepts, waitUntil } from './wait.ts';

/** Answers at its port, and counts the questions in its log. */
const source = `
import { createServer } from 'node:http';
createServer((_, response) => { console.log('asked'); response.writeHead(503).end(); }).listen(Number(process.env.PORT), '127.0.0.1');
`;
const patience = { everyMs: 20, answerMs: 500, unanswered: 3 };

const dir = mkdtempSync(join(tmpdir(), 'assay-liveness-'));
const program = join(dir, 'program.mjs');
beforeAll(() => writeFileSync(program, source));
afterAll(() => rmSync(dir, { recursive: true }));

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

const startProgram = async () => {
  const port = await freePort();
  const child = startChild(process.execPath, [program], {
    env: { PORT: String(port) },
    logFile: join(dir, `${port}.log`),
  });
  expect(await waitUntil(() => accepts(port), { timeoutMs: 10_000 })).toBe(true);
  return { child, url: `http://127.0.0.1:${port}/health/live` };
};

test('a process that answers nothing any more is ended, and says so', async () => {
  const { child, url } = await startProgram();
  const said: string[] = [];
  const watching = endWhenSilent('notifier-1', child, url, (line) => said.push(line), patience);
  process.kill(child.pid, 'SIGSTOP');
  expect(await child.ended).toBe('by SIGKILL');
  await watching;
  expect(said).toEqual(['notifier-1 has not answered 3 times in a row: ending it']);
}, 20_000);

test('a process that answers lives on, whatever it answers', async () => {
  const { child, url } = await startProgram();
  const said: string[] = [];
  let asked = 0;
  const counted = { ended: child.ended, stop: child.stop };
  const watching = endWhenSilent('notifier-1', counted, url, (line) => said.push(line), patience);
  const ask = async (): Promise<boolean> => {
    asked += (await fetch(url)).status === 503 ? 1 : 0;
    return asked > 2 * patience.unanswered;
  };
  expect(await waitUntil(ask, { timeoutMs: 10_000, everyMs: patience.everyMs })).toBe(true);
  expect(said).toEqual([]);
  await child.stop(1000);
  await watching;
  expect(said).toEqual([]);
}, 20_000);
