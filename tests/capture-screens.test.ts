import { newTenant, readStack, type Tenant } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { agree, launchWithCamera, newLink, PHONE } from './setup/capture.ts';

/** Screens that are no upright phone: on its side, with large letters, without scripts. */

let browser: Browser;
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('screens');
  browser = await launchWithCamera();
}, 120_000);
afterAll(() => browser?.close());

const HEIGHT = "document.querySelector('.finder').getBoundingClientRect().height";

test.each(['DOCUMENT', 'PORTRAIT'])(
  'on a phone on its side all of the frame for the %s is in sight',
  async (step) => {
    const { url } = await newLink(tenant, [step]);
    const page = await (await browser.newContext({ ...PHONE, viewport: { width: 740, height: 360 } })).newPage();
    await page.goto(url);
    await agree(page);
    if (step === 'DOCUMENT') await page.getByRole('button', { name: 'Passport' }).click();
    await page.locator('video').waitFor();
    const height = await page.evaluate<number>(HEIGHT);
    expect(height).toBeLessThanOrEqual(360);
    expect(height).toBeGreaterThan(200);
    await page.context().close();
  },
  60_000,
);

test('letters of twice the size need no scrolling sideways', async () => {
  const { url } = await newLink(tenant, ['DOCUMENT', 'PORTRAIT']);
  const page = await (await browser.newContext({ ...PHONE, viewport: { width: 360, height: 640 } })).newPage();
  await page.goto(url);
  await page.addStyleTag({ content: ':root { font-size: 200%; }' });
  await agree(page);
  await page.getByRole('button', { name: 'Passport' }).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await page.context().close();
}, 60_000);

test.each(['', 'capture', 'console', 'admin'])(
  'without scripts /%s says what it needs',
  async (place) => {
    const page = await (await browser.newContext({ ...PHONE, javaScriptEnabled: false })).newPage();
    await page.goto(`${readStack().baseUrl}/${place}`);
    expect(await page.locator('noscript').textContent()).toContain('This page needs JavaScript');
    await page.context().close();
  },
  60_000,
);
