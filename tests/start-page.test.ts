import { readStack } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { isAccessible, launchBrowser, picture } from './setup/pages.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 120_000);
afterAll(() => browser?.close());

test.each([
  ['desktop', 1280, 'light'],
  ['phone', 390, 'dark'],
] as const)('a newcomer finds every part of the stack from its address, on a %s', async (kind, width, colorScheme) => {
  const { baseUrl, keys } = readStack();
  const page = await (await browser.newContext({ viewport: { width, height: 800 }, colorScheme })).newPage();
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.goto(baseUrl);
  await page.getByText('answers', { exact: true }).waitFor();
  await page.getByText(keys.userAgent, { exact: true }).waitFor();
  await isAccessible(page);
  await picture(`start-${kind}`, page, false);
  const links = await page
    .locator('a')
    .evaluateAll((all) => (all as unknown as { href: string }[]).map(({ href }) => href));
  expect(links).toEqual(expect.arrayContaining([`${baseUrl}/docs`, `${baseUrl}/console`, `${baseUrl}/capture`]));
  for (const href of new Set(links.filter((each) => !each.includes('/capture') || kind === 'desktop'))) {
    const { status } = await fetch(href);
    expect([href, status]).toEqual([href, 200]);
  }
  expect(await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')).toBe(
    false,
  );
  expect(errors).toEqual([]);
  await page.context().close();
});

test('a start page that does not reach the service says so in words', async () => {
  const page = await (await browser.newContext()).newPage();
  await page.route('**/pages-config.json', (route) => route.abort());
  await page.goto(readStack().baseUrl);
  await page.getByText('The service does not answer.').waitFor();
  await page.context().close();
});
