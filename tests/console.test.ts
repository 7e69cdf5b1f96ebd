import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { apiWith, newIdentity, newTenant, readStack, specimen, type Tenant, waitFor } from '@assay/testing';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';

/* An operator finishes cases in the console with the keyboard alone. SCREENSHOTS names a folder to keep pictures of the pages in. */

let browser: Browser;
let page: Page;
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('console', { adjudication: { enabled: true } });
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
}, 120_000);
afterAll(() => browser?.close());

const altered = async () => {
  const identity = await newIdentity(tenant.relyingService);
  const { body } = await identity.document(specimen('passport-altered.jpg'));
  await identity.becomes(body.id, 'ADJUDICATION', 60_000);
  return { identity, evidenceId: body.id as string };
};

/** No serious or critical fault of accessibility on the page as it stands. */
const isAccessible = async (): Promise<void> => {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
};
const picture = async (name: string): Promise<void> => {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
};

const signIn = async (key: string): Promise<void> => {
  await page.keyboard.type(key);
  await page.keyboard.press('Enter');
};

test('an operator signs in, claims, compares, rejects and accepts by keyboard, on accessible pages', async () => {
  const [first, second] = [await altered(), await altered()];
  await page.goto(`${readStack().baseUrl}/console/`);
  await page.getByLabel('Operator key').waitFor();
  await isAccessible();
  await picture('console-sign-in');
  await signIn(tenant.keys.operator);

  await page.locator('.case').nth(1).waitFor();
  await isAccessible();
  await picture('console-queue');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');

  await page.locator('.frame img').first().waitFor();
  const shown = "[...document.querySelectorAll('.frame img')].filter((image) => image.naturalWidth > 0).length";
  await waitFor('both images to show', async () => ((await page.evaluate(shown)) as number) >= 2);
  await isAccessible();
  await page.keyboard.press('+');
  expect(await page.locator('.zoom output').first().textContent()).toBe('150 %');
  await page.keyboard.press('c');
  await page.locator('#reject').waitFor();
  await isAccessible();
  await picture('console-case');
  await page.keyboard.press('r');
  await page.getByText('Choose at least one reason').waitFor();
  await page.keyboard.press('2');
  await page.keyboard.press('r');
  await page.getByText('decided: rejected').waitFor();
  await first.identity.becomes(first.evidenceId, 'INVALID');

  await page.keyboard.press('n');
  await page.locator('#claim').waitFor();
  await page.keyboard.press('c');
  await page.locator('#accept').waitFor();
  await page.keyboard.press('a');
  await page.getByText('decided: accepted').waitFor();
  await second.identity.becomes(second.evidenceId, 'VERIFIED');
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'History' }).click();
  await page.locator('.case').nth(1).waitFor();
  await picture('console-history');
}, 120_000);

test('says what is wrong, what the keys do, and who has a case', async () => {
  const quiet = await newTenant('quiet console', { adjudication: { enabled: true } });
  await page.evaluate('sessionStorage.clear()');
  await page.goto(`${readStack().baseUrl}/console/`);
  await page.getByLabel('Operator key').waitFor();
  await signIn('no such key');
  await page.getByText('This key is not known').waitFor();
  await page.getByLabel('Operator key').fill('');
  await signIn(quiet.keys.relyingService);
  await page.getByText('This is not the key of an operator').waitFor();
  await page.getByLabel('Operator key').fill('');
  await signIn(quiet.keys.operator);
  await page.getByText('No case waits').waitFor();
  await page.keyboard.press('?');
  await page.getByText('move through the cases').waitFor();
  await isAccessible();
  await picture('console-empty');
  await page.keyboard.press('ArrowRight');
  await page.getByText('Nobody works on a case').waitFor();
  await page.keyboard.press('ArrowLeft');

  const cases = '**/operator/v1/cases?*';
  await page.route(cases, (route) => route.abort());
  await page.getByText('The service does not answer. Trying again.').waitFor();
  await isAccessible();
  await page.unroute(cases);

  // A selfie that is the very photograph of the document: undecided by measure, for people to compare.
  const identity = await newIdentity(quiet.relyingService);
  await identity.consent('PORTRAIT');
  const { body: document } = await identity.document(specimen('passport.jpg'));
  await identity.becomes(document.id, 'VERIFIED', 60_000);
  const { body: selfie } = await identity.portrait(specimen('portraits/holder.jpg'));
  await identity.becomes(selfie.id, 'ADJUDICATION', 60_000);
  await page.locator('.case').first().waitFor();
  expect(await page.getByText('Trying again').count()).toBe(0);
  const { body: listed } = await quiet.operator.get('/operator/v1/cases?state=OPEN');
  const { apiKey } = (await quiet.admin.post(`/admin/v1/tenants/${quiet.tenantId}/keys`, { role: 'OPERATOR' })).body;
  const colleague = apiWith(readStack().baseUrl, apiKey);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByText('Reference: front').waitFor();
  await colleague.post(`/operator/v1/cases/${listed.items[0].caseId}/claim`);
  await page.keyboard.press('c');
  await page.getByText('Somebody else has this case').waitFor();
  await isAccessible();
  await picture('console-compare');
}, 120_000);
