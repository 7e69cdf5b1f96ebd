import { newTenant, readStack, type Tenant, waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { agree, choose, heading, isGoodStep, launchWithCamera, newLink, PHONE, press } from './setup/capture.ts';
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

const opened = async (steps: string[], { by = browser, whose = tenant, prepare }: Beginning = {}) => {
  const { url, identity } = await newLink(whose, steps);
  const page = await (await by.newContext(PHONE)).newPage();
  await prepare?.(page);
  await page.goto(url);
  return { page, identity };
};
const begun = async (steps: string[], beginning?: Beginning) => {
  const found = await opened(steps, beginning);
  await agree(found.page);
  return found;
};

/** A tenant whose checks pause seconds after the last submission. */
const pausingTenant = () =>
  newTenant('pauses', { transactionLifetimeSeconds: 8, pauseResume: { enabled: true, pauseDurationSeconds: 600 } });

test('a check that pauses says so, keeps its link, and goes on once it is resumed', async () => {
  const pausing = await pausingTenant();
  const { page, identity } = await begun(['DOCUMENT'], { whose: pausing });
  await press(page, 'Passport');
  await choose(page, 'passport.jpg');
  await waitFor('the pause', async () => {
    const { body } = await pausing.relyingService.get(`${identity.at}/status`);
    return body.globalStatus.status === 'PAUSED';
  });
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
  await waitFor('the pause', async () => {
    const { body } = await pausing.relyingService.get(`${identity.at}/status`);
    return body.globalStatus.status === 'PAUSED';
  });
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
