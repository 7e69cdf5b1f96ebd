import { newIdentity, newTenant, specimen, type Tenant, waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page, Route } from 'playwright-core';
import sharp from 'sharp';
import { agree, choose, heading, launchWithCamera, newLink, openedOnPhone, PHONE, press } from './setup/capture.ts';
import { launchBrowser } from './setup/pages.ts';

/**
 * What goes wrong on the capture page besides photos: the service refuses for now, the line stands
 * still, the camera stops, a photo is too large, the browser stores nothing.
 */

/** Without a camera no photo is taken by itself. */
let browser: Browser;
let withCamera: Browser;
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('trouble');
  [browser, withCamera] = await Promise.all([launchBrowser(), launchWithCamera()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await withCamera?.close();
});

interface Beginning {
  by?: Browser;
  prepare?: (page: Page) => Promise<unknown>;
}

/** A page on which a person chose a document, or is asked for a selfie. */
const begun = async (steps: string[], { by = browser, prepare }: Beginning = {}) => {
  const found = await openedOnPhone(steps, { by, whose: tenant, prepare });
  await agree(found.page);
  if (steps[0] === 'DOCUMENT') await press(found.page, 'Passport');
  return found;
};
const send = async (page: Page, file: string): Promise<void> => {
  await choose(page, file);
  await press(page, 'Use this photo');
};
const refuse = (route: Route): Promise<void> =>
  route.fulfill({ status: 429, json: { errors: [{ code: '4290', message: 'Too many requests' }] } });
const CAPTURE = '**/id-documents/capture';

test('a service that is asked too often does not cost the photo', async () => {
  const { page } = await begun(['DOCUMENT']);
  await page.route(CAPTURE, refuse);
  await send(page, 'passport.jpg');
  await page.getByText('Too much is going on right now').waitFor();
  await page.unroute(CAPTURE);
  await press(page, 'Send again');
  await heading(page, 'Your document was accepted');
  await page.context().close();
}, 120_000);

test('a beginning that the service refuses for now is begun again on the same screen', async () => {
  const { page, identity } = await begun(['PORTRAIT'], { prepare: (opened) => opened.route('**/consents', refuse) });
  await page.getByText('Too much is going on right now').waitFor();
  await page.unroute('**/consents');
  await press(page, 'Begin');
  await heading(page, 'Take a selfie');
  expect((await tenant.relyingService.get(identity.at)).body.consents).toHaveLength(1);
  await page.context().close();
}, 120_000);

test('an agreement that was withdrawn meanwhile is asked for again, after a reload too', async () => {
  const { page, identity } = await begun(['PORTRAIT']);
  await heading(page, 'Take a selfie');
  await tenant.relyingService.post(`${identity.at}/consents`, [{ type: 'PORTRAIT', approved: false }]);
  await send(page, 'selfie-same.jpg');
  await page.getByText('Your agreement is missing').waitFor();
  await heading(page, 'Verify your identity');
  await page.reload();
  await agree(page);
  await send(page, 'selfie-same.jpg');
  await heading(page, 'Your selfie has arrived');
  await page.context().close();
}, 120_000);

test('a page that is asked for too often says so, and is tried again where it is', async () => {
  const { url } = await newLink(tenant, ['PORTRAIT']);
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const SESSION = '**/user-agent-sessions/current';
  await page.route(SESSION, refuse);
  await page.goto(url);
  await page.getByText('Too much is going on right now').waitFor();
  await context.setOffline(true);
  await page.unroute(SESSION);
  await press(page, 'Try again');
  await heading(page, 'The service cannot be reached');
  await context.setOffline(false);
  await press(page, 'Try again');
  await agree(page);
  await heading(page, 'Take a selfie');
  await context.close();
}, 120_000);

test('a new code is said to be on its way, and is typed over the former one', async () => {
  const { page, identity } = await begun(['EMAIL']);
  const address = `${identity.id}@again.example`;
  await page.getByLabel('E-mail address').fill(address);
  await press(page, 'Send me a code');
  await page
    .getByRole('status')
    .filter({ hasText: `A code is on its way to ${address}.` })
    .waitFor();
  await page.getByLabel('Code').fill('1234');
  await press(page, 'Send a new code');
  await page
    .getByRole('status')
    .filter({ hasText: `A new code is on its way to ${address}.` })
    .waitFor();
  await page.keyboard.type('654321');
  expect(await page.getByLabel('Code').inputValue()).toBe('654321');
  await page.context().close();
}, 120_000);

test.each([
  ['NotReadableError', 'Another app uses the camera'],
  ['NotFoundError', 'none was found'],
  ['NotAllowedError', 'Allow it in the settings'],
])(
  'a camera that fails with %s is said what helps',
  async (name, words) => {
    const fails = `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', '${name}'))`;
    const { page } = await begun(['PORTRAIT'], { prepare: (opened) => opened.addInitScript(fails) });
    await page.getByText(words).waitFor();
    await page.context().close();
  },
  60_000,
);

/** A phone of 2022: it knows no colours for light and dark, and no `AbortSignal.timeout`. */
const age = async (page: Page): Promise<void> => {
  await page.addInitScript(`
    delete AbortSignal.timeout;
    const { supports } = CSS;
    CSS.supports = (...asked) => !asked.join().includes('light-dark') && supports.apply(CSS, asked);
  `);
  await page.route('**/main.css', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll('light-dark(', 'not-known(') });
  });
};

test('a phone of 2022 leads through, with buttons that look like buttons', async () => {
  const { page } = await begun(['DOCUMENT'], { prepare: age });
  await send(page, 'passport.jpg');
  await heading(page, 'Your document was accepted');
  const ground = "getComputedStyle(document.querySelector('.primary')).backgroundColor";
  expect(await page.evaluate(ground)).toBe('rgb(28, 86, 196)');
  await page.context().close();
}, 120_000);

test('a photo whose line stands still is sent again, as the same submission', async () => {
  const { page, identity } = await begun(['DOCUMENT'], { prepare: (opened) => opened.clock.install() });
  let sendings = 0;
  await page.route(CAPTURE, (route) => {
    sendings += 1;
    return sendings === 1 ? undefined : route.fallback();
  });
  const stalled = page.waitForRequest(CAPTURE);
  await send(page, 'passport.jpg');
  await stalled;
  await page.clock.fastForward(61_000);
  await heading(page, 'Your document was accepted');
  expect(sendings).toBe(2);
  const { body } = await tenant.relyingService.get(`${identity.at}/status`);
  expect(body.singleStatuses).toHaveLength(1);
  await page.context().close();
}, 120_000);

test('a camera that stops is said so, and can be started again', async () => {
  const { page } = await begun(['PORTRAIT'], { by: withCamera });
  await page.locator('video').waitFor();
  await page.evaluate("document.querySelector('video').srcObject.getTracks()[0].dispatchEvent(new Event('ended'))");
  await page.getByText('The camera cannot be used').waitFor();
  await page.getByRole('button', { name: 'Try the camera again' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('video').waitFor();
  await waitFor('the focus', async () => (await page.evaluate('document.activeElement.tagName')) === 'MAIN');
  await page.context().close();
}, 120_000);

test('a photo of more pixels than the service takes is made smaller', async () => {
  const buffer = await sharp(specimen('passport.jpg')).resize({ width: 8200 }).jpeg({ quality: 90 }).toBuffer();
  const { width = 0, height = 0 } = await sharp(buffer).metadata();
  expect(width * height).toBeGreaterThan(40e6);
  const { page } = await begun(['DOCUMENT']);
  await page.locator('input[type=file]').setInputFiles({ name: 'large.jpg', mimeType: 'image/jpeg', buffer });
  await press(page, 'Use this photo');
  await heading(page, 'Your document was accepted');
  await page.context().close();
}, 120_000);

test('a photo of a format that the browser reads and the service does not is sent as JPEG', async () => {
  const buffer = await sharp(specimen('passport.jpg')).gif({ dither: 0 }).toBuffer();
  const { page } = await begun(['DOCUMENT']);
  await page.locator('input[type=file]').setInputFiles({ name: 'photo.gif', mimeType: 'image/gif', buffer });
  await press(page, 'Use this photo');
  await heading(page, 'Your document was accepted');
  await page.context().close();
}, 120_000);

const STORES_NOTHING = `
  Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false });
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { get: () => { throw new DOMException('denied', 'SecurityError'); } });
`;

test('a new link that is put into the address of a page with an old one is opened', async () => {
  const { page, identity } = await begun(['PORTRAIT']);
  const { url } = await newLink(tenant, ['DOCUMENT']);
  await tenant.relyingService.delete(identity.at);
  await page.reload();
  await heading(page, 'This check has ended');
  await page.goto(url);
  await agree(page);
  await heading(page, 'Which document do you have at hand?');
  expect(new URL(page.url()).hash).toBe('');
  await page.context().close();
}, 120_000);

test('an address that a code was sent to is forgotten once the check has ended', async () => {
  const { page, identity } = await begun(['EMAIL']);
  const stored = () => page.evaluate<string>('JSON.stringify(sessionStorage)');
  await page.getByLabel('E-mail address').fill('ann@forgotten.example');
  await press(page, 'Send me a code');
  await heading(page, 'Enter the code');
  expect(await stored()).toContain('ann@forgotten.example');
  await tenant.relyingService.delete(identity.at);
  await page.getByLabel('Code').fill('123456');
  await press(page, 'Confirm');
  await heading(page, 'This check has ended');
  expect(await stored()).not.toContain('ann@forgotten.example');
  await page.context().close();
}, 120_000);

test('where a computer would have led back to is forgotten once the check has ended', async () => {
  const { relyingService } = await newTenant('back', { allowedOrigins: ['https://client.example'] });
  const { at } = await newIdentity(relyingService);
  const returnUrl = 'https://client.example/back?who=ann';
  const { body } = await relyingService.post(`${at}/user-agent-sessions`, { steps: ['DOCUMENT'], returnUrl });
  const page = await browser.newPage();
  const stored = () => page.evaluate<string>('JSON.stringify([sessionStorage, localStorage])');
  await page.goto(body.url);
  await press(page, 'Continue on your phone');
  await page.getByText('Waiting for your phone').waitFor();
  expect(await stored()).toContain('who=ann');
  await relyingService.delete(at);
  await heading(page, 'This check has ended');
  expect(await stored()).not.toContain('who=ann');
  await page.reload();
  await heading(page, 'This check has ended');
  await page.close();
}, 120_000);

test('who reloads the code for the phone away, and goes on at the computer, is not said to be done on the phone', async () => {
  const { url } = await newLink(tenant, ['DOCUMENT']);
  const page = await browser.newPage();
  await page.goto(url);
  await press(page, 'Continue on your phone');
  await page.getByText('Waiting for your phone').waitFor();
  await page.reload();
  await agree(page);
  await press(page, 'Passport');
  await send(page, 'passport.jpg');
  await press(page, 'Continue');
  await page.getByText('The result is passed on').waitFor();
  await page.close();
}, 60_000);

test('a browser that stores nothing leads through all the same', async () => {
  const { page } = await begun(['DOCUMENT'], { prepare: (opened) => opened.addInitScript(STORES_NOTHING) });
  await send(page, 'passport.jpg');
  await heading(page, 'Your document was accepted');
  await press(page, 'Continue');
  await heading(page, 'Thank you, that is all');
  await page.context().close();
}, 120_000);
