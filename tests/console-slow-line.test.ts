import { CLAIM_SECONDS } from '@assay/contracts/claim';
import { newIdentity, newTenant, readStack, specimen, type Tenant } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { isAccessible, launchBrowser } from './setup/pages.ts';
import { drawn, withheld } from './setup/slow-line.ts';

/** Operators on a line whose answers come seconds later, or not as they were asked for. */

let browser: Browser;
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('slow line', { adjudication: { enabled: true } });
  for (const _ of ['first', 'second']) {
    const identity = await newIdentity(tenant.relyingService);
    const { body } = await identity.document(specimen('passport-altered.jpg'));
    await identity.becomes(body.id, 'ADJUDICATION', 60_000);
  }
  browser = await launchBrowser();
}, 180_000);
afterAll(() => browser?.close());

const { baseUrl } = readStack();
const signIn = async (page: Page, key: string): Promise<void> => {
  await page.getByLabel('Operator key').fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Cases' }).waitFor();
};
const signedIn = async (key = tenant.keys.operator): Promise<Page> => {
  const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
  await page.goto(`${baseUrl}/console/`);
  await signIn(page, key);
  return page;
};

test('a case is claimed once however often the key is pressed while the answer is on its way', async () => {
  const page = await signedIn();
  await page.locator('.case').first().click();
  await page.locator('#claim').waitFor();
  const claims = await withheld(page, '**/claim');
  await page.keyboard.press('c');
  await claims.isAsked();
  await page.keyboard.press('c');
  expect(await page.locator('#claim').isDisabled()).toBe(true);
  expect(claims.count()).toBe(1);
  claims.letThrough();
  await page.locator('#accept').waitFor();
  await page.context().close();
}, 60_000);

test('who goes elsewhere before the next case was found stays there', async () => {
  const page = await signedIn();
  await page.locator('.case').first().click();
  await page.locator('#claim').click();
  await page.locator('#accept').click();
  await page.getByText('decided: accepted').waitFor();
  const open = await withheld(page, '**/cases?state=OPEN*');
  await page.keyboard.press('n');
  await open.isAsked();
  await page.getByRole('button', { name: 'Back to the queue' }).click();
  await page.getByRole('tab', { name: 'History' }).click();
  await page.locator('.case').first().click();
  await page.getByRole('heading', { level: 1, name: 'decided: accepted' }).waitFor();
  const at = page.url();
  const answered = page.waitForResponse(/cases\?state=OPEN/);
  open.letThrough();
  await (await answered).finished();
  await drawn(page);
  expect(page.url()).toBe(at);
  await page.context().close();
}, 60_000);

test('the late refusal of a former key does not sign out who signed in with another', async () => {
  const path = `/admin/v1/tenants/${tenant.tenantId}/keys`;
  const { body: former } = await tenant.admin.post(path, { role: 'OPERATOR' });
  const page = await signedIn(former.apiKey);
  const lists = await withheld(page, '**/cases?state=CLAIMED*');
  await page.getByRole('tab', { name: /^Claimed/ }).click();
  await lists.isAsked();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await tenant.admin.delete(`${path}/${former.keyId}`);
  await signIn(page, tenant.keys.operator);
  const refused = page.waitForResponse((response) => response.status() === 401);
  lists.letThrough();
  await refused;
  await drawn(page);
  expect(await page.getByLabel('Operator key').count()).toBe(0);
  expect(await page.getByRole('heading', { name: 'Cases' }).count()).toBe(1);
  await page.context().close();
}, 60_000);

test('a claim that lapsed is said so, can still be decided, and is renewed', async () => {
  const own = await newTenant('lapsed claim', { adjudication: { enabled: true } });
  const identity = await newIdentity(own.relyingService);
  const { body: sent } = await identity.document(specimen('passport-altered.jpg'));
  await identity.becomes(sent.id, 'ADJUDICATION', 60_000);
  const { body: list } = await own.operator.get('/operator/v1/cases?state=OPEN');
  const { caseId } = list.items[0];
  const before = Date.now();
  const { body: claimed } = await own.operator.post(`/operator/v1/cases/${caseId}/claim`);
  expect(Date.parse(`${claimed.claimedUntil}Z`)).toBeGreaterThanOrEqual(before + (CLAIM_SECONDS - 60) * 1000);
  const page = await signedIn(own.keys.operator);
  let until = new Date(before - 1000).toISOString().slice(0, 23);
  await page.route(/cases(\?|\/[^/]+$)/, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    const claim = { claimedUntil: until };
    const json = body.items
      ? { items: body.items.map((one: object) => ({ ...one, ...claim })) }
      : { ...body, ...claim };
    await route.fulfill({ response, json });
  });
  await page.getByRole('tab', { name: /^Claimed/ }).click();
  await page.getByText('the claim lapsed').waitFor();
  await page.locator('.case').first().click();
  await page.getByText('Your claim has lapsed').waitFor();
  expect(await page.getByText('You have this case').count()).toBe(0);
  await page.getByLabel('Comment for the record').fill('The fonts differ');
  await isAccessible(page);
  until = claimed.claimedUntil;
  await page.getByRole('button', { name: 'Claim it again' }).click();
  await page.getByText('You have this case').waitFor();
  expect(await page.getByLabel('Comment for the record').inputValue()).toBe('The fonts differ');
  await page.locator('#accept').click();
  await page.getByText('decided: accepted').waitFor();
  await page.context().close();
}, 120_000);
