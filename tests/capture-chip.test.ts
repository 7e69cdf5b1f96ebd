import { apiWith, licenceText, newTenant, type Tenant } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { agree, choose, heading, newLink, PHONE, press } from './setup/capture.ts';
import { launchBrowser } from './setup/pages.ts';

/** The chip step of the capture page where the reader app or the person leaves the straight way. */

const READER = 'https://reader.example/open';
let browser: Browser;
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('chip step', { sandbox: true, capture: { chipReader: READER } });
  browser = await launchBrowser();
}, 120_000);
afterAll(() => browser?.close());

/** A phone that opened a link and agreed. */
const begun = async (steps: string[]) => {
  const { url, identity } = await newLink(tenant, steps);
  const context = await browser.newContext(PHONE);
  await context.route('https://reader.example/**', (route) => route.fulfill({ body: 'the app' }));
  const page = await context.newPage();
  await page.goto(url);
  await agree(page);
  const play = (outcome: string) => tenant.relyingService.post(`${identity.at}/sandbox/outcome`, { outcome });
  return { page, context, identity, url, play };
};

/** Opens the app, which begins the session with what the link gave it. */
const openApp = async (page: Page) => {
  await press(page, 'Open the app');
  await page.waitForURL('https://reader.example/**');
  const task = Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1)));
  const app = apiWith(task.suite!, '');
  const headers = { authorization: `Bearer ${task.token}`, 'x-device-id': task.device! };
  const at = `/svc/v1/identities/${task.identityId}/id-documents/nfc-session`;
  const body = task.evidenceId ? { evidenceId: task.evidenceId } : {};
  const session = await app.post(at, body, { ...headers, 'idempotency-key': task.key! });
  expect(session.status).toBe(200);
  const some = Buffer.from('no chip').toString('base64');
  const read = () =>
    app.post(
      `/svc/v1/nfc-sessions/${session.body.sessionId}/data`,
      { documentSecurityObject: some, dataGroups: { 1: some } },
      headers,
    );
  return { task, read };
};

/** As phones do it: an address that an app opens gets a tab of its own. */
const comeBack = async (context: BrowserContext, back: string): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(back);
  return page;
};

test('a reader app that comes back in a tab of its own finds the check there, and what became of the chip', async () => {
  const { page, context, play } = await begun(['CHIP', 'EMAIL']);
  await play('chip-genuine');
  const { task, read } = await openApp(page);
  await read();
  const back = await comeBack(context, task.back!);
  await heading(back, 'The chip was accepted');
  expect(new URL(back.url()).hash).toBe('');
  await press(back, 'Continue');
  await heading(back, 'Confirm your e-mail address');
  await context.close();
}, 120_000);

test('a chip that another tab began is waited for here, and can be begun again', async () => {
  const { page, context, play } = await begun(['CHIP']);
  const { task } = await openApp(page);
  const back = await comeBack(context, task.back!);
  await heading(back, 'Waiting for the chip');
  await play('chip-genuine');
  await press(back, 'Open the app again');
  await back.waitForURL('https://reader.example/**');
  const again = new URLSearchParams(new URL(back.url()).hash.slice(1));
  expect(again.get('key')).toBeTruthy();
  expect(again.get('key')).not.toBe(task.key);
  await context.close();
}, 120_000);

test('a chip is not taken for the photographed document', async () => {
  const { page, context, play } = await begun(['DOCUMENT', 'CHIP']);
  await play('document-blurred');
  await press(page, 'Passport');
  await choose(page, 'passport.jpg');
  await press(page, 'Use this photo');
  await press(page, 'Continue without it');
  await play('chip-genuine');
  const { task, read } = await openApp(page);
  await read();
  const back = await comeBack(context, task.back!);
  await heading(back, 'Which document do you have at hand?');
  await context.close();
}, 120_000);

test('a document that the relying service stated is not taken for a photographed one', async () => {
  const { page, context, identity, url, play } = await begun(['DOCUMENT']);
  await heading(page, 'Which document do you have at hand?');
  await play('text-verified');
  const stated = await identity.text(licenceText({ expiryDate: '2035-04-15' }));
  expect(await identity.stable(stated.body.id)).toMatchObject({ status: 'VERIFIED' });
  await page.goto('about:blank');
  await page.goto(url);
  await heading(page, 'Which document do you have at hand?');
  await context.close();
}, 120_000);

test('a document that was deleted meanwhile does not keep a chip from being read', async () => {
  const { page, context, identity, play } = await begun(['DOCUMENT', 'CHIP']);
  await play('document-verified');
  await press(page, 'Passport');
  await choose(page, 'passport.jpg');
  await press(page, 'Use this photo');
  await press(page, 'Continue');
  await heading(page, 'Read the chip of your document');
  const { body } = await tenant.relyingService.get(`${identity.at}/status`);
  await tenant.relyingService.delete(`${identity.at}/evidences/${body.singleStatuses[0].id}`);
  const { task } = await openApp(page);
  expect(task.evidenceId).toBeUndefined();
  await context.close();
}, 120_000);
