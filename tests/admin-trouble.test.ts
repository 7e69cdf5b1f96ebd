import { newTenant, readStack, type Tenant, waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { isAccessible, launchBrowser } from './setup/pages.ts';

/** An administrator makes two keys, signs in by the keyboard, or meets a service that is away. */

let browser: Browser;
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('trouble');
  browser = await launchBrowser();
}, 120_000);
afterAll(() => browser?.close());

const { baseUrl, keys } = readStack();
const at = (tab: string): string => `${baseUrl}/admin/#/tenants/${tenant.tenantId}/${tab}`;
const signedIn = async (): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: baseUrl });
  const page = await context.newPage();
  await page.goto(`${baseUrl}/admin/`);
  await page.getByLabel('Administrator key').fill(keys.admin);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  return page;
};

test('a key that is shown once stays while the next is made, and no key is called copied that was not', async () => {
  const page = await signedIn();
  await page.goto(at('keys'));
  const make = page.getByRole('button', { name: 'Make a key' });
  const shown = page.locator('.shown-once');
  await make.click();
  await shown.first().waitFor();
  const first = await shown.innerText();
  await page.getByRole('button', { name: /^Copy: the new key/ }).click();
  await page.getByRole('button', { name: /^Copied: the new key/ }).waitFor();
  await make.click();
  await waitFor('both keys', async () => (await shown.count()) === 2);
  const [newest, former] = await shown.allInnerTexts();
  expect(former).toBe(first);
  expect(newest).not.toBe(first);
  await page.getByText('Copy the new keys now').waitFor();
  expect(await page.getByRole('button', { name: /^Copied:/ }).count()).toBe(1);
  await page.getByRole('button', { name: /^Copy: the new key/ }).click();
  await waitFor('the newest key on the clipboard', async () => {
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    return copied === newest;
  });
  await isAccessible(page);
  await page.context().close();
}, 60_000);

test('settings whose description did not come say so, and are asked for again', async () => {
  const page = await signedIn();
  const away = { status: 503, json: { errors: [{ code: '5030', message: 'temporarily unavailable' }] } };
  await page.route('**/openapi.json', (route) => route.fulfill(away), { times: 1 });
  await page.goto(at('settings'));
  await page.getByText('temporarily unavailable').waitFor();
  await page.route('**/openapi.json', (route) => route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('The service does not answer.').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByLabel('Attempts at a code').waitFor();
  await page.context().close();
}, 60_000);

test('who signs in by the keyboard goes on at the content', async () => {
  const page = await signedIn();
  const focused = () => page.evaluate<string>('document.activeElement.tagName');
  await waitFor('the focus', async () => (await focused()) === 'MAIN');
  await page.keyboard.press('Tab');
  expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('New tenant');
  await page.context().close();
}, 60_000);

test.each([
  ['admin', 'Administrator key'],
  ['console', 'Operator key'],
])(
  'a key with letters that no browser sends is not known at /%s',
  async (path, label) => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${baseUrl}/${path}`);
    for (const key of ['“asy_ad_1”', 'asy_ad_1\u200b']) {
      await page.getByLabel(label).fill(key);
      await page.keyboard.press('Enter');
      await page.getByText('This key is not known').waitFor();
      await page.reload();
    }
    await page.context().close();
  },
  60_000,
);

test('an address that names no id leads to no other call, and to no blank page', async () => {
  const page = await signedIn();
  const asked = new Set<string>();
  page.on('request', (request) => {
    const [, path] = /(\/admin\/v1\/.*)/.exec(request.url()) ?? [];
    if (path) asked.add(path);
  });
  const { tenantId } = tenant;
  for (const odd of ['..%2Fkeys', '..', '.', '..%2Ftenants', `${tenantId}%3Fx`, `other%2F..%2F${tenantId}`]) {
    await page.goto(`${baseUrl}/admin/#/suite`);
    await page.goto(`${baseUrl}/admin/#/tenants/${odd}`);
    await page.getByText('This is no longer there.').waitFor();
  }
  const outside = [...asked].filter((path) => !/^\/admin\/v1\/(doctor|tenants\/-)$/.test(path));
  expect(outside).toEqual([]);
  await page.context().close();
}, 60_000);

/** A year of six digits, which a person can type and no program may fill in. */
const TYPE_FAR_YEAR = `{
  const field = document.querySelector('[type=datetime-local]');
  field.value = '202611-01-01T10:00';
  field.dispatchEvent(new Event('input', { bubbles: true }));
}`;

test('a key is given an end, which lies ahead, and a time of year 10000 and later is none', async () => {
  const page = await signedIn();
  await page.goto(at('keys'));
  const make = page.getByRole('button', { name: 'Make a key' });
  const end = page.getByLabel('Expires, if ever (UTC)');
  await end.fill('2001-01-01T10:00');
  await make.click();
  await page.getByText('expiresAt: must be a time in the future').waitFor();
  await end.fill('2999-01-01T10:30');
  await make.click();
  await page.getByRole('row').filter({ hasText: '1 Jan 2999, 10:30:00 UTC' }).waitFor();
  expect(await end.inputValue()).toBe('');
  const { body } = await tenant.admin.get(`/admin/v1/tenants/${tenant.tenantId}/keys`);
  expect(body.items).toContainEqual(expect.objectContaining({ expiresAt: '2999-01-01T10:30:00.000' }));
  await page.goto(at('webhook'));
  await page.getByText('Send everything that failed again').click();
  await page.evaluate(TYPE_FAR_YEAR);
  await page.getByRole('button', { name: 'Send all again' }).click();
  expect(await page.evaluate('document.querySelector("[type=datetime-local]").validity.rangeOverflow')).toBe(true);
  expect(await page.getByText('Invalid time value').count()).toBe(0);
  await page.context().close();
}, 60_000);

test.each([
  ['console', '**/operator/v1/me'],
  ['admin', '**/admin/v1/me'],
])(
  'whose session cannot be asked for now reads why at /%s, and is asked to try again',
  async (path, me) => {
    const page = await (await browser.newContext()).newPage();
    const config = (await (await fetch(`${baseUrl}/pages-config.json`)).json()) as object;
    const signIn = 'Sign in with Example';
    await page.route('**/pages-config.json', (route) => route.fulfill({ json: { ...config, signIn } }));
    const away = { status: 503, json: { errors: [{ code: '5030', message: 'temporarily unavailable' }] } };
    await page.route(me, (route) => route.fulfill(away), { times: 1 });
    await page.goto(`${baseUrl}/${path}`);
    await page.getByText('Temporarily unavailable. Reload the page').waitFor();
    await page.reload();
    await page.getByRole('button', { name: signIn }).waitFor();
    expect(await page.getByRole('alert').innerText()).toBe('');
    await page.route('**/pages-config.json', (route) => route.fulfill(away), { times: 1 });
    await page.reload();
    await page.getByText('The service answered 503. Reload the page').waitFor();
    await page.context().close();
  },
  60_000,
);
