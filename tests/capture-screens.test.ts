import { newTenant, readStack, type Tenant, waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { agree, choose, launchWithCamera, newLink, PHONE, press } from './setup/capture.ts';

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

test('a long address fits a phone, and a telephone number reads from the left in Arabic', async () => {
  const { url } = await newLink(tenant, ['EMAIL', 'MOBILE'], '?locale=ar');
  const page = await (await browser.newContext({ ...PHONE, viewport: { width: 320, height: 640 } })).newPage();
  await page.goto(url);
  await page.getByRole('checkbox').check();
  await press(page, 'ابدأ');
  await page.locator('input[type=email]').fill('someone@a-long-name-of-a-department.of-a-long-domain.example');
  await press(page, 'أرسل لي رمزًا');
  await page.locator('input[inputmode=numeric]').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  await press(page, 'تابع دون ذلك');
  await page.locator('input[type=tel]').fill('+41 79 123 45 67');
  await press(page, 'أرسل لي رمزًا');
  await page.getByText('\u2068+41 79 123 45 67\u2069').waitFor();
  await page.context().close();
}, 60_000);

test('who chooses a language keeps the focus there, and reads an open message in it', async () => {
  const { url } = await newLink(tenant, ['DOCUMENT']);
  const page = await (await browser.newContext(PHONE)).newPage();
  await page.goto(url);
  await press(page, 'Begin');
  await page.getByText('Please agree first').waitFor();
  const language = page.getByRole('combobox');
  await language.focus();
  await language.selectOption('de');
  await page.getByRole('heading', { name: 'Identität bestätigen' }).waitFor();
  await page.getByRole('alert').filter({ hasText: 'stimmen Sie zuerst zu' }).waitFor();
  expect(await page.evaluate('document.activeElement.tagName')).toBe('SELECT');
  await page.context().close();
}, 60_000);

test('what is sent moves on without taking the focus', async () => {
  const { url } = await newLink(tenant, ['DOCUMENT']);
  const page = await (await browser.newContext(PHONE)).newPage();
  await page.goto(url);
  await agree(page);
  await press(page, 'Passport');
  await choose(page, 'passport.jpg');
  const line = await page.context().newCDPSession(page);
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 30_000 };
  await line.send('Network.emulateNetworkConditions', slow);
  await press(page, 'Use this photo');
  const sending = page.getByRole('heading', { name: 'Sending' });
  const first = await sending.textContent();
  await page.getByRole('combobox').focus();
  await waitFor('the next percentage', async () => (await sending.textContent()) !== first);
  expect(await page.evaluate('document.activeElement.tagName')).toBe('SELECT');
  await page.context().close();
}, 60_000);

test('a page that has ended is called by how it ended, in the language of the person', async () => {
  const page = await (await browser.newContext({ ...PHONE, locale: 'de' })).newPage();
  await page.goto(`${readStack().baseUrl}/capture`);
  const title = 'Öffnen Sie den Link, den Sie erhalten haben';
  await page.getByRole('heading', { name: title }).waitFor();
  expect(await page.title()).toBe(title);
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

test('a double click asks for one code for the phone: a second one would end the first', async () => {
  const { url } = await newLink(tenant, ['DOCUMENT']);
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  const asked: string[] = [];
  await page.route('**/user-agent-sessions/handover', async (route) => {
    if (route.request().method() === 'POST') asked.push(route.request().url());
    // The answer is on its way until the second click was made.
    await secondClick;
    return route.continue();
  });
  let clicked = (): void => undefined;
  const secondClick = new Promise<void>((resolve) => {
    clicked = resolve;
  });
  await page.goto(url);
  await page.getByRole('button', { name: 'Continue on your phone' }).dblclick();
  clicked();
  await page.locator('.qr').waitFor();
  expect(asked).toHaveLength(1);
  await page.context().close();
}, 60_000);
