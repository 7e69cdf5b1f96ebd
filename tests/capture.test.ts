import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { apiWith, newIdentity, newTenant, readStack, type Tenant, waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page, Route } from 'playwright-core';
import decodeQR from 'qr/decode.js';
import sharp from 'sharp';
import { agree, choose, heading, isGoodStep, launchWithCamera, newLink, PHONE, press } from './setup/capture.ts';
import { picture } from './setup/pages.ts';

/**
 * People submit on the guided page with a camera in front of which a specimen lies. SCREENSHOTS
 * names a folder to keep pictures of the steps in.
 */

const guide = readFileSync(join(import.meta.dirname, '../docs/guide/capture.md'), 'utf8');
const TOKEN = 'a-token-of-a-link';
let browser: Browser;
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('capture');
  browser = await launchWithCamera();
}, 120_000);
afterAll(() => browser?.close());

interface Opened {
  steps?: string[];
  options?: BrowserContextOptions;
  query?: string;
  session?: (route: Route) => Promise<void>;
  before?: (page: Page) => Promise<unknown>;
}

/**
 * A person opens a link: the session is what the service would say of it, and everything else is
 * done by the service itself for the identity's key.
 */
const openLink = async ({
  steps = ['DOCUMENT', 'PORTRAIT'],
  options = PHONE,
  query = '',
  session,
  before,
}: Opened = {}) => {
  const { baseUrl } = readStack();
  const identity = await newIdentity(tenant.userAgent);
  const page = await (await browser.newContext(options)).newPage();
  const branded = { name: 'Example Bank', colour: '#7a1f5c' };
  await page.route('**/svc/v1/**', async (route) => {
    const { authorization, ...headers } = route.request().headers();
    expect(authorization).toBe(`Bearer ${TOKEN}`);
    if (!route.request().url().endsWith('/user-agent-sessions/current'))
      return route.fallback({ headers: { ...headers, apikey: tenant.keys.userAgent } });
    if (session) return session(route);
    return route.fulfill({
      json: { identityId: identity.id, steps, page: branded, returnUrl: 'https://shop.example/done' },
    });
  });
  await before?.(page);
  await page.goto(`${baseUrl}/capture${query}#${TOKEN}`);
  return { identity, page };
};

const documents = async (id: string): Promise<{ type: string; status: string }[]> =>
  (await tenant.relyingService.get(`/svc/v1/identities/${id}/status`)).body.singleStatuses;

test('a person is led through document and selfie on a phone, also after a reload and a second try', async () => {
  const { page, identity } = await openLink();
  await heading(page, 'Verify your identity');
  expect(page.url()).not.toContain(TOKEN);
  await isGoodStep(page, 'capture-start');
  await press(page, 'Begin');
  await page.getByText('Please agree first').waitFor();
  await agree(page);

  await heading(page, 'Which document do you have at hand?');
  await isGoodStep(page, 'capture-document', 0);
  await press(page, 'Passport');
  await heading(page, 'Photograph the page with your photo');
  await page.locator('.finder').waitFor();
  const automatic = page.getByRole('checkbox', { name: 'Take the photo automatically' });
  await automatic.uncheck();
  await page.getByText('Good, hold still').waitFor();
  await isGoodStep(page, 'capture-camera');
  await automatic.check();
  // The photo is taken by itself: the passport lies still, sharp and bright.
  await heading(page, 'Is everything sharp and complete?');
  await isGoodStep(page, 'capture-review');
  await press(page, 'Use this photo');
  await heading(page, 'Your document was accepted');
  await isGoodStep(page, 'capture-accepted');
  await page.reload();
  await heading(page, 'Your document was accepted');
  await press(page, 'Continue');

  await heading(page, 'Take a selfie');
  // The passport still lies before the camera.
  await automatic.uncheck();
  await isGoodStep(page, 'capture-selfie');
  await choose(page, 'selfie-other.jpg');
  await press(page, 'Use this photo');
  await page.getByText('could not be matched').waitFor();
  await isGoodStep(page, 'capture-reason');
  await press(page, 'Try again');
  await automatic.uncheck();
  await choose(page, 'selfie-same.jpg');
  await press(page, 'Use this photo');
  await heading(page, 'Your selfie was accepted');
  await press(page, 'Continue');
  await heading(page, 'Thank you, that is all');
  expect(await page.getByRole('link', { name: 'Return to Example Bank' }).getAttribute('href')).toBe(
    'https://shop.example/done',
  );
  await isGoodStep(page, 'capture-finish');
  expect((await documents(identity.id)).map(({ type, status }) => `${type} ${status}`)).toEqual([
    'PASSPORT VERIFIED',
    'PORTRAIT VERIFIED',
  ]);
  await page.context().close();
}, 120_000);

test('an answer that was lost and a double click make one submission', async () => {
  let attempts = 0;
  const { page, identity } = await openLink({ steps: ['DOCUMENT'] });
  await page.route('**/id-documents/capture', async (route) => {
    attempts++;
    if (attempts > 1) return route.fallback();
    const { authorization: _, ...headers } = route.request().headers();
    await route.fetch({ headers: { ...headers, apikey: tenant.keys.userAgent } });
    return route.abort();
  });
  await agree(page);
  await press(page, 'Passport');
  await choose(page, 'passport.jpg');
  await page.getByRole('button', { name: 'Use this photo' }).dblclick();
  await heading(page, 'Your document was accepted');
  expect(attempts).toBe(2);
  expect(await documents(identity.id)).toHaveLength(1);
  await page.context().close();
}, 120_000);

test('says why in plain words, takes no for an answer, and a selfie may wait for its document', async () => {
  const { page } = await openLink();
  await agree(page);
  await press(page, 'Passport');
  await choose(page, 'passport-expired.jpg');
  await press(page, 'Use this photo');
  await page.getByText('The document has expired').waitFor();
  await press(page, 'Continue without it');
  await choose(page, 'selfie-same.jpg');
  await press(page, 'Use this photo');
  await heading(page, 'Your selfie has arrived');
  await page.context().close();
}, 120_000);

test('without a camera a file does, and a file that is no image says so', async () => {
  const { page } = await openLink({
    steps: ['PORTRAIT'],
    options: { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
    before: (opened) =>
      opened.addInitScript("navigator.mediaDevices.getUserMedia = () => Promise.reject(new Error('refused'))"),
  });
  await agree(page);
  await page.getByText('The camera cannot be used').waitFor();
  await isGoodStep(page, 'capture-no-camera');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no image') });
  await press(page, 'Use this photo');
  await page.getByText('The file is not an image that can be read').waitFor();
  await isGoodStep(page);
  await page.context().close();
}, 120_000);

/** The code of the newest message to somebody. */
const newestCode = (address: string, former?: string): Promise<string> =>
  waitFor('a code', async () => {
    const answer = await fetch(`${readStack().mailcatcher}/messages?to=${encodeURIComponent(address)}`);
    const { items } = (await answer.json()) as { items: unknown[] };
    const codes = items.flatMap((item) => /\b(\d{6})\b/.exec(JSON.stringify(item).replaceAll(address, ''))?.[1] ?? []);
    return codes.find((code) => code !== former && (former === undefined || codes.length > 1));
  });

test('an address and a number are confirmed by codes, also after a reload and a wrong one', async () => {
  const { page, identity } = await openLink({
    steps: ['EMAIL', 'MOBILE'],
    options: { viewport: { width: 1280, height: 900 } },
  });
  const address = `${identity.id}@mail.example`;
  expect(await page.getByRole('checkbox', { name: 'I agree' }).locator('..').innerText()).toBe(
    'I agree that my details are checked for this purpose.',
  );
  await agree(page);
  await heading(page, 'Confirm your e-mail address');
  await isGoodStep(page, 'capture-email');
  await page.getByLabel('E-mail address').fill(address);
  await press(page, 'Send me a code');
  await page.getByText(`A code is on its way to ${address}.`).waitFor();
  await isGoodStep(page, 'capture-code');
  const first = await newestCode(address);
  await page.reload();
  await page.getByText(`A code is on its way to ${address}.`).waitFor();
  await page.getByLabel('Code').fill(first === '111111' ? '222222' : '111111');
  await press(page, 'Confirm');
  await page.getByText('The code is wrong').waitFor();
  await isGoodStep(page);
  await press(page, 'Send a new code');
  await page.getByLabel('Code').fill(await newestCode(address, first));
  await press(page, 'Confirm');
  await heading(page, 'Your e-mail address is confirmed');
  // What was confirmed is not asked for again, even where the page was left before it went on, and
  // the service still writes it down.
  await page.route('**/status', (route) => route.fulfill({ json: { singleStatuses: [] } }));
  await page.reload();
  await heading(page, 'Confirm your mobile number');
  await page.unroute('**/status');
  await page.getByLabel('Mobile number with country code').fill('12');
  await press(page, 'Send me a code');
  await page.getByText('That is not complete').waitFor();
  await isGoodStep(page);
  await press(page, 'Continue without it');
  await heading(page, 'Thank you, that is all');
  expect((await documents(identity.id)).map(({ type, status }) => `${type} ${status}`)).toEqual(['EMAIL VERIFIED']);
  await page.context().close();
}, 120_000);

test.each([
  [401, '4010', 'This link is no longer valid'],
  [404, '4040', 'This link is no longer valid'],
  [410, '4100', 'This check has ended'],
  [410, '4101', 'This link was opened on another device'],
  [503, '5030', 'The service cannot be reached'],
])('a link that answers %s %s ends in a sentence that says what to do', async (status, code, title) => {
  const { page } = await openLink({
    session: (route) => route.fulfill({ status, json: { errors: [{ code, message: 'no' }] } }),
  });
  await heading(page, title);
  await isGoodStep(page, code === '4010' ? 'capture-ended' : undefined, status === 503 ? 1 : 0);
  await page.context().close();
});

test('an identity that closes meanwhile ends in a sentence', async () => {
  const { page, identity } = await openLink({ steps: ['PORTRAIT'] });
  await agree(page);
  await heading(page, 'Take a selfie');
  await tenant.relyingService.delete(`/svc/v1/identities/${identity.id}`);
  await choose(page, 'selfie-same.jpg');
  await press(page, 'Use this photo');
  await heading(page, 'This check has ended');
  await page.context().close();
});

test.each([
  ['en', 'ltr', 'Begin'],
  ['de', 'ltr', 'Beginnen'],
  ['fr', 'ltr', 'Commencer'],
  ['es', 'ltr', 'Empezar'],
  ['pt-BR', 'ltr', 'Começar'],
  ['ar', 'rtl', 'ابدأ'],
  ['ja', 'ltr', '始める'],
])('speaks %s (%s) where the address asks for it', async (locale, direction, begin) => {
  const { page } = await openLink({
    query: `?locale=${locale}`,
    options: { viewport: { width: 320, height: 640 }, colorScheme: 'dark' },
    steps: ['DOCUMENT', 'PORTRAIT', 'EMAIL', 'MOBILE'],
  });
  await page.getByRole('button', { name: begin, exact: true }).waitFor();
  expect(await page.evaluate('document.documentElement.dir')).toBe(direction);
  expect(await page.evaluate('document.documentElement.lang')).toBe(locale.slice(0, 2));
  expect(await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')).toBe(
    false,
  );
  await isGoodStep(page);
  if (locale === 'ar') await picture('capture-start-arabic', page);
  await page.context().close();
});

test('a developer tries it with a key, marked as that', async () => {
  const page = await (await browser.newContext(PHONE)).newPage();
  await page.goto(`${readStack().baseUrl}/capture`);
  await heading(page, 'Open the link you were given');
  await isGoodStep(page, 'capture-no-link', 0);
  await page.getByRole('link', { name: 'try it with a key' }).click();
  await page.getByText('For developers').waitFor();
  await isGoodStep(page);
  await page.getByLabel('User agent key').fill('no such key');
  await press(page, 'Start');
  await page.getByText('send a valid API key').waitFor();
  await page.getByLabel('User agent key').fill(tenant.keys.userAgent);
  await press(page, 'Start');
  await agree(page);
  await heading(page, 'Which document do you have at hand?');
  await page.context().close();
});

/** What a phone reads in a code that the page shows. */
const scan = async (page: Page): Promise<string> => {
  const image = await page.locator('.qr').screenshot();
  const { data, info } = await sharp(image).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return decodeQR({ width: info.width, height: info.height, data });
};

test('a desktop whose phone was lost goes on with what the phone has sent, and the phone acts no more', async () => {
  const { url } = await newLink(tenant, ['DOCUMENT', 'PORTRAIT']);
  const desktop = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  await desktop.goto(url);
  await press(desktop, 'Continue on your phone');
  const unused = await scan(desktop);
  await press(desktop, 'Continue on this device instead');
  await press(desktop, 'Continue on your phone');
  const phone = await (await browser.newContext(PHONE)).newPage();
  await phone.goto(unused);
  await heading(phone, 'This link was opened on another device');
  await phone.goto(await scan(desktop));
  await agree(phone);
  await press(phone, 'Passport');
  await choose(phone, 'passport.jpg');
  await press(phone, 'Use this photo');
  await heading(phone, 'Your document was accepted');
  await heading(desktop, 'Your phone has taken over');
  await desktop.reload();
  await heading(desktop, 'Your phone has taken over');
  // The line is down just when this device takes the check back.
  let lost = 0;
  await desktop.route('**/user-agent-sessions/handover', (route) => {
    if (route.request().method() !== 'DELETE' || lost === 2) return route.continue();
    lost += 1;
    return route.abort();
  });
  await press(desktop, 'Continue on this device instead');
  await agree(desktop);
  await heading(desktop, 'Your document was accepted');
  await press(phone, 'Continue');
  await choose(phone, 'selfie-same.jpg');
  await press(phone, 'Use this photo');
  await heading(phone, 'This link was opened on another device');
  await Promise.all([desktop.context().close(), phone.context().close()]);
}, 120_000);

test('a desktop hands over to a phone by a code, follows it, and goes on when it is done', async () => {
  const { url } = await newLink(tenant, ['PORTRAIT']);
  const desktop = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  await desktop.goto(url);
  await press(desktop, 'Continue on your phone');
  await desktop.getByText('Waiting for your phone').waitFor();
  await isGoodStep(desktop, 'capture-hand-over', 0);
  const phone = await (await browser.newContext(PHONE)).newPage();
  await phone.goto(await scan(desktop));
  await heading(desktop, 'Your phone has taken over');
  await isGoodStep(desktop, 'capture-taken-over', 0);
  await desktop.reload();
  await heading(desktop, 'Your phone has taken over');
  await agree(phone);
  await choose(phone, 'selfie-same.jpg');
  await press(phone, 'Use this photo');
  await heading(phone, 'Your selfie has arrived');
  // The line is down just when the phone tells its end.
  await phone.route('**/user-agent-sessions/current/done', (route) => route.abort(), { times: 1 });
  await press(phone, 'Continue');
  await heading(phone, 'Thank you, that is all');
  await heading(desktop, 'Thank you, that is all');
  await desktop.getByText('You are done on your phone').waitFor();
  await Promise.all([desktop.context().close(), phone.context().close()]);
}, 120_000);

test('a chip is read by the app that the link opens, and the page goes on with what came of it', async () => {
  const sandbox = await newTenant('capture chips', {
    sandbox: true,
    capture: { chipReader: 'https://reader.example/open' },
  });
  const { url, identity } = await newLink(sandbox, ['CHIP']);
  await sandbox.relyingService.post(`${identity.at}/sandbox/outcome`, { outcome: 'chip-genuine' });
  const page = await (await browser.newContext(PHONE)).newPage();
  await page.route('https://reader.example/**', (route) => route.fulfill({ body: 'the app' }));
  await page.goto(url);
  await agree(page);
  await heading(page, 'Read the chip of your document');
  await isGoodStep(page, 'capture-chip');
  await press(page, 'Open the app');
  await page.waitForURL('https://reader.example/**');

  // The app, with nothing but what the link gave it.
  const task = new URLSearchParams(new URL(page.url()).hash.slice(1));
  const app = apiWith(task.get('suite')!, '');
  const headers = { authorization: `Bearer ${task.get('token')}`, 'x-device-id': task.get('device')! };
  const at = `/svc/v1/identities/${task.get('identityId')}/id-documents/nfc-session`;
  const { body: session } = await app.post(at, {}, { ...headers, 'idempotency-key': task.get('key')! });
  expect(session.activeAuthenticationChallenge).toBeTruthy();
  const some = Buffer.from('no chip').toString('base64');
  const read = { documentSecurityObject: some, dataGroups: { 1: some } };
  await app.post(`/svc/v1/nfc-sessions/${session.sessionId}/data`, read, headers);

  await page.goto(task.get('back')!);
  await heading(page, 'The chip was accepted');
  await isGoodStep(page);
  await page.context().close();
}, 120_000);

test('can be framed by a page that the tenant names, and tells it how far it is', async () => {
  const { baseUrl } = readStack();
  let content = '';
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(content));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const shop = await newTenant('capture in frames', { capture: { embedders: [host], name: 'Framed Bank' } });
  const { url } = await newLink(shop, ['PORTRAIT'], `?in=${encodeURIComponent(host)}`);
  const [, snippet] = /```html\n([\s\S]*?)```/.exec(guide)!;
  content = snippet!.replaceAll('LINK', url).replaceAll('https://suite.example', baseUrl);
  const page = await (await browser.newContext(PHONE)).newPage();
  await page.goto(host);
  const frame = page.frameLocator('iframe');
  await frame.getByText('Framed Bank asks you').waitFor();
  await frame.getByRole('checkbox', { name: 'I agree' }).check();
  await frame.getByRole('button', { name: 'Begin', exact: true }).click();
  await frame.locator('input[type=file]').setInputFiles(join(import.meta.dirname, '../specimens/selfie-same.jpg'));
  await frame.getByRole('button', { name: 'Use this photo' }).click();
  await frame.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByText('Thank you. We go on here.').waitFor();
  await page.context().close();
  server.close();
}, 120_000);
