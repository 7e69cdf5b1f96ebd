import { newTenant, readStack, type Tenant, waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { isAccessible, launchBrowser } from './setup/pages.ts';

/** What an administrator does besides the plan: too much, by the keyboard, and half of it. */

let browser: Browser;
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('habits');
  browser = await launchBrowser();
}, 120_000);
afterAll(() => browser?.close());

const { baseUrl, keys } = readStack();
const at = (...parts: string[]): string => `${baseUrl}/admin/#/${parts.join('/')}`;
const signedIn = async (key: string): Promise<Page> => {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  await page.goto(`${baseUrl}/admin/`);
  await page.getByLabel('Administrator key').fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  return page;
};
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test("a tenant's own administrator who changes what the suite grants stays, and so does what was typed", async () => {
  const path = `/admin/v1/tenants/${tenant.tenantId}/keys`;
  const { body } = await tenant.admin.post(path, { role: 'TENANT_ADMINISTRATOR' });
  const page = await signedIn(body.apiKey);
  await page.goto(at('tenants', tenant.tenantId, 'settings'));
  await page.getByLabel('Requests a minute').fill('7');
  await page.getByLabel('Attempts at a code').fill('5');
  await button(page, 'Save').click();
  await page.getByText('only an administrator changes this').waitFor();
  expect(await page.getByLabel('Attempts at a code').inputValue()).toBe('5');
  await isAccessible(page);
  await button(page, 'Undo').click();
  await page.goto(at('suite'));
  await page.getByRole('heading', { level: 1, name: 'habits' }).waitFor();
  await page.context().close();
}, 60_000);

test('a window is called by what it shows', async () => {
  const page = await signedIn(keys.admin);
  const titled = (title: string) => waitFor(title, async () => (await page.title()) === title);
  await titled('Tenants – Assay administration');
  await page.getByRole('link', { name: 'Trust store' }).click();
  await titled('Trust store – Assay administration');
  await page.goto(at('tenants', tenant.tenantId, 'webhook'));
  await titled(`Webhook, tenant ${tenant.tenantId.slice(0, 8)} – Assay administration`);
  await page.goto(at('tenants'));
  await titled('Tenants – Assay administration');
  await page.goto(at('tenants', tenant.tenantId, 'audit'));
  await titled(`Audit log, tenant ${tenant.tenantId.slice(0, 8)} – Assay administration`);
  await page.goto(at('tenants', tenant.tenantId, 'nope'));
  await titled(`Identities, tenant ${tenant.tenantId.slice(0, 8)} – Assay administration`);
  await page.context().close();
}, 60_000);

test('tabs are one stop of the Tab key; arrows, Home and End move between them, Enter chooses', async () => {
  const page = await signedIn(keys.admin);
  await page.goto(at('suite'));
  const tab = (name: string) => page.getByRole('tab', { name, exact: true });
  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  await tab('Checks').focus();
  const reached: string[] = [];
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'Home', 'End']) {
    await page.keyboard.press(key);
    reached.push(await focused());
  }
  expect(reached).toEqual(['Signing keys', 'People', 'Checks', 'People', 'Checks', 'People']);
  expect(await tab('Checks').getAttribute('aria-selected')).toBe('true');
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'People', selected: true }).waitFor();
  await page.keyboard.press('Shift+Tab');
  expect(await page.evaluate<string>('document.activeElement.role')).not.toBe('tab');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('People');
  await page.context().close();
}, 60_000);

test('who follows a link that is gone afterwards has the focus at the content', async () => {
  const page = await signedIn(keys.admin);
  await page.goto(at());
  const focused = () => page.evaluate<string>('document.activeElement.tagName');
  const link = page.getByRole('link', { name: 'habits', exact: true }).first();
  await link.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'habits' }).waitFor();
  expect(await focused()).toBe('MAIN');
  await page.getByRole('link', { name: 'Trust store' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Trust store' }).waitFor();
  expect(await focused()).toBe('A');
  await page.context().close();
}, 60_000);

test('settings that are not saved are not left without a question', async () => {
  const page = await signedIn(keys.admin);
  await page.goto(at('tenants', tenant.tenantId, 'settings'));
  const attempts = page.getByLabel('Attempts at a code');
  await attempts.fill('4');
  const asked = page.waitForEvent('dialog').then(async (dialog) => {
    await dialog.dismiss();
    return dialog.message();
  });
  await page.getByRole('tab', { name: 'Keys' }).click();
  expect(await asked).toBe('Your changes are not saved. Leave them?');
  await page.waitForURL(at('tenants', tenant.tenantId, 'settings'));
  expect(await attempts.inputValue()).toBe('4');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('tab', { name: 'Keys' }).click();
  await page.getByText('Role of a new key').waitFor();
  await page.getByRole('tab', { name: 'Settings' }).click();
  await attempts.waitFor();
  expect(await attempts.inputValue()).toBe('');
  await page.context().close();
}, 60_000);

test('a button that was pressed by the keyboard has the focus again once its act is done', async () => {
  const page = await signedIn(keys.admin);
  await page.goto(at('tenants', tenant.tenantId, 'audit'));
  await button(page, 'Verify the whole chain').focus();
  await page.keyboard.press('Enter');
  await page.getByText(/The chain holds: \d+ entries/).waitFor();
  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  await waitFor('the focus', async () => (await focused()) === 'Verify the whole chain');
  await page.context().close();
}, 60_000);

test('a button that vanishes with its row leaves the focus to the list, and one that vanishes with the list to the content', async () => {
  const { tenantId } = await newTenant('focus');
  const page = await signedIn(keys.admin);
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    void dialog.accept();
  });
  await page.goto(at('tenants', tenantId, 'keys'));
  const revoke = button(page, 'Revoke');
  const focused = () => page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.tagName');
  await revoke.first().waitFor();
  const places: string[] = [];
  for (let left = await revoke.count(); left > 0; left -= 1) {
    const keyId = await page.locator('tbody tr').last().locator('code').last().innerText();
    await revoke.last().focus();
    await page.keyboard.press('Enter');
    await waitFor('the key that is asked about', async () => asked.at(-1)?.includes(keyId));
    await waitFor('the row to be gone', async () => (await revoke.count()) === left - 1);
    await waitFor('the focus', async () => (await focused()) !== 'BODY');
    places.push(await focused());
  }
  expect(places.length).toBeGreaterThan(1);
  expect(places).toEqual([...places.slice(1).map(() => 'Keys'), 'MAIN']);
  await page.context().close();
}, 60_000);

test('what did not come is asked for again, and dead letters that were removed are shown no longer', async () => {
  const page = await signedIn(keys.admin);
  page.on('dialog', (dialog) => void dialog.accept());
  let items = [{ queue: 'notifier.codes', count: 1 }];
  await page.route('**/dead-letters', (route) => route.fulfill({ json: { items } }));
  const away = { status: 503, json: { errors: [{ code: '5030', message: 'the broker is away' }] } };
  await page.route('**/dead-letters', (route) => route.fulfill(away), { times: 1 });
  await page.route('**/dead-letters/notifier.codes', (route) => {
    if (route.request().method() !== 'DELETE') return route.fulfill({ json: { items: [{ reason: 'poison' }] } });
    items = [];
    return route.fulfill({ json: { removed: 1 } });
  });
  await page.goto(at('dead-letters'));
  await page.getByText('the broker is away').waitFor();
  await isAccessible(page);
  await button(page, 'Try again').click();
  await button(page, 'Show').click();
  await page.getByRole('heading', { name: 'notifier.codes' }).waitFor();
  expect(await button(page, 'Try again').count()).toBe(0);
  await button(page, 'Remove').click();
  await page.getByText('No message was given up').waitFor();
  expect(await page.getByRole('heading', { name: 'notifier.codes' }).count()).toBe(0);
  await page.context().close();
}, 60_000);

test('what was sought survives a reload and Back, and a business id is in no address', async () => {
  const page = await signedIn(keys.admin);
  const list = at('tenants', tenant.tenantId, 'identities');
  await page.goto(list);
  await page.getByLabel('Status').selectOption('closed');
  await page.getByLabel('Begun from').fill('2026-01-02');
  await page.getByLabel('Business id').fill('somebody@example.org');
  await button(page, 'Find').click();
  const sought = `${list}?status=CLOSED&createdFrom=2026-01-02`;
  await page.waitForURL(sought);
  await page.getByText('No identity is like that').waitFor();
  await page.getByRole('link', { name: 'Trust store' }).click();
  await page.getByRole('tab', { name: 'Revocation lists' }).click();
  await page.waitForURL(at('trust', 'crl'));
  await page.reload();
  expect(await page.getByRole('tab', { name: 'Revocation lists' }).getAttribute('aria-selected')).toBe('true');
  await page.goto(sought);
  await page.getByText('No identity is like that').waitFor();
  expect(await page.getByLabel('Status').inputValue()).toBe('CLOSED');
  expect(await page.getByLabel('Begun from').inputValue()).toBe('2026-01-02');
  await page.getByRole('tab', { name: 'Identities' }).click();
  await page.waitForURL(list);
  await waitFor('an empty form', async () => (await page.getByLabel('Status').inputValue()) === '');
  await page.context().close();
}, 60_000);

test('hundreds of authorities are shown in parts, anew for each country', async () => {
  const page = await signedIn(keys.admin);
  const items = Array.from({ length: 130 }, (_, at) => ({
    ...{ id: `${at}`, country: 'UT', subject: `Authority ${at}`, source: 'a list', level: 'MASTER_LIST' },
    notBefore: '2020-01-01T00:00:00.000',
  }));
  await page.route('**/admin/v1/trust/csca*', (route) => route.fulfill({ json: { items } }));
  await page.goto(at('trust'));
  await page.getByText('50 of 130 are shown').waitFor();
  const rows = page.locator('tbody tr');
  expect(await rows.count()).toBe(50);
  await isAccessible(page);
  await button(page, 'Show more').click();
  await page.getByText('100 of 130 are shown').waitFor();
  await button(page, 'Show more').click();
  await waitFor('all rows', async () => (await rows.count()) === 130);
  expect(await button(page, 'Show more').count()).toBe(0);
  await page.getByLabel('Country').fill('UT');
  await page.keyboard.press('Tab');
  await page.getByText('50 of 130 are shown').waitFor();
  await page.context().close();
}, 60_000);

test('a long name leaves the columns beside it in sight, and letters of twice the size fit a phone', async () => {
  const name = `${Date.now()}${'W'.repeat(100)}`;
  const { body } = await tenant.admin.post('/admin/v1/tenants', { name });
  const page = await signedIn(keys.admin);
  await page.getByRole('link', { name, exact: true }).waitFor();
  const hidden = "((frame) => frame.scrollWidth - frame.clientWidth)(document.querySelector('.table-frame'))";
  expect(await page.evaluate(hidden)).toBe(0);
  const whose = { subject: 'w', name: `Ann ${name}` };
  await tenant.admin.post(`/admin/v1/tenants/${body.tenantId}/keys`, { role: 'OPERATOR', person: whose });
  await page.goto(at('tenants', body.tenantId, 'keys'));
  await page.getByText(whose.name).waitFor();
  expect(await page.evaluate(hidden)).toBe(0);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(at('tenants', body.tenantId, 'settings'));
  await page.getByLabel('Logo').waitFor();
  await page.addStyleTag({ content: ':root { font-size: 200%; }' });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await page.context().close();
}, 60_000);
