import { newTenant, readStack, specimen, type Tenant, waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { agree, choose, heading, isGoodStep, launchWithCamera, openedOnPhone, press } from './setup/capture.ts';
import { launchBrowser } from './setup/pages.ts';

/**
 * What stops people halfway on the capture page: the check is paused, what they sent is deleted, an
 * answer is lost, another app takes the camera, a file is looked for.
 */

let browser: Browser;
let withCamera: Browser;
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('halfway', { sandbox: true });
  [browser, withCamera] = await Promise.all([launchBrowser(), launchWithCamera()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await withCamera?.close();
});

interface Beginning {
  by?: Browser;
  whose?: Tenant;
  prepare?: (page: Page) => Promise<unknown>;
}

const opened = (steps: string[], { by = browser, whose = tenant, prepare }: Beginning = {}) =>
  openedOnPhone(steps, { by, whose, prepare });
const begun = async (steps: string[], beginning?: Beginning) => {
  const found = await opened(steps, beginning);
  await agree(found.page);
  return found;
};

/** A tenant whose checks pause seconds after the last submission. */
const pausingTenant = () =>
  newTenant('pauses', { transactionLifetimeSeconds: 8, pauseResume: { enabled: true, pauseDurationSeconds: 600 } });

const isPaused = (pausing: Tenant, at: string) =>
  waitFor('the pause', async () => {
    const { status, body } = await pausing.relyingService.get(`${at}/status`);
    expect({ status, body }).toMatchObject({ status: 200 });
    return body.globalStatus.status === 'PAUSED';
  });

test('a check that pauses says so, keeps its link, and goes on once it is resumed', async () => {
  const pausing = await pausingTenant();
  const { page, identity } = await begun(['DOCUMENT'], { whose: pausing });
  await press(page, 'Passport');
  await choose(page, 'passport.jpg');
  await isPaused(pausing, identity.at);
  await press(page, 'Use this photo');
  await heading(page, 'This check is paused');
  await isGoodStep(page);
  await page.reload();
  await heading(page, 'This check is paused');
  await pausing.relyingService.post(`${identity.at}/resume`);
  await press(page, 'Try again');
  await heading(page, 'Which document do you have at hand?');
  await page.context().close();
}, 120_000);

test('a check that paused before it was agreed to says so as well', async () => {
  const pausing = await pausingTenant();
  const { page, identity } = await opened(['PORTRAIT'], { whose: pausing });
  await isPaused(pausing, identity.at);
  await agree(page);
  await heading(page, 'This check is paused');
  await page.context().close();
}, 120_000);

test('what was sent and then deleted is asked for again, and does not end the check', async () => {
  const { page, identity } = await begun(['DOCUMENT']);
  await press(page, 'Passport');
  await choose(page, 'passport.jpg');
  await press(page, 'Use this photo');
  await heading(page, 'Your document was accepted');
  const { body } = await tenant.relyingService.get(`${identity.at}/status`);
  await tenant.relyingService.delete(`${identity.at}/evidences/${body.singleStatuses[0].id}`);
  await page.reload();
  await page.getByText('What you sent here was deleted').waitFor();
  await press(page, 'Try again');
  await heading(page, 'Which document do you have at hand?');
  await page.context().close();
}, 120_000);

/** Lets the first call of this address arrive, and its answer be lost with the line. */
const loseAnswer = async (page: Page, address: string): Promise<void> => {
  let calls = 0;
  await page.route(address, async (route) => {
    calls += 1;
    if (calls > 1) return route.fallback();
    await route.fetch();
    return route.abort('connectionreset');
  });
};

test('a code whose answer was lost is sent once, and a right one is not called expired', async () => {
  const { page, identity } = await begun(['EMAIL']);
  const address = `${identity.id}@lost.example`;
  await loseAnswer(page, '**/contacts/email');
  await loseAnswer(page, '**/contacts/email/otp');
  await page.getByLabel('E-mail address').fill(address);
  await press(page, 'Send me a code');
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await press(page, 'Confirm');
  await heading(page, 'Your e-mail address is confirmed');
  const sent = await fetch(`${readStack().mailcatcher}/messages?to=${encodeURIComponent(address)}`);
  expect(((await sent.json()) as { items: unknown[] }).items).toHaveLength(1);
  await page.context().close();
}, 120_000);

/** Before the page takes a photo by itself. */
const BY_HAND = "document.querySelector('.camera [type=checkbox]').click()";
const TRACK = "document.querySelector('video').srcObject.getTracks()[0]";

test('a camera that another app takes meanwhile is said so, and goes on once it is free', async () => {
  const { page } = await begun(['PORTRAIT'], { by: withCamera });
  await page.locator('video').waitFor();
  await page.evaluate(`window.track = ${TRACK}; track.dispatchEvent(new Event('mute'))`);
  await page.getByText('Another app uses the camera').waitFor();
  expect(await page.locator('video').count()).toBe(0);
  await page.evaluate("window.track.dispatchEvent(new Event('unmute'))");
  await page.locator('video').waitFor();
  await page.context().close();
}, 120_000);

/** Presses the choice of a file as soon as it is there. */
const LOOKS_FOR_A_FILE = `
  const pressed = new WeakSet();
  new MutationObserver(() => {
    const input = document.querySelector('input[type=file]');
    if (input && !pressed.has(input)) { pressed.add(input); input.click(); }
  }).observe(document, { childList: true, subtree: true });
`;

test('no photo is taken by itself while the person looks for a file', async () => {
  const { page } = await begun(['DOCUMENT'], { by: withCamera, prepare: (one) => one.addInitScript(LOOKS_FOR_A_FILE) });
  const chooser = page.waitForEvent('filechooser');
  await press(page, 'Passport');
  await chooser;
  await page.getByText('Good, hold still').waitFor();
  const before = Date.now();
  await waitFor('more readings than a photo needs', async () => Date.now() - before > 3000);
  await heading(page, 'Photograph the page with your photo');
  await page.evaluate("document.querySelector('input[type=file]').dispatchEvent(new Event('cancel'))");
  await heading(page, 'Is everything sharp and complete?');
  await page.context().close();
}, 120_000);

/** A phone that needs its time to read a large picture. */
const READS_SLOWLY = `
  const read = window.createImageBitmap.bind(window);
  window.createImageBitmap = async (...asked) => {
    await new Promise((resolve) => { window.readOn = resolve; });
    return read(...asked);
  };
`;

test('while a file is read the page says so, and the camera takes no photo in its place', async () => {
  const { page } = await begun(['PORTRAIT'], { by: withCamera, prepare: (one) => one.addInitScript(READS_SLOWLY) });
  await page.locator('video').waitFor();
  await page.evaluate(BY_HAND);
  await page.locator('input[type=file]').setInputFiles({
    name: 'photo.heic',
    mimeType: 'image/heic',
    buffer: Buffer.from('no picture'),
  });
  await page.getByText('One moment').waitFor();
  expect(await page.getByRole('button', { name: 'Take photo' }).count()).toBe(0);
  await page.evaluate('window.readOn()');
  await heading(page, 'Is everything sharp and complete?');
  await page.context().close();
}, 120_000);

/** A scan as some programs store it: nothing but ink, on no paper. */
const ink = async (): Promise<Buffer> => {
  const dark = sharp(specimen('passport.jpg')).greyscale().negate();
  const { data, info } = await dark.raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const black = sharp({ create: { width, height, channels: 3, background: 'black' } });
  return black.joinChannel(data, { raw: info }).avif({ quality: 90 }).toBuffer();
};

test('what is transparent in a picture is white once it is a JPEG, as the service sees it', async () => {
  const { page } = await begun(['DOCUMENT']);
  await press(page, 'Passport');
  const file = { name: 'scan.avif', mimeType: 'image/avif', buffer: await ink() };
  await page.locator('input[type=file]').setInputFiles(file);
  await press(page, 'Use this photo');
  await heading(page, 'Your document was accepted');
  await page.context().close();
}, 120_000);

test('a photo that a proxy finds too large is said to be too large', async () => {
  const { page } = await begun(['DOCUMENT']);
  await press(page, 'Passport');
  await page.route('**/id-documents/capture', (route) =>
    route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>413 Request Entity Too Large</h1>' }),
  );
  await choose(page, 'passport.jpg');
  await press(page, 'Use this photo');
  await page.getByText('The photo is too large').waitFor();
  await press(page, 'Try again');
  await heading(page, 'Which document do you have at hand?');
  await page.context().close();
}, 120_000);
