import { newTenant, type Tenant, waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { agree, choose, heading, isGoodStep, launchWithCamera, newLink, PHONE, press } from './setup/capture.ts';

/**
 * What people do on the capture page besides what it asks for: Back, two tabs, a closed tab, a
 * second selfie, a lost connection.
 */

let browser: Browser;
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('habits');
  browser = await launchWithCamera();
}, 120_000);
afterAll(() => browser?.close());

const open = async (url: string, context?: BrowserContext): Promise<Page> => {
  const page = await (context ?? (await browser.newContext(PHONE))).newPage();
  await page.goto('about:blank');
  await page.goto(url);
  return page;
};
const evidences = async (at: string): Promise<string[]> => {
  const { body } = await tenant.relyingService.get(`${at}/status`);
  return body.singleStatuses.map(({ type, status }: { type: string; status: string }) => `${type} ${status}`);
};
/** Takes a photo of what lies before the camera, by itself, and sends it. */
const photograph = async (page: Page): Promise<void> => {
  await heading(page, 'Is everything sharp and complete?');
  await press(page, 'Use this photo');
};
const back = (page: Page) => page.goBack();

test('Back leads to the screen before, asks before it leaves, and the link leads back in', async () => {
  const { url, identity } = await newLink(tenant, ['DOCUMENT', 'PORTRAIT']);
  const page = await open(url);
  await agree(page);
  await press(page, 'Identity card');
  await choose(page, 'identity-card-front.jpg');
  await press(page, 'Use this photo');
  await heading(page, 'Photograph the back');
  await choose(page, 'identity-card-back.jpg');
  await back(page);
  await heading(page, 'Photograph the back');
  await back(page);
  await heading(page, 'Is everything sharp and complete?');
  await back(page);
  await heading(page, 'Photograph the front');
  await back(page);
  await heading(page, 'Which document do you have at hand?');
  await back(page);
  await page.getByRole('dialog').getByText('What you have sent is kept').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await press(page, 'Passport');
  await choose(page, 'passport.jpg');
  await press(page, 'Use this photo');
  await heading(page, 'Your document was accepted');
  await back(page);
  await page.getByRole('dialog').waitFor();
  await back(page);
  await page.waitForURL('about:blank');
  await page.goto(url);
  await heading(page, 'Your document was accepted');
  expect(await evidences(identity.at)).toEqual(['PASSPORT VERIFIED']);
  await page.context().close();
}, 120_000);

test('a second tab goes on, the first one says so, and takes over again where the second was', async () => {
  const { url, identity } = await newLink(tenant, ['DOCUMENT', 'PORTRAIT']);
  const first = await open(url);
  await agree(first);
  await press(first, 'Passport');
  await heading(first, 'Is everything sharp and complete?');
  const second = await open(url, first.context());
  await heading(second, 'Which document do you have at hand?');
  await heading(first, 'This page is open in another tab');
  await isGoodStep(first, 'capture-other-tab');
  await press(second, 'Passport');
  await photograph(second);
  await heading(second, 'Your document was accepted');
  await press(first, 'Go on here');
  await heading(first, 'Your document was accepted');
  await heading(second, 'This page is open in another tab');
  await press(first, 'Continue');
  await heading(first, 'Take a selfie');
  expect(await evidences(identity.at)).toEqual(['PASSPORT VERIFIED']);
  await first.context().close();
}, 120_000);

test('a tab that was killed is gone on with by the same link, and what was accepted is not asked for again', async () => {
  const { url, identity } = await newLink(tenant, ['DOCUMENT']);
  const page = await open(url);
  await agree(page);
  await press(page, 'Passport');
  await photograph(page);
  await heading(page, 'Your document was accepted');
  const again = await page.context().newPage();
  await page.close();
  await again.goto(url);
  await heading(again, 'Your document was accepted');
  await press(again, 'Continue');
  await heading(again, 'Thank you, that is all');
  const [document] = (await tenant.relyingService.get(identity.at)).body.idDocuments;
  expect(document.evidenceStatus.status).toBe('VERIFIED');
  await again.context().close();
}, 120_000);

test('it takes seven taps, and a second selfie is not asked for: another link, on another device, knows of the first', async () => {
  const { url, identity } = await newLink(tenant, ['DOCUMENT', 'PORTRAIT']);
  const context = await browser.newContext(PHONE);
  await context.addInitScript(
    "addEventListener('click', ({ isTrusted }) => { if (isTrusted) sessionStorage.taps = Number(sessionStorage.taps ?? 0) + 1; }, true)",
  );
  const page = await open(url, context);
  await agree(page);
  await press(page, 'Passport');
  await choose(page, 'passport.jpg');
  await press(page, 'Use this photo');
  await press(page, 'Continue');
  await choose(page, 'selfie-same.jpg');
  await press(page, 'Use this photo');
  await heading(page, 'Your selfie was accepted');
  await press(page, 'Continue');
  await heading(page, 'Thank you, that is all');
  expect(await page.evaluate('sessionStorage.taps')).toBe('7');
  await page.context().close();
  const { body } = await tenant.relyingService.post(`${identity.at}/user-agent-sessions`, { steps: ['PORTRAIT'] });
  const other = await open(body.url);
  await agree(other);
  await heading(other, 'Your selfie was accepted');
  await press(other, 'Continue');
  await heading(other, 'Thank you, that is all');
  expect(await evidences(identity.at)).toEqual(['PASSPORT VERIFIED', 'PORTRAIT VERIFIED']);
  await other.context().close();
}, 120_000);

test('a link whose identity is closed meanwhile says that the check has ended, after a reload too', async () => {
  const { url, identity } = await newLink(tenant, ['PORTRAIT']);
  const page = await open(url);
  await agree(page);
  await heading(page, 'Take a selfie');
  await tenant.relyingService.delete(identity.at);
  await waitFor('the end of the session', async () => {
    const token = url.split('#')[1];
    const current = new URL('/svc/v1/user-agent-sessions/current', url);
    return (await fetch(current, { headers: { authorization: `Bearer ${token}` } })).status === 401;
  });
  await choose(page, 'selfie-same.jpg');
  await press(page, 'Use this photo');
  await heading(page, 'This check has ended');
  await page.reload();
  await heading(page, 'This check has ended');
  await page.context().close();
}, 60_000);

test('a closed check is no expired link where the clock of the browser is a month ahead', async () => {
  const { url, identity } = await newLink(tenant, ['PORTRAIT']);
  const page = await open(url);
  await agree(page);
  await heading(page, 'Take a selfie');
  await tenant.relyingService.delete(identity.at);
  await page.clock.setFixedTime(Date.now() + 30 * 86_400_000);
  await waitFor('the end of the session', async () => {
    await page.reload();
    return (await page.getByRole('heading', { name: 'This check has ended' }).count()) > 0;
  });
  await page.context().close();
}, 60_000);

test('in forced colours, which take backgrounds away, the steps show how far one is', async () => {
  const { url } = await newLink(tenant, ['DOCUMENT', 'PORTRAIT']);
  const page = await open(url, await browser.newContext({ ...PHONE, forcedColors: 'active' }));
  await agree(page);
  const backgrounds =
    '[...document.querySelectorAll(".steps li")].map((step) => getComputedStyle(step).backgroundColor)';
  await page.locator('.steps li[aria-current]').waitFor();
  expect(new Set(await page.evaluate<string[]>(backgrounds)).size).toBe(2);
  await page.context().close();
}, 60_000);

const FOCUSED = "(document.activeElement.closest('label') ?? document.activeElement).textContent";
/**
 * Goes on by the keyboard, from where the step put the focus, to what is named, and presses a key
 * there.
 */
const reach = async (page: Page, name: string, key: string): Promise<void> => {
  for (let tabs = 0; tabs < 12; tabs++) {
    await page.keyboard.press('Tab');
    if (String(await page.evaluate(FOCUSED)).startsWith(name)) return page.keyboard.press(key);
  }
  throw new Error(`no key leads to ${name}`);
};

test('it is gone through by the keyboard alone: each step puts the focus on its heading', async () => {
  const { url } = await newLink(tenant, ['DOCUMENT']);
  const page = await open(url);
  const arrive = async (title: string): Promise<void> => {
    await heading(page, title);
    await waitFor('the focus', async () => String(await page.evaluate(FOCUSED)).includes(title));
  };
  await arrive('Verify your identity');
  await reach(page, 'I agree', 'Space');
  await reach(page, 'Begin', 'Enter');
  await arrive('Which document do you have at hand?');
  await reach(page, 'Passport', 'Enter');
  await arrive('Is everything sharp and complete?');
  await reach(page, 'Use this photo', 'Enter');
  await arrive('Your document was accepted');
  await reach(page, 'Continue', 'Enter');
  await arrive('Thank you, that is all');
  await page.context().close();
}, 120_000);

test('a page that is killed while its photo is sent ends the live capture, or asks for the photo again', async () => {
  const { url, identity } = await newLink(tenant, ['DOCUMENT']);
  const page = await open(url);
  let begun = false;
  await page.route('**/live-capture-sessions/*/frames', (route) => {
    begun = true;
    return route.abort();
  });
  await agree(page);
  await press(page, 'Passport');
  await photograph(page);
  await waitFor('the frames', () => begun);
  await page.unroute('**/live-capture-sessions/*/frames');
  await page.reload();
  await heading(page, 'Which document do you have at hand?');
  await page.route('**/live-capture-sessions/*/end', (route) => route.abort());
  await press(page, 'Passport');
  await photograph(page);
  await page.getByText('The photo did not arrive').waitFor();
  await isGoodStep(page, 'capture-not-sent');
  await page.unroute('**/live-capture-sessions/*/end');
  await page.reload();
  await heading(page, 'Your document was accepted');
  expect(await evidences(identity.at)).toEqual(['PASSPORT PROCESSING', 'PASSPORT VERIFIED']);
  await page.context().close();
}, 120_000);

test('a photo that was sent too late is sent as another one', async () => {
  const hasty = await newTenant('hasty', { liveCapture: { timeoutSeconds: 8 } });
  const { url, identity } = await newLink(hasty, ['DOCUMENT']);
  const page = await open(url);
  let inWork = 0;
  await page.route('**/live-capture-sessions/*/frames', async (route) => {
    inWork++;
    const { relyingService } = hasty;
    if (inWork === 1)
      await waitFor('the end of its time', async () =>
        JSON.stringify((await relyingService.get(`${identity.at}/status`)).body).includes('NOT_VERIFIED'),
      );
    return route.fallback();
  });
  await agree(page);
  await press(page, 'Passport');
  await photograph(page);
  await page.getByText('The photo did not arrive').waitFor();
  await press(page, 'Send again');
  await heading(page, 'Your document was accepted');
  await page.context().close();
}, 120_000);

test('who skips every step is told that nothing was sent, and may go through them again', async () => {
  const { url, identity } = await newLink(tenant, ['EMAIL', 'MOBILE']);
  const page = await open(url);
  const skip = async (): Promise<void> => {
    await heading(page, 'Confirm your e-mail address');
    await press(page, 'Continue without it');
    await heading(page, 'Confirm your mobile number');
    await press(page, 'Continue without it');
    await heading(page, 'Nothing was sent');
  };
  await agree(page);
  await skip();
  expect(await page.getByText('The result is passed on').count()).toBe(0);
  expect(await page.title()).toBe('Nothing was sent');
  await isGoodStep(page, 'capture-nothing');
  await page.reload();
  await heading(page, 'Nothing was sent');
  await press(page, 'Try again');
  await skip();
  expect(await evidences(identity.at)).toEqual([]);
  await page.context().close();
}, 60_000);

test('a language that is chosen offline is spoken once the line is back, and a reload keeps it', async () => {
  const { url } = await newLink(tenant, ['PORTRAIT']);
  const page = await open(url);
  await heading(page, 'Verify your identity');
  await page.context().setOffline(true);
  const language = page.getByRole('combobox');
  await language.selectOption('fr');
  await page.getByText('The service cannot be reached').waitFor();
  expect(await language.inputValue()).toBe('en');
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Commencer', exact: true }).waitFor();
  await language.selectOption('de');
  await page.getByRole('button', { name: 'Beginnen', exact: true }).waitFor();
  await page.context().setOffline(true);
  await language.selectOption('ja');
  await page.getByText('Der Dienst ist nicht erreichbar').waitFor();
  expect(await page.evaluate('document.documentElement.lang')).toBe('de');
  await page.context().setOffline(false);
  await page.getByRole('button', { name: '始める', exact: true }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: '始める', exact: true }).waitFor();
  expect(await page.getByText('サービスに接続できません').count()).toBe(0);
  await page.context().close();
}, 60_000);
