import { newTenant, readStack, type Tenant, waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from './setup/pages.ts';

/** What an operator finds who comes back to the queue, and in an empty one. */

let browser: Browser;
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('way back', { adjudication: { enabled: true } });
  browser = await launchBrowser();
}, 120_000);
afterAll(() => browser?.close());

const signedIn = async (page: Page): Promise<void> => {
  await page.getByLabel('Operator key').fill(tenant.keys.operator);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Cases' }).waitFor();
};
const opened = async (): Promise<Page> => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${readStack().baseUrl}/console/`);
  await signedIn(page);
  return page;
};

const caseAt = (place: number) => ({
  caseId: `case-${place}`,
  identityId: 'identity',
  evidenceId: 'evidence',
  type: 'PASSPORT',
  state: 'OPEN',
  requestedAt: '2026-03-01T10:00:00.000',
  expiresAt: '2999-03-01T10:00:00.000',
  fourEyes: false,
  decisions: [],
  reasons: ['FIELDS_DISAGREE'],
});

test('who comes back from a case finds it, and the search; who signs in anew finds no search', async () => {
  const page = await opened();
  const items = Array.from({ length: 200 }, (_, place) => caseAt(place));
  await page.route('**/operator/v1/cases?*', (route) => route.fulfill({ json: { items } }));
  await page.reload();
  const more = page.getByRole('button', { name: 'Show more' });
  await more.click();
  await more.click();
  await page.locator('.case').nth(120).click();
  await page.getByText('This is no longer there.').waitFor();
  await page.goBack();
  const focused = () => page.evaluate<string | null>('document.activeElement.dataset.case ?? null');
  await waitFor('the focus', async () => (await focused()) === 'case-120');
  const search = page.getByLabel('Search by type');
  await search.fill('case-77');
  await page.getByLabel('Order').selectOption('first to expire');
  await page.locator('.case').first().click();
  await page.getByText('This is no longer there.').waitFor();
  await page.keyboard.press('Escape');
  await waitFor('the case', async () => (await focused()) === 'case-77');
  expect(await search.inputValue()).toBe('case-77');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signedIn(page);
  await page.locator('.case').first().waitFor();
  expect([await search.inputValue(), await page.getByLabel('Order').inputValue()]).toEqual(['', 'usual']);
  await page.context().close();
}, 60_000);

test('a chart of days on which nothing came says so', async () => {
  const page = await opened();
  await page.getByRole('tab', { name: 'Statistics' }).click();
  await page.getByText('Cases that came, at most 0 on a day.').waitFor();
  await page.context().close();
}, 60_000);
