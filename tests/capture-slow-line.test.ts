import { newTenant, type Tenant } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { agree, heading, openedOnPhone, press } from './setup/capture.ts';
import { launchBrowser } from './setup/pages.ts';
import { drawn, withheld } from './setup/slow-line.ts';

/** People who go on before an answer came. */

let browser: Browser;
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('slow line');
  browser = await launchBrowser();
}, 120_000);
afterAll(() => browser?.close());

const ADDRESS = 'ann@example.org';
const begun = async (steps: string[]): Promise<Page> => {
  const { page } = await openedOnPhone(steps, { by: browser, whose: tenant });
  await agree(page);
  return page;
};
const skip = (page: Page): Promise<void> => press(page, 'Continue without it');
const enterAddress = async (page: Page): Promise<void> => {
  await heading(page, 'Confirm your e-mail address');
  await page.locator('input[name=value]').fill(ADDRESS);
  await page.keyboard.press('Enter');
};

test('what is passed over a second time is not asked for again by a late answer', async () => {
  const page = await begun(['EMAIL', 'MOBILE']);
  await skip(page);
  await heading(page, 'Confirm your mobile number');
  await skip(page);
  await heading(page, 'Nothing was sent');
  const found = await withheld(page, '**/status');
  await press(page, 'Try again');
  await found.isAsked();
  await drawn(page);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('One moment …');
  found.letThrough();
  await heading(page, 'Confirm your e-mail address');
  await skip(page);
  await heading(page, 'Confirm your mobile number');
  await page.context().close();
}, 60_000);

test('the address of a step that is passed over while its code is asked for is not stored', async () => {
  const page = await begun(['EMAIL', 'MOBILE']);
  const asking = await withheld(page, '**/contacts/email');
  await enterAddress(page);
  await asking.isAsked();
  await skip(page);
  await heading(page, 'Confirm your mobile number');
  const answered = page.waitForResponse(/contacts\/email/);
  asking.letThrough();
  await (await answered).finished();
  await drawn(page);
  expect(await page.evaluate<string>('JSON.stringify(sessionStorage)')).not.toContain(ADDRESS);
  await page.context().close();
}, 60_000);

test('while a new code is asked for, no other address is entered that its answer would take away', async () => {
  const page = await begun(['EMAIL']);
  await enterAddress(page);
  await heading(page, 'Enter the code');
  const asking = await withheld(page, '**/contacts/email');
  await press(page, 'Send a new code');
  await asking.isAsked();
  const other = page.getByRole('button', { name: 'Use another address' });
  expect(await other.isDisabled()).toBe(true);
  asking.letThrough();
  await page.getByText('A new code is on its way').waitFor();
  await other.click();
  await heading(page, 'Confirm your e-mail address');
  await page.context().close();
}, 60_000);
