import { newIdentity, newTenant, readStack, specimen, type Tenant } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from './setup/pages.ts';

/** An operator who may not decide, and one who reloads. */

let browser: Browser;
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('people only', { adjudication: { enabled: true, peopleOnly: true } });
  const identity = await newIdentity(tenant.relyingService);
  const { body } = await identity.document(specimen('passport-altered.jpg'));
  await identity.becomes(body.id, 'ADJUDICATION', 60_000);
  browser = await launchBrowser();
}, 120_000);
afterAll(() => browser?.close());

const signedIn = async (): Promise<Page> => {
  const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
  await page.goto(`${readStack().baseUrl}/console/`);
  await page.getByLabel('Operator key').fill(tenant.keys.operator);
  await page.keyboard.press('Enter');
  await page.locator('.case').first().waitFor();
  return page;
};

test('a key that names nobody is told why it cannot claim where only people decide', async () => {
  const page = await signedIn();
  await page.locator('.case').first().click();
  await page.locator('#claim').click();
  await page.getByText('Only people decide for this tenant, and this key names nobody.').waitFor();
  await page.context().close();
}, 60_000);

test('a reload and the way back from a case keep the view of the queue', async () => {
  const page = await signedIn();
  const chosen = () => page.getByRole('tab', { selected: true }).textContent();
  await page.getByRole('tab', { name: 'Statistics' }).click();
  await page.getByRole('heading', { name: 'By reason' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'By reason' }).waitFor();
  expect(await chosen()).toBe('Statistics');
  await page.getByRole('tab', { name: 'Open' }).click();
  await page.locator('.case').first().click();
  await page.locator('#claim').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.case').first().waitFor();
  expect(await chosen()).toMatch(/^Open/);
  await page.context().close();
}, 60_000);
