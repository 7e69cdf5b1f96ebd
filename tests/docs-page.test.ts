import { readStack } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { isAccessible, launchBrowser, picture } from './setup/pages.ts';

/* The documentation that a running suite serves, in a browser. */

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 120_000);
afterAll(() => browser?.close());

const WIDE = '(document.documentElement.scrollWidth > document.documentElement.clientWidth)';

/**
 * Opens a page of the documentation and collects its errors, violations of the content security
 * policy included.
 */
const open = async (width: number, colorScheme: 'light' | 'dark'): Promise<{ page: Page; faults: string[] }> => {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: readStack().baseUrl });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  return { page, faults };
};

test('the guide is readable on a phone in dark mode', async () => {
  const { page, faults } = await open(390, 'dark');
  await page.goto(`${readStack().baseUrl}/docs`);
  await page.getByText('All pages').click();
  await page.getByRole('link', { name: 'Concepts' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Concepts' }).waitFor();
  await page.getByRole('button', { name: 'Search' }).waitFor();
  await isAccessible(page);
  await picture('docs-concepts-phone-dark', page, false);
  expect(await page.evaluate(WIDE)).toBe(false);
  // The narrowest phone, or a desktop at a zoom of 400 % (WCAG 2.2, 1.4.10).
  await page.setViewportSize({ width: 320, height: 640 });
  for (const chapter of ['', '/reference', '/errors', '/sandbox']) {
    await page.goto(`${readStack().baseUrl}/docs${chapter}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect([chapter, await page.evaluate(WIDE)]).toEqual([chapter, false]);
  }
  expect(faults).toEqual([]);
  await page.context().close();
}, 60_000);

test.each(['', '/reference', '/errors', '/errors/1501', '/sandbox', '/nothing'])(
  'the first heading of /docs%s is that of the page: whoever goes from heading to heading begins there',
  async (path) => {
    const { page } = await open(1280, 'light');
    await page.goto(`${readStack().baseUrl}/docs${path}`);
    await page.locator('.chapters ul').first().waitFor();
    if (path === '/reference') await page.getByText('Beside them').waitFor();
    const headings = await page.getByRole('heading').evaluateAll((all) => all.map(({ tagName }) => tagName));
    expect(headings.slice(0, 1)).toEqual(['H1']);
    expect(headings.filter((name) => name === 'H1')).toHaveLength(1);
    await page.context().close();
  },
);

test('code is copied in the language that was chosen, on every page', async () => {
  const { page, faults } = await open(1280, 'light');
  await page.goto(`${readStack().baseUrl}/docs`);
  await page.getByRole('button', { name: 'Python' }).first().click();
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain('from assay import Client');
  await isAccessible(page);
  await page.getByRole('button', { name: 'curl' }).first().click();
  await picture('docs-quick-start', page, false);
  const top = async (name: string) => (await page.locator(name).boundingBox())?.y;
  expect(await top('.search')).toBe(await top('.colours'));
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.docs-header, .chapters, .aside, .copy').filter({ visible: true }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'curl', exact: true }).first().isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: 'Python', exact: true }).first().isVisible()).toBe(false);
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('button', { name: 'Python' }).first().click();
  await page.goto(`${readStack().baseUrl}/docs/capture`);
  await page.getByText('assay.create_link').waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
}, 60_000);

test('a search leads to a call of the reference, with its refusals collapsed, in the chosen colours', async () => {
  const { page, faults } = await open(1280, 'light');
  await page.goto(`${readStack().baseUrl}/docs`);
  await page.getByLabel('Colours').selectOption('dark');
  await page.keyboard.press('/');
  await page.getByRole('searchbox').fill('submitConsents');
  const found = page.locator('.found a[href="/docs/reference#submitConsents"]');
  await found.waitFor();
  await isAccessible(page, 'dialog');
  await found.click();
  const call = page.locator('#submitConsents');
  await call.waitFor();
  expect(await page.evaluate('document.documentElement.style.colorScheme')).toBe('dark');
  expect(await call.locator('.refusals').evaluate((details) => details.hasAttribute('open'))).toBe(false);
  await call.getByText('refusals').click();
  await call.getByRole('link', { name: '1006' }).waitFor();
  await isAccessible(page, '#submitConsents');
  await isAccessible(page, '.chapters');
  await call.scrollIntoViewIfNeeded();
  await picture('docs-reference-dark', page, false);
  expect(faults).toEqual([]);
  await page.context().close();
}, 60_000);

test.each([
  ['1532', '/docs/errors/1532', 'Error 1532'],
  ['qr code', '/docs/capture#what-the-person-sees', 'Capture'],
  ['document-copied', '/docs/sandbox#document-copied', 'Sandbox outcomes'],
  ['AdjudicationWaiting webhook', '/docs/reference#webhook-AdjudicationWaiting', 'API reference'],
])('a search for %s leads to %s', async (wanted, href, title) => {
  const { page, faults } = await open(1280, 'light');
  await page.goto(`${readStack().baseUrl}/docs`);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill(wanted);
  await page.locator(`.found a[href="${href}"]`).click();
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  if (href.includes('#')) await page.locator(`[id="${href.split('#')[1]}"]`).waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
});

test.each([
  ['/docs/errors/1501', 'Error 1501'],
  ['/docs/sandbox', 'Sandbox outcomes'],
])('%s has the same header and layout', async (path, title) => {
  const { page, faults } = await open(390, 'light');
  await page.goto(readStack().baseUrl + path);
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  await page.getByRole('button', { name: 'Search' }).waitFor();
  await isAccessible(page);
  expect(await page.evaluate(WIDE)).toBe(false);
  expect(faults).toEqual([]);
  await page.context().close();
});

test.each(['/docs', '/docs/reference'])('letters of twice the size fit a phone: %s', async (path) => {
  const { page } = await open(360, 'light');
  await page.goto(readStack().baseUrl + path);
  await page.getByRole('button', { name: 'Search' }).waitFor();
  if (path === '/docs/reference') await page.locator('.fields .required').first().waitFor();
  await page.addStyleTag({ content: ':root { font-size: 200%; }' });
  expect(await page.evaluate(WIDE)).toBe(false);
  await page.context().close();
});

test('a search that could not be loaded is loaded when it is opened again', async () => {
  const { page } = await open(1280, 'light');
  const complaint = page.getByText('The search could not be loaded');
  await page.route('**/docs/search.json', (route) => route.abort(), { times: 1 });
  await page.goto(`${readStack().baseUrl}/docs`);
  await page.getByRole('button', { name: 'Search' }).click();
  await complaint.waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('webhook');
  await page.getByText(/\d+ found/).waitFor();
  expect(await complaint.count()).toBe(0);
  await page.context().close();
}, 60_000);
