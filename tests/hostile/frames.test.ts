import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newTenant, readStack, type Tenant, waitFor } from '@assay/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { newLink } from '../setup/capture.ts';
import { launchBrowser } from '../setup/pages.ts';

/**
 * The capture page in frames of pages that no tenant named: around, below and beside the pages that
 * a tenant named.
 */

let browser: Browser;
let page: Page;
const servers: Server[] = [];
/** The HTML of each page, by its URL. */
const pages = new Map<string, string>();
const host = async (): Promise<string> => {
  const server = createServer(({ headers, url }, response) => {
    response.setHeader('content-type', 'text/html').end(pages.get(`http://${headers.host}${url}`) ?? '');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

let [shop, thief] = ['', ''];
let [tenant, hostile] = [] as unknown as [Tenant, Tenant];
beforeAll(async () => {
  browser = await launchBrowser();
  [shop, thief] = [await host(), await host()];
  tenant = await newTenant('frames', { capture: { embedders: [shop], name: 'Framed Bank' } });
  hostile = await newTenant('frames of another', { capture: { embedders: [thief] } });
}, 120_000);
beforeEach(async () => {
  page = await (await browser.newContext()).newPage();
});
afterAll(async () => {
  await browser?.close();
  for (const server of servers) server.close();
});

/** Records the messages that this page hears, with their origins. */
const LISTENING =
  '<script>heard = []; addEventListener("message", (e) => heard.push([e.origin, e.data.type]));</script>';
const framed = (address: string, name = 'inner'): string =>
  `${LISTENING}<iframe name="${name}" src="${address}" style="width: 100%; height: 40rem"></iframe>`;
const linkIn = async (origin: string, owner = tenant): Promise<string> =>
  (await newLink(owner, ['PORTRAIT'], `?in=${encodeURIComponent(origin)}`)).url;
/** The frame whose address begins with `start`. */
const frameAt = (start: string) => page.frames().find((frame) => frame.url().startsWith(start));
const heardBy = (start: string): Promise<[string, string][]> => frameAt(start)!.evaluate('heard');
const refused: string[] = [];
const open = async (address: string): Promise<void> => {
  refused.length = 0;
  page.on('console', (message) => {
    if (/frame-ancestors/.test(message.text())) refused.push(message.text());
  });
  await page.goto(address);
};

test('a page around the one that a tenant named prevents the capture page from being shown', async () => {
  pages.set(`${shop}/`, framed(await linkIn(shop)));
  pages.set(`${thief}/`, framed(`${shop}/`));
  await open(`${thief}/`);
  await waitFor('the refusal', () => refused.length > 0);
  expect(page.frames().some((frame) => frame.url().includes('/capture'))).toBe(false);
  expect([await heardBy(`${thief}/`), await heardBy(`${shop}/`)]).toEqual([[], []]);
});

test('a page that claims the origin of a named page neither shows the capture page nor hears it', async () => {
  pages.set(`${thief}/`, framed(await linkIn(shop)));
  await open(`${thief}/`);
  await waitFor('the refusal', () => refused.length > 0);
  expect(await heardBy(`${thief}/`)).toEqual([]);
});

test('a page that another tenant named shows no link of this tenant', async () => {
  pages.set(`${thief}/`, framed(await linkIn(thief)));
  await open(`${thief}/`);
  const inner = page.frameLocator('iframe');
  await inner.getByRole('heading').waitFor();
  expect(await inner.locator('body').innerText()).not.toContain('Framed Bank');
  expect(await inner.getByRole('button', { name: 'Begin' }).count()).toBe(0);
  expect((await heardBy(`${thief}/`)).map(([, type]) => type)).not.toContain('assay.ready');
  pages.set(`${thief}/`, framed(await linkIn(thief, hostile)));
  await page.goto(`${thief}/`);
  await page.frameLocator('iframe').getByRole('button', { name: 'Begin', exact: true }).waitFor();
});

test('a frame beside the capture page hears none of its messages, and its own are ignored', async () => {
  const { baseUrl } = readStack();
  const link = await linkIn(shop);
  const shout = "['assay.finished', 'assay.ended'].forEach((type) => parent.frames.inner.postMessage({ type }, '*'))";
  pages.set(`${thief}/ad`, `${LISTENING}<button onclick="${shout}">shout</button>`);
  pages.set(`${shop}/`, `${framed(link)}<iframe src="${thief}/ad"></iframe>`);
  await open(`${shop}/`);
  const begin = page.frameLocator('iframe[name=inner]').getByRole('button', { name: 'Begin', exact: true });
  await begin.waitFor();
  await frameAt(`${thief}/ad`)!.getByRole('button').click();
  await waitFor('the page to be notified', async () => (await heardBy(`${shop}/`)).length > 0);
  const heard = await heardBy(`${shop}/`);
  expect(new Set(heard.map(([origin]) => origin))).toEqual(new Set([new URL(baseUrl).origin]));
  expect(await heardBy(`${thief}/ad`)).toEqual([]);
  expect(await begin.isVisible()).toBe(true);
});
