import { apiWith, newIdentity, newTenant, readStack, specimen, type Tenant, waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from './setup/pages.ts';

/** Operators who may not decide, reload, or are signed out while they write. */

/** A tenant with one case that waits. */
const withCase = async (name: string, settings: object = {}): Promise<Tenant> => {
  const made = await newTenant(name, { adjudication: { enabled: true, ...settings } });
  const identity = await newIdentity(made.relyingService);
  const { body } = await identity.document(specimen('passport-altered.jpg'));
  await identity.becomes(body.id, 'ADJUDICATION', 60_000);
  return made;
};

let browser: Browser;
let tenant: Tenant;
beforeAll(async () => {
  tenant = await withCase('people only', { peopleOnly: true });
  browser = await launchBrowser();
}, 120_000);
afterAll(() => browser?.close());

const signIn = async (page: Page, key: string): Promise<void> => {
  await page.getByLabel('Operator key').fill(key);
  await page.keyboard.press('Enter');
};
const signedIn = async (by = tenant): Promise<Page> => {
  const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
  await page.goto(`${readStack().baseUrl}/console/`);
  await signIn(page, by.keys.operator);
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

test('an operator whose clock is days ahead sees how long a case waits, and may claim it', async () => {
  const own = await withCase('clock ahead');
  const page = await (await browser.newContext()).newPage();
  await page.clock.setFixedTime(Date.now() + 30 * 86_400_000);
  await page.goto(`${readStack().baseUrl}/console/`);
  await signIn(page, own.keys.operator);
  await page.locator('.case').first().waitFor();
  expect(await page.locator('.case').first().textContent()).toMatch(/waiting for \d+ s/);
  await page.locator('.case').first().click();
  await page.locator('#claim').waitFor();
  await page.context().close();
}, 120_000);

test('a reload and the way back from a case keep the view of the queue', async () => {
  const page = await signedIn();
  const chosen = () => page.getByRole('tab', { selected: true }).textContent();
  await page.getByRole('tab', { name: 'Statistics' }).click();
  await page.getByRole('heading', { name: 'By reason' }).waitFor();
  await page.getByText('No operator decided in this time').waitFor();
  expect(await page.getByRole('button', { name: 'Operators by day as CSV' }).isDisabled()).toBe(true);
  await page.reload();
  await page.getByRole('heading', { name: 'By reason' }).waitFor();
  expect(await chosen()).toBe('Statistics');
  await page.goto(`${readStack().baseUrl}/console/#/claimed`);
  await page.getByText('No operator works on a case now').waitFor();
  await page.getByRole('tab', { name: 'Open' }).click();
  await page.locator('.case').first().click();
  await page.locator('#claim').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.case').first().waitFor();
  expect(await chosen()).toMatch(/^Open/);
  await page.context().close();
}, 60_000);

test('on a tab, the arrows move the view and the focus together, also past the ends', async () => {
  const page = await signedIn();
  const open = page.getByRole('tab', { name: /^Open/ });
  await open.click();
  for (const [key, name] of [
    ['ArrowLeft', 'Statistics'],
    ['ArrowRight', 'Open'],
    ['ArrowRight', 'Claimed'],
  ] as const) {
    await page.keyboard.press(key);
    await page.getByRole('tab', { name: new RegExp(`^${name}`), selected: true }).waitFor();
    expect(await page.evaluate<string>('document.activeElement.textContent')).toMatch(new RegExp(`^${name}`));
  }
  await page.context().close();
}, 60_000);

test('in forced colours the chosen tab is marked by its line', async () => {
  const page = await signedIn();
  await page.emulateMedia({ forcedColors: 'active' });
  const lines = '[...document.querySelectorAll("[role=tab]")].map((tab) => getComputedStyle(tab).borderBottomColor)';
  await page.getByRole('tab', { selected: true }).waitFor();
  expect(new Set(await page.evaluate<string[]>(lines)).size).toBe(2);
  await page.context().close();
}, 60_000);

test('what an operator wrote is there again after a session that ended, and for nobody else', async () => {
  const own = await withCase('drafts');
  const page = await signedIn(own);
  await page.locator('.case').first().click();
  await page.locator('#claim').click();
  const comment = page.getByLabel('Comment for the record');
  await comment.fill('The hologram is missing');
  await page.locator('#reason-2').check();
  await page.route('**/operator/v1/cases/*', (route) => route.fulfill({ status: 401, json: {} }), { times: 1 });
  await page.getByText('you were signed out').waitFor();
  expect(await page.title()).toBe('Assay console');
  await signIn(page, own.keys.operator);
  await page.getByText('is here again').waitFor();
  expect(await comment.inputValue()).toBe('The hologram is missing');
  expect(await page.locator('#reason-2').isChecked()).toBe(true);
  const stored = () => page.evaluate<string>('JSON.stringify(sessionStorage)');
  expect(await stored()).toContain('hologram');
  await page.getByRole('button', { name: 'Back to the queue' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Operator key').waitFor();
  expect(await stored()).not.toContain('hologram');
  await page.context().close();
}, 60_000);

const WIDE = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

test('a case is printed whole, without what can be pressed, and letters of twice the size fit a phone', async () => {
  const page = await signedIn();
  await page.locator('.case').first().click();
  const printed = page.getByText('Machine-readable zone checksums');
  await page.getByText('checks passed').waitFor();
  expect(await printed.isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  expect(await printed.isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: 'Claim this case' }).isVisible()).toBe(false);
  expect(await page.getByRole('button', { name: 'Back to the queue' }).isVisible()).toBe(false);
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.addStyleTag({ content: ':root { font-size: 200%; }' });
  expect(await page.evaluate(WIDE)).toBe(0);
  await page.keyboard.press('Escape');
  await page.locator('.case').first().waitFor();
  expect(await page.evaluate(WIDE)).toBe(0);
  await page.context().close();
}, 60_000);

test('a case and an image that did not come are asked for again, and the window is called by the case', async () => {
  const page = await signedIn();
  const unavailable = { status: 503, json: { errors: [{ code: '5030', message: 'temporarily unavailable' }] } };
  await page.route('**/operator/v1/cases/*', (route) => route.fulfill(unavailable), { times: 1 });
  await page.route('**/media/*', (route) => route.fulfill(unavailable), { times: 2 });
  await page.locator('.case').first().click();
  await page.getByText('Temporarily unavailable. Trying again.').waitFor();
  await page.locator('#claim').waitFor();
  expect(await page.getByText('Trying again').count()).toBe(0);
  expect(await page.title()).toMatch(/^Passport [0-9a-f]{8} – Assay console$/);
  await page.getByRole('button', { name: 'Try again: Front' }).click();
  await page.locator('.picture img').first().waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.case').first().waitFor();
  await waitFor('the number of open cases', async () => /^\d+ open – Assay console$/.test(await page.title()));
  await page.context().close();
}, 60_000);

test('who comes second to a case is told so until its state changes', async () => {
  const own = await withCase('two at once');
  const { body: key } = await own.admin.post(`/admin/v1/tenants/${own.tenantId}/keys`, { role: 'OPERATOR' });
  const colleague = apiWith(readStack().baseUrl, key.apiKey);
  const { body } = await own.operator.get('/operator/v1/cases?state=OPEN');
  const path = `/operator/v1/cases/${body.items[0].caseId}`;
  const page = await signedIn(own);
  await page.locator('.case').first().click();
  await page.locator('#claim').waitFor();
  await colleague.post(`${path}/claim`);
  await page.locator('#claim').click();
  await page.getByText('Another operator has claimed this case').waitFor();
  await colleague.post(`${path}/decision`, { decision: 'ACCEPT' });
  await page.getByText('decided: accepted').waitFor();
  expect(await page.getByText('Another operator has claimed this case').count()).toBe(0);
  await page.context().close();
}, 60_000);

test('what was written of one case is there after another was looked at and decided', async () => {
  const own = await withCase('two drafts');
  const identity = await newIdentity(own.relyingService);
  const { body } = await identity.document(specimen('passport-altered.jpg'));
  await identity.becomes(body.id, 'ADJUDICATION', 60_000);
  const page = await signedIn(own);
  const comment = page.getByLabel('Comment for the record');
  const claimFirst = async (words: string): Promise<string> => {
    await page.locator('.case').first().click();
    await page.locator('#claim').click();
    await comment.fill(words);
    return page.url();
  };
  const first = await claimFirst('The hologram is missing');
  await page.getByRole('button', { name: 'Back to the queue' }).click();
  await claimFirst('The fonts differ');
  await page.locator('#accept').click();
  await page.getByText('decided: accepted').waitFor();
  await page.goto(first);
  await page.getByText('is here again').waitFor();
  expect(await comment.inputValue()).toBe('The hologram is missing');
  await page.context().close();
}, 120_000);

test('the arrows scroll the statistics, where they have no case to move to', async () => {
  const page = await signedIn();
  await page.setViewportSize({ width: 1000, height: 400 });
  await page.getByRole('tab', { name: 'Statistics' }).click();
  await page.getByRole('heading', { name: 'By reason' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await waitFor('the page to scroll', async () => (await page.evaluate<number>('scrollY')) > 0);
  await page.context().close();
}, 60_000);

test('letters of a comment whose case ends meanwhile decide no other case, and a search outlives its cases', async () => {
  const own = await withCase('ends while written of');
  const identity = await newIdentity(own.relyingService);
  const { body } = await identity.document(specimen('passport-altered.jpg'));
  await identity.becomes(body.id, 'ADJUDICATION', 60_000);
  const page = await signedIn(own);
  await page.locator('.case').nth(1).waitFor();
  await page.getByLabel('Search by type').fill('nothing is like this');
  await page.getByText('No case matches').waitFor();
  await page.getByLabel('Search by type').fill(identity.id);
  await page.locator('.case').first().click();
  await page.locator('#claim').click();
  await page.getByLabel('Comment for the record').click();
  expect((await own.relyingService.delete(identity.at)).status).toBe(200);
  const at = page.url();
  await page.keyboard.type('next: claim and accept. '.repeat(6), { delay: 60 });
  expect(page.url()).toBe(at);
  expect(await page.evaluate<string>('document.activeElement.id')).toBe('decision');
  await page.keyboard.press('Tab');
  await page.keyboard.press('n');
  await page.locator('#claim').waitFor();
  expect(page.url()).not.toBe(at);
  await page.context().close();
}, 120_000);
