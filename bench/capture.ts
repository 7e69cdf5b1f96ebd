/**
 * npm run bench:capture [-- --rounds N] [--stack FILE] [--json FILE]
 *
 * Opens links to the capture page in Chromium as a slow phone would: 150 ms a round, 1.6 Mbit/s
 * down, a processor four times slower, nothing cached. Prints how long it takes from the address to
 * the first button that can be pressed, how many bytes come, and what the page's thread takes of
 * the processor. A machine that does other work shows in the first figure and little in the last.
 *   --rounds N     links that are opened (9)
 *   --stack FILE   stack.json of a running suite (.run/stack.json)
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type CDPSession, chromium } from 'playwright-core';
import { readArguments } from '../scripts/arguments.mjs';
import { browserPath } from '../tests/setup/browser.mjs';
import { median } from './figures.ts';

const options = readArguments(import.meta.filename, {
  rounds: { type: 'string', default: '9' },
  stack: { type: 'string', default: join(import.meta.dirname, '../.run/stack.json') },
  json: { type: 'string' },
});
const SLOW = { latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const SLOWER = 4;
const NANOSECONDS = 1e6;

interface Stack {
  baseUrl: string;
  keys: { relyingService: string };
}
const { baseUrl, keys } = JSON.parse(readFileSync(options.stack, 'utf8')) as Stack;

const post = async <T>(path: string, body: object): Promise<T> => {
  const headers = { apikey: keys.relyingService, 'content-type': 'application/json' };
  return (await fetch(`${baseUrl}/svc/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json() as T;
};
const newLink = async (): Promise<string> => {
  const { id } = await post<{ id: string }>('/identities', {});
  return (await post<{ url: string }>(`/identities/${id}/user-agent-sessions`, {})).url;
};

/** What the main threads of the pages have taken of the processor so far. */
const processorMs = async (browser: CDPSession): Promise<number> => {
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
  const threads = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => `/proc/${id}/task/${id}/schedstat`);
  return threads.reduce((sum, file) => sum + Number(readFileSync(file, 'utf8').split(' ')[0]) / NANOSECONDS, 0);
};

interface Round {
  firstStepMs: number;
  bytes: number;
  processorMs: number;
}

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/**
 * Opens a link; `slow` as the phone would, else as fast as it goes, to see what the page itself
 * takes.
 */
const open = async (browser: Browser, slow: boolean): Promise<Round> => {
  const url = await newLink();
  const page = await (await browser.newContext(PHONE)).newPage();
  const cdp = await page.context().newCDPSession(page);
  const processes = await browser.newBrowserCDPSession();
  await page.goto(`${baseUrl}/svc/healthcheck`);
  let bytes = 0;
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await cdp.send('Network.enable');
  if (slow) {
    await cdp.send('Network.emulateNetworkConditions', { offline: false, ...SLOW });
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  }
  const before = await processorMs(processes);
  await page.goto(url, { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Begin', exact: true }).waitFor();
  const firstStepMs = Number(
    await page.evaluate("Math.round(performance.getEntriesByName('assay.first-step')[0].startTime)"),
  );
  const round = { firstStepMs, bytes, processorMs: Math.round((await processorMs(processes)) - before) };
  await page.context().close();
  return round;
};

const browser = await chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox', '--disable-gpu'] });
await open(browser, false);
const rounds: Round[] = [];
const plain: Round[] = [];
for (let at = 0; at < Number(options.rounds); at++) {
  plain.push(await open(browser, false));
  rounds.push(await open(browser, true));
}
await browser.close();

const times = rounds.map(({ firstStepMs }) => firstStepMs);
const figures = {
  firstStepMs: { best: Math.min(...times), median: median(times) },
  fastLineMs: {
    best: Math.min(...plain.map(({ firstStepMs }) => firstStepMs)),
    median: median(plain.map(({ firstStepMs }) => firstStepMs)),
  },
  bytes: median(rounds.map(({ bytes }) => bytes)),
  processorMs: median(plain.map((round) => round.processorMs)),
};
console.log(`first step, slow phone   best ${figures.firstStepMs.best} ms, median ${figures.firstStepMs.median} ms`);
console.log(`first step, this machine best ${figures.fastLineMs.best} ms, median ${figures.fastLineMs.median} ms`);
console.log(`bytes                    ${figures.bytes}`);
console.log(`processor, page's thread ${figures.processorMs} ms at full speed, with the start of its process`);
if (options.json) writeFileSync(options.json, JSON.stringify(figures, null, 2));
