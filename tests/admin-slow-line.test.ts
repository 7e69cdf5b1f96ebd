import { newIdentity, newTenant, readStack, specimen, type Tenant } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page, Route } from 'playwright-core';
import { launchBrowser } from './setup/pages.ts';
import { withheld } from './setup/slow-line.ts';

/** An administrator on a line whose answers come seconds later, or fail. */

let browser: Browser;
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('slow line');
  const identity = await newIdentity(tenant.relyingService);
  const { body } = await identity.document(specimen('passport.jpg'));
  await identity.becomes(body.id, 'VERIFIED', 60_000);
  browser = await launchBrowser();
}, 120_000);
afterAll(() => browser?.close());

const { baseUrl, keys } = readStack();
const AWAY = { status: 503, json: { errors: [{ code: '5030', message: 'temporarily unavailable' }] } };
const placeOf = (tab: string): string => `tenants/${tenant.tenantId}/${tab}`;

/** Opens a place of the pages as an administrator of the suite. */
const opened = async (place: string): Promise<Page> => {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  await page.goto(`${baseUrl}/admin/#/${place}`);
  await page.getByLabel('Administrator key').fill(keys.admin!);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  return page;
};
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('what is typed while other settings are saved is there afterwards, and what was saved is shown', async () => {
  const page = await opened(placeOf('settings'));
  const attempts = page.getByLabel('Attempts at a code');
  const quota = page.getByLabel('Requests a minute');
  await attempts.fill('5');
  const saving = await withheld(page, '**/admin/v1/tenants/*');
  await button(page, 'Save').click();
  await saving.isAsked();
  await quota.fill('77');
  saving.letThrough();
  await page.getByText('1 change is not saved yet.').waitFor();
  expect([await attempts.inputValue(), await quota.inputValue()]).toEqual(['5', '77']);
  await page.route('**/admin/v1/tenants/*', (route) =>
    route.request().method() === 'GET' ? route.fulfill(AWAY) : route.continue(),
  );
  await button(page, 'Save').click();
  await page.getByText('Saved.').waitFor();
  expect([await attempts.inputValue(), await quota.inputValue()]).toEqual(['5', '77']);
  const { body } = await tenant.admin.get(`/admin/v1/tenants/${tenant.tenantId}`);
  expect(body.settings).toMatchObject({ otp: { attempts: 5 } });
  await page.context().close();
}, 60_000);

test('what one policy would change is not shown as what another would', async () => {
  const page = await opened(placeOf('policy'));
  await page.getByLabel('Policy').selectOption('strict');
  const comparing = await withheld(page, '**/evaluation');
  await button(page, 'What would change?').click();
  await comparing.isAsked();
  await page.getByLabel('Policy').selectOption('gpg45');
  comparing.letThrough();
  await page.locator('button:not([disabled])', { hasText: 'What would change?' }).waitFor();
  expect(await page.getByText('was looked at').count()).toBe(0);
  await button(page, 'What would change?').click();
  await page.getByText('1 running identity was looked at').waitFor();
  await page.context().close();
}, 60_000);

test('where a filter fails, what the former one found is shown no longer', async () => {
  const page = await opened(placeOf('identities'));
  await page.locator('tbody tr').first().waitFor();
  await page.route('**/identities?*', (route) => route.fulfill(AWAY), { times: 1 });
  await page.getByLabel('Status').selectOption('CLOSED');
  await button(page, 'Find').click();
  await page.getByText('temporarily unavailable').waitFor();
  expect(await page.locator('tbody tr').count()).toBe(0);
  await button(page, 'Try again').click();
  await page.getByText('No identity is like that').waitFor();
  await page.context().close();
}, 60_000);

test('dead letters of one queue are not shown under the name of another', async () => {
  const page = await opened('suite');
  await page.route('**/admin/v1/dead-letters', (route) => {
    const items = ['first.queue', 'second.queue'].map((queue) => ({ queue, count: 1 }));
    return route.fulfill({ json: { items } });
  });
  const letters = { items: [{ messageId: 'message-1', reason: 'POISON' }] };
  await page.route('**/dead-letters/first.queue', (route) => route.fulfill({ json: letters }));
  await withheld(page, '**/dead-letters/second.queue');
  await page.getByRole('link', { name: 'Dead letters' }).click();
  await button(page, 'Show').first().click();
  await page.getByText('message-1').waitFor();
  await button(page, 'Show').nth(1).click();
  await page.getByRole('heading', { name: 'second.queue' }).waitFor();
  await page.getByText('Loading …').waitFor();
  expect(await page.getByText('message-1').count()).toBe(0);
  await page.context().close();
}, 60_000);

test('a verification that fails leaves no word of the former one', async () => {
  const page = await opened(placeOf('audit'));
  await button(page, 'Verify the whole chain').click();
  await page.getByText('The chain holds').waitFor();
  await page.route('**/verification', (route) => route.fulfill(AWAY), { times: 1 });
  await button(page, 'Verify the whole chain').click();
  await page.getByText('temporarily unavailable').waitFor();
  expect(await page.getByText('The chain holds').count()).toBe(0);
  await page.context().close();
}, 60_000);

test('the link to the tenants shows all of them again', async () => {
  const page = await opened('?search=no-tenant-is-called-this');
  await page.getByText('No tenant is like that').waitFor();
  await page.getByRole('link', { name: 'Tenants', exact: true }).click();
  await page.getByRole('link', { name: 'slow line' }).first().waitFor();
  expect(await page.getByLabel('Search by name or id').inputValue()).toBe('');
  await page.context().close();
}, 60_000);

test('a tenant whose creation is sent again, because its answer was lost, exists once', async () => {
  const page = await opened('tenants');
  const name = `lost answer ${crypto.randomUUID()}`;
  await button(page, 'New tenant').click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  const loseAnswer = async (route: Route): Promise<void> => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    await route.abort();
  };
  await page.route('**/admin/v1/tenants', loseAnswer);
  await button(page, 'Create').click();
  await page.getByText('The service does not answer.').waitFor();
  await page.unroute('**/admin/v1/tenants');
  await button(page, 'Create').click();
  await page.waitForURL(/\/keys$/);
  await page.getByRole('link', { name: 'Tenants', exact: true }).first().click();
  await page.getByRole('link', { name }).first().waitFor();
  expect(await page.getByRole('link', { name }).count()).toBe(1);
  await page.context().close();
}, 60_000);
