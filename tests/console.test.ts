import { readFileSync } from 'node:fs';
import {
  apiWith,
  newIdentity,
  newTenant,
  readPassport,
  readStack,
  specimen,
  type Tenant,
  waitFor,
} from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { isAccessible as isAccessibleOn, launchBrowser, picture as pictureOf } from './setup/pages.ts';

/**
 * An operator finishes cases in the console with the keyboard alone. SCREENSHOTS names a folder to
 * keep pictures of the pages in.
 */

let browser: Browser;
let page: Page;
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('console', { adjudication: { enabled: true } });
  browser = await launchBrowser();
  page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
}, 120_000);
afterAll(() => browser?.close());

const altered = async (client = tenant) => {
  const identity = await newIdentity(client.relyingService);
  const { body } = await identity.document(specimen('passport-altered.jpg'));
  await identity.becomes(body.id, 'ADJUDICATION', 60_000);
  return { identity, evidenceId: body.id as string };
};

const markedFrame = () => page.locator('.frame').filter({ has: page.locator('.marks') });
const isAccessible = (on = page): Promise<void> => isAccessibleOn(on);
const picture = (name: string, on = page): Promise<void> => pictureOf(name, on);

const signIn = async (key: string, on = page): Promise<void> => {
  await on.keyboard.type(key);
  await on.keyboard.press('Enter');
};
/** A window of an operator's own, signed in. */
const windowOf = async (key: string, options: BrowserContextOptions = {}): Promise<Page> => {
  const opened = await (await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options })).newPage();
  await opened.goto(`${readStack().baseUrl}/console/`);
  await opened.getByLabel('Operator key').waitFor();
  await signIn(key, opened);
  return opened;
};
const press = async (on: Page, ...keys: string[]): Promise<void> => {
  for (const key of keys) await on.keyboard.press(key);
};
const openFirst = async (on: Page): Promise<void> => {
  await on.locator('.case').first().waitFor();
  await press(on, 'j', 'Enter');
  await on.locator('#claim').waitFor();
};
const claimAndAccept = async (on: Page): Promise<void> => {
  await on.locator('#claim').waitFor();
  await press(on, 'c');
  await on.locator('#accept').waitFor();
  await press(on, 'a');
};
const anotherKey = async (tenant: Tenant): Promise<string> =>
  (await tenant.admin.post(`/admin/v1/tenants/${tenant.tenantId}/keys`, { role: 'OPERATOR' })).body.apiKey;

/** Puts a picture that is transparent everywhere in the place of the first image. */
const TRANSPARENT = `(async () => {
  const image = document.querySelector('.frame img');
  const canvas = new OffscreenCanvas(300, 200);
  canvas.getContext('2d');
  image.src = URL.createObjectURL(await canvas.convertToBlob());
  await image.decode();
})()`;

test('what is transparent in a picture is on white to an operator, on a dark page too', async () => {
  const client = await newTenant('console-dark', { adjudication: { enabled: true } });
  await altered(client);
  const dark = await windowOf(client.keys.operator, { colorScheme: 'dark' });
  await openFirst(dark);
  const image = dark.locator('.frame img').first();
  await image.waitFor();
  await dark.evaluate(TRANSPARENT);
  await waitFor('the middle of the picture to be white', async () => {
    const shot = sharp(await image.screenshot());
    const { width, height } = await shot.metadata();
    const middle = shot.extract({ left: Math.floor(width / 2), top: Math.floor(height / 2), width: 1, height: 1 });
    return (await middle.removeAlpha().raw().toBuffer()).every((value) => value === 255);
  });
  await dark.context().close();
}, 120_000);

test('an operator signs in, claims, compares, rejects and accepts by keyboard, on accessible pages', async () => {
  const [first, second] = [await altered(), await altered()];
  await page.goto(`${readStack().baseUrl}/console/`);
  await page.getByLabel('Operator key').waitFor();
  await isAccessible();
  await picture('console-sign-in');
  await signIn(tenant.keys.operator);

  await page.locator('.case').nth(1).waitFor();
  await isAccessible();
  await picture('console-queue');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');

  await page.locator('.frame img').first().waitFor();
  const shown = "[...document.querySelectorAll('.frame img')].filter((image) => image.naturalWidth > 0).length";
  await waitFor('both images to show', async () => ((await page.evaluate(shown)) as number) >= 2);
  await isAccessible();
  await page.keyboard.press('+');
  expect(await page.locator('.zoom output').first().textContent()).toBe('150 %');
  await page.keyboard.press('c');
  await page.locator('#reject').waitFor();
  await isAccessible();
  await picture('console-case');
  await page.keyboard.press('r');
  await page.getByText('Choose at least one reason').waitFor();
  await page.getByText('differ: date of birth').waitFor();
  await page.locator('.fields').getByText('the print says 15 JAN 1982').waitFor();
  // The field that differs is marked on the image with both values, and its entry leads there by
  // keyboard.
  expect(await page.locator('.marks text').allTextContents()).toEqual([
    'print: 15 JAN 1982',
    'machine-readable: 1974-08-12',
  ]);
  await page.keyboard.press('0');
  const entry = page.getByRole('button', { name: 'Date of birth differs the print says 15 JAN 1982' });
  await entry.focus();
  await page.keyboard.press('Enter');
  expect(await page.locator('.zoom output').first().textContent()).toBe('300 %');
  await waitFor('the mark to be in the middle', async () => {
    const [mark, frame] = [await page.locator('.marks rect').boundingBox(), await markedFrame().boundingBox()];
    const aside = (at: 'x' | 'y', size: 'width' | 'height') =>
      Math.abs(mark![at] + mark![size] / 2 - frame![at] - frame![size] / 2);
    return aside('x', 'width') < 10 && aside('y', 'height') < 10;
  });
  // Both values can be read at that size: the frame cuts neither off.
  const seen = await markedFrame().boundingBox();
  for (const text of await page.locator('.marks text').all()) {
    const { x, width } = (await text.boundingBox())!;
    expect(x + width).toBeLessThan(seen!.x + seen!.width);
  }
  await isAccessible();
  await picture('console-mark');
  await page.keyboard.press('m');
  expect(await page.locator('.marks').count()).toBe(0);
  await page.keyboard.press('m');
  await page.locator('.marks').waitFor();
  await page.keyboard.press('0');
  await page.keyboard.press('2');
  await page.keyboard.press('a');
  await page.getByText('Reasons are for a rejection').waitFor();
  await isAccessible();
  await page.keyboard.press('r');
  await page.getByText('decided: rejected').waitFor();
  await isAccessible();
  await first.identity.becomes(first.evidenceId, 'INVALID');

  await page.keyboard.press('n');
  await page.locator('#claim').waitFor();
  await page.keyboard.press('c');
  await page.locator('#accept').waitFor();
  await page.keyboard.press('a');
  await page.getByText('decided: accepted').waitFor();
  await second.identity.becomes(second.evidenceId, 'VERIFIED');
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'History' }).click();
  await page.locator('.case').nth(1).waitFor();
  // The newest decision first, with the reason in the words in which it was chosen.
  expect(await page.locator('.case').first().textContent()).toContain('accepted');
  expect(await page.locator('.case').last().textContent()).toContain('rejected: the image was altered');
  await page.getByRole('tab', { name: 'Statistics' }).click();
  await page.getByText('The last 30 days').waitFor();
  const today = page.getByRole('table').first().locator('tbody tr').last();
  expect(await today.locator('td').allTextContents()).toEqual(expect.arrayContaining(['2', '1', '1', '0', '50 %']));
  const you = page.getByRole('row').filter({ hasText: '(you)' });
  expect((await you.locator('td').allTextContents()).slice(-3)).toEqual(['1', '1', expect.stringMatching(/ s$/)]);
  const reasons = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Reasons by day as CSV' }).click();
  expect(readFileSync(await (await reasons).path(), 'utf8')).toMatch(/^\ufeffdate[\s\S]*,FIELDS_DISAGREE,2,1,1,0\r\n$/);
  await isAccessible();
  await picture('console-history');
  await page.getByRole('tab', { name: 'History' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  const csv = readFileSync(await (await download).path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(csv).toHaveLength(3);
  expect(csv[1]).toContain(second.identity.id);
}, 120_000);

test('says what is wrong, what the keys do, and who has a case', async () => {
  const quiet = await newTenant('quiet console', { adjudication: { enabled: true } });
  await page.evaluate('sessionStorage.clear()');
  await page.goto(`${readStack().baseUrl}/console/`);
  await page.getByLabel('Operator key').waitFor();
  await signIn('no such key');
  await page.getByText('This key is not known').waitFor();
  await page.getByLabel('Operator key').fill('');
  await signIn(quiet.keys.relyingService);
  await page.getByText('This is not the key of an operator').waitFor();
  await page.getByLabel('Operator key').fill('');
  await signIn(quiet.keys.operator);
  await page.getByText('No case waits').waitFor();
  await page.keyboard.press('?');
  await page.getByText('move through the cases').waitFor();
  await isAccessible();
  await picture('console-empty');
  await page.keyboard.press('Escape');
  await page.getByText('move through the cases').waitFor({ state: 'hidden' });
  await page.keyboard.press('ArrowRight');
  await page.getByText('No operator works on a case').waitFor();
  await page.keyboard.press('ArrowLeft');

  const cases = '**/operator/v1/cases?*';
  await page.route(cases, (route) => route.abort());
  await page.getByText('The service does not answer. Trying again.').waitFor();
  await isAccessible();
  await page.unroute(cases);

  // A selfie that is the very photograph of the document: undecided by measure, for people to
  // compare.
  const identity = await newIdentity(quiet.relyingService);
  await identity.consent('PORTRAIT');
  const { body: document } = await identity.document(specimen('passport.jpg'));
  await identity.becomes(document.id, 'VERIFIED', 60_000);
  const { body: selfie } = await identity.portrait(specimen('portraits/holder.jpg'));
  await identity.becomes(selfie.id, 'ADJUDICATION', 60_000);
  await page.locator('.case').first().waitFor();
  expect(await page.getByText('Trying again').count()).toBe(0);
  const { body: listed } = await quiet.operator.get('/operator/v1/cases?state=OPEN');
  const colleague = apiWith(readStack().baseUrl, await anotherKey(quiet));
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByText('Reference: front').waitFor();
  await page.getByText('They are one photograph').waitFor();
  await colleague.post(`/operator/v1/cases/${listed.items[0].caseId}/claim`);
  await page.keyboard.press('c');
  await page.getByText('Another operator has claimed this case').waitFor();
  await page.getByText('Another operator has this case').waitFor();
  await isAccessible();
  await picture('console-compare');
}, 120_000);

test('shows a chip that came late to an open case, and its portrait beside the printed one and the selfie', async () => {
  const chips = await newTenant('chip console', { adjudication: { enabled: true } });
  const identity = await newIdentity(chips.relyingService);
  await identity.consent('PORTRAIT');
  const { body: document } = await identity.document(specimen('passport.jpg'));
  await identity.becomes(document.id, 'VERIFIED', 60_000);
  const { body: selfie } = await identity.portrait(specimen('portraits/holder.jpg'));
  await identity.becomes(selfie.id, 'ADJUDICATION', 60_000);
  const own = await windowOf(chips.keys.operator);
  await openFirst(own);
  const captions = () => own.locator('.picture figcaption').allTextContents();
  await own.getByText('Reference: face on the document').waitFor();
  expect(await captions()).not.toContain('Face in the chip');

  // A chip that no known authority signed changes nothing of the question: it joins the case.
  const portrait = specimen('portraits/holder.jpg').toString('base64');
  const { idDocumentNumber, expiryDate, issuingCountry, personalAttributes } = (await identity.get()).idDocuments[0]
    .idDocumentData;
  const { surname, givenNames, dateOfBirth, gender } = personalAttributes;
  const holder = {
    documentNumber: idDocumentNumber,
    surname: surname.value,
    givenNames: givenNames.map(({ value }: { value: string }) => value).join(' '),
    dateOfBirth: dateOfBirth.value,
    gender: gender.value,
    dateOfExpiry: expiryDate,
    issuingCountry,
  };
  const read = async (passport: object): Promise<string> => {
    const { id, at, data } = await readPassport(chips, { ...holder, portrait, ...passport }, { identity });
    await chips.relyingService.post(`${at}/data`, data);
    return id;
  };
  await identity.becomes(await read({ fault: 'unknown-csca' }), 'NOT_VERIFIED');
  const found = own.getByRole('region', { name: 'Chip' });
  await found.getByRole('heading', { name: 'Chip not verified' }).waitFor({ timeout: 30_000 });
  expect(await found.getByText('not checked').count()).toBeGreaterThan(0);
  expect(await captions()).toContain('Face in the chip');
  await isAccessible(own);

  // A good one is the better reference: the question is another one, beside its portrait.
  await identity.becomes(await read({ activeAuthentication: 'ECDSA' }), 'VERIFIED');
  await own.getByText('closed undecided, the selfie is compared with another document now').first().waitFor({
    timeout: 30_000,
  });
  await isAccessible(own);
  await press(own, 'n');
  await own.getByRole('heading', { name: 'Chip verified', exact: true }).waitFor();
  expect((await captions()).slice(0, 2)).toEqual(['Selfie', 'Face in the chip']);
  expect(await captions()).toContain('Reference: face on the document');
  await isAccessible(own);
  await claimAndAccept(own);
  await own.getByText('decided: accepted').waitFor();
  await identity.becomes(selfie.id, 'VERIFIED');
  await own.context().close();
}, 120_000);

test('two operators decide with four eyes, and one rejection is enough', async () => {
  const four = await newTenant('four eyes console', { adjudication: { enabled: true, fourEyes: true } });
  const [{ identity, evidenceId }, agreed] = [await altered(four), await altered(four)];
  const one = await windowOf(four.keys.operator);
  const two = await windowOf(await anotherKey(four));
  await openFirst(one);
  await press(one, 'c');
  await one.getByText('it is accepted if both accept').waitFor();
  await one.locator('#accept').waitFor();

  await two.getByRole('tab', { name: 'Claimed' }).click();
  await two.getByText("another operator's").waitFor();
  await isAccessible(two);
  await press(two, 'j', 'Enter');
  await two.getByText('Another operator has this case').waitFor();
  await press(two, '?');
  await two.getByText('zoom all images').waitFor();
  await isAccessible(two);
  await press(two, 'Escape');
  await two.getByText('zoom all images').waitFor({ state: 'hidden' });

  await press(one, 'a');
  await one.getByText('You have decided. A second operator must now.').waitFor();
  expect(await one.locator('#claim').count()).toBe(0);
  await isAccessible(one);
  await press(one, 'Escape');
  await one.getByText('you decided, a second must').waitFor();
  await isAccessible(one);
  await press(one, 'Enter');
  // The next case is one that this operator can decide.
  await one.locator('#next').waitFor();
  await press(one, 'n');
  await claimAndAccept(one);
  await one.getByText('You have decided. A second operator must now.').waitFor();

  // The second operator's window sees by itself that the case waits for another.
  await two.getByText('Another operator accepted').waitFor();
  await press(two, 'c');
  await two.locator('#reject').waitFor();
  await picture('console-four-eyes', two);
  await press(two, '7', 'r');
  await two.getByText('The operators disagreed, and one rejection is enough').waitFor();
  await isAccessible(two);
  await identity.becomes(evidenceId, 'INVALID');
  await press(two, 'n');
  await claimAndAccept(two);
  await two.getByText('decided: accepted').waitFor();
  await agreed.identity.becomes(agreed.evidenceId, 'VERIFIED');
  await Promise.all([one.context().close(), two.context().close()]);
}, 120_000);

test('keeps what was chosen through an outage, and tells when time ran out, also dark and narrow', async () => {
  const hasty = await newTenant('hasty console', { adjudication: { enabled: true, expirySeconds: 30 } });
  const own = await windowOf(hasty.keys.operator, { viewport: { width: 900, height: 700 }, colorScheme: 'dark' });
  await own.getByText('No case waits').waitFor();
  await altered(hasty);
  await openFirst(own);
  await press(own, 'c');
  await own.locator('#reject').waitFor();
  await own.context().setOffline(true);
  await press(own, '2', 'r');
  await own.getByText('The service does not answer. Try again; what you chose is still here.').waitFor();
  await own.getByText('Time is over').waitFor({ timeout: 40_000 });
  expect(await own.locator('#reject').count()).toBe(0);
  await isAccessible(own);
  await own.context().setOffline(false);
  await own.getByText('decided: no operator decided in time').waitFor({ timeout: 30_000 });
  const wide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
  expect(await own.evaluate(wide)).toBe(false);
  await press(own, 'Escape');
  await own.getByRole('tab', { name: 'History' }).click();
  await own.locator('.case').first().waitFor();
  await isAccessible(own);
  await own.context().close();
}, 120_000);

test('a case is no longer shown to whoever is signed out while it is open', async () => {
  const other = await newTenant('console-signed-out', { adjudication: { enabled: true } });
  await altered(other);
  const key = (await other.admin.post(`/admin/v1/tenants/${other.tenantId}/keys`, { role: 'OPERATOR' })).body;
  const own = await windowOf(key.apiKey);
  await openFirst(own);
  await own.locator('.picture img').first().waitFor();
  await other.admin.delete(`/admin/v1/tenants/${other.tenantId}/keys/${key.keyId}`);
  await own.getByText('This key is not known, or no longer').waitFor();
  await own.getByLabel('Operator key').waitFor();
  expect(await own.locator('.picture').count()).toBe(0);
  await own.context().close();
}, 120_000);

test('shows a long queue in parts, and says so', async () => {
  const long = await newTenant('long console', { adjudication: { enabled: true } });
  await altered(long);
  const { body } = await long.operator.get('/operator/v1/cases?state=OPEN');
  const items = Array.from({ length: 60 }, (_, i) => ({ ...body.items[0], caseId: `${i}`.padStart(8, '0') }));
  const own = await (await browser.newContext({ viewport: { width: 700, height: 450 } })).newPage();
  await own.route('**/operator/v1/cases?*', (route) => {
    const asked = new URL(route.request().url()).searchParams;
    return route.fulfill({
      json: asked.has('cursor') ? { items: items.slice(55) } : { items: items.slice(0, 55), cursor: 'on' },
    });
  });
  await own.goto(`${readStack().baseUrl}/console/`);
  await own.getByLabel('Operator key').waitFor();
  await signIn(long.keys.operator, own);
  await own.getByText('50 of 60 cases').waitFor();
  await isAccessible(own);
  await own.getByRole('button', { name: 'Show more' }).click();
  await own.locator('.case').nth(59).waitFor();
  await own.context().close();
}, 120_000);

test('a case has an address of its own, by which a colleague reads the comment and decides', async () => {
  const shared = await newTenant('shared console', { adjudication: { enabled: true, fourEyes: true } });
  const { identity } = await altered(shared);
  const { body } = await shared.operator.get('/operator/v1/cases?state=OPEN');
  const one = await windowOf(shared.keys.operator);
  await openFirst(one);
  await one.getByText(identity.id).waitFor();
  const address = one.url();
  expect(address).toContain(`#/cases/${body.items[0].caseId}`);
  await one.reload();
  await one.locator('#claim').waitFor();
  await one.goBack();
  await one.locator('.case').first().waitFor();
  await one.goForward();
  await one.locator('#claim').waitFor();
  await press(one, 'c');
  await one.getByLabel('Comment for the record').fill('The hologram is missing');
  await press(one, 'Escape', 'a');
  await one.getByText('You have decided').waitFor();

  const two = await (await browser.newContext()).newPage();
  await two.goto(address);
  await two.getByLabel('Operator key').waitFor();
  await signIn(await anotherKey(shared), two);
  await two.getByText('The hologram is missing').waitFor();
  await isAccessible(two);
  // The colleague's window: a reload, the queue, and Back all lead to the same case.
  await two.reload();
  await two.getByText('The hologram is missing').waitFor();
  await press(two, 'Escape');
  await two.locator('.case').first().waitFor();
  await two.goBack();
  await two.getByText('The hologram is missing').waitFor();
  expect(two.url()).toBe(address);
  await claimAndAccept(two);
  await two.getByText('decided: accepted').waitFor();
  await two.reload();
  await two.getByText('decided: accepted').waitFor();
  // The link of a case of nobody's: it says so, and there is a way on.
  await two.goto(address.replace(/[^/]+$/, 'no-such-case'));
  await two.getByText('This is no longer there').waitFor();
  await two.getByRole('heading', { level: 1, name: 'Case no-such-' }).waitFor();
  await isAccessible(two);
  await press(two, 'Escape');
  await two.getByText('No case waits').waitFor();
  await Promise.all([one.context().close(), two.context().close()]);
}, 120_000);

test('cases are found and put in order, and the page says when a tenant has no adjudication', async () => {
  const off = await newTenant('console without adjudication');
  const without = await windowOf(off.keys.operator);
  await without.getByText('Adjudication is off for this tenant').waitFor();
  await isAccessible(without);
  await without.context().close();

  const items = ['PASSPORT', 'DRIVING_LICENSE', 'PORTRAIT'].map((type, at) => ({
    ...{ caseId: `case-${at}`, identityId: `identity-${at}`, evidenceId: `evidence-${at}`, type, state: 'OPEN' },
    ...{ fourEyes: false, decisions: [], reasons: ['FIELDS_DISAGREE'] },
    ...{ requestedAt: '2030-01-01T00:00:00.000', expiresAt: `2030-01-0${9 - at}T00:00:00.000` },
  }));
  const own = await (await browser.newContext()).newPage();
  await own.route('**/operator/v1/cases?*', (route) => route.fulfill({ json: { items } }));
  await own.goto(`${readStack().baseUrl}/console/`);
  await own.getByLabel('Operator key').waitFor();
  await signIn(tenant.keys.operator, own);
  await own.locator('.case').nth(2).waitFor();
  await own.getByLabel('Order').selectOption('expires');
  expect(await own.locator('.case').first().getAttribute('data-case')).toBe('case-2');
  // The arrows are keys of the queue, too; in a control they are the control's.
  await own.getByLabel('Order').focus();
  await press(own, 'ArrowDown');
  expect(await own.getByLabel('Order').inputValue()).toBe('type');
  await press(own, 'ArrowUp');
  await own.getByLabel('Search').fill('identity-1 driving');
  await waitFor('one case to be left', async () => (await own.locator('.case').count()) === 1);
  await own.getByLabel('Search').fill('nothing of the kind');
  await own.getByText('No case matches').waitFor();
  await isAccessible(own);
  await own.context().close();
}, 120_000);

test('who signs in at their organisation needs no key, and the page says where that did not work', async () => {
  const own = await (await browser.newContext()).newPage();
  await own.route('**/pages-config.json', async (route) => {
    const config = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...config, signIn: 'Sign in with Example' } });
  });
  await own.goto(`${readStack().baseUrl}/console/?sign-in=no-role#/cases/1`);
  await own.getByText('have no role here').waitFor();
  expect(own.url()).not.toContain('no-role');
  await isAccessible(own);
  await picture('console-sign-in-organisation', own);
  await own.route('**/sign-in/console?*', (route) => route.fulfill({ body: 'the issuer', contentType: 'text/plain' }));
  await own.getByRole('button', { name: 'Sign in with Example' }).click();
  await own.getByText('the issuer').waitFor();
  expect(new URL(own.url()).searchParams.get('returnTo')).toBe('/cases/1');

  // Back with a session, which the browser sends by itself.
  const sent: string[] = [];
  const item = {
    ...{ caseId: 'case-1', identityId: 'identity-1', evidenceId: 'evidence-1', type: 'PASSPORT', state: 'CLAIMED' },
    ...{ fourEyes: false, decisions: [], reasons: [], claimedBy: 'person-2', claimedByName: 'Ann Other' },
    ...{ requestedAt: '2030-01-01T00:00:00.000', expiresAt: '2030-01-09T00:00:00.000' },
  };
  await own.route('**/operator/v1/**', (route) => {
    const request = route.request();
    const path = new URL(request.url()).pathname.replace('/operator/v1', '');
    sent.push(`${request.method()} ${path}${'apikey' in request.headers() ? ' with a key' : ''}`);
    const session = { expireAt: '2030-01-01T00:00:00.000', idleSeconds: 900 };
    if (path === '/me') return route.fulfill({ json: { operatorId: 'person-1', adjudicationEnabled: true, session } });
    return path === '/cases' ? route.fulfill({ json: { items: [item] } }) : route.abort();
  });
  await own.goto(`${readStack().baseUrl}/console/`);
  await own.getByRole('tab', { name: 'Claimed' }).click();
  await own.getByText('Ann Other').waitFor();
  await own.getByRole('button', { name: 'Sign out' }).click();
  await own.getByLabel('Operator key').waitFor();
  // The page has asked again how one signs in here: a context that closes meanwhile fails the
  // answer.
  await own.getByRole('button', { name: 'Sign in with Example' }).waitFor();
  expect(sent).toContain('DELETE /session');
  expect(sent.filter((each) => each.includes('with a key'))).toEqual([]);
  await own.context().close();
}, 120_000);

test('the tabs of a browser have one session: who signs in or out in one of them is heard by the others', async () => {
  const context = await browser.newContext();
  let [operatorId, idleSeconds] = ['person-1', 1];
  const sent: string[] = [];
  await context.route('**/pages-config.json', async (route) => {
    const config = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...config, signIn: 'Sign in with Example' } });
  });
  await context.route('**/operator/v1/**', (route) => {
    const path = new URL(route.request().url()).pathname.replace('/operator/v1', '');
    sent.push(`${route.request().method()} ${path}`);
    const session = { expireAt: '2030-01-01T00:00:00.000', idleSeconds };
    if (path === '/me') return route.fulfill({ json: { operatorId, adjudicationEnabled: true, session } });
    return path === '/session' ? route.fulfill({ status: 200, json: {} }) : route.fulfill({ json: { items: [] } });
  });
  const opened = async () => {
    const tab = await context.newPage();
    await tab.goto(`${readStack().baseUrl}/console/`);
    await tab.getByRole('button', { name: 'Sign out' }).waitFor();
    return tab;
  };
  const first = await opened();
  idleSeconds = 900;
  const second = await opened();

  // A tab that is left alone forgets who was there, and ends nothing that another tab uses.
  await first.getByText('nothing was done here for a while').waitFor();
  expect(await second.getByRole('button', { name: 'Sign out' }).isVisible()).toBe(true);
  expect(sent).not.toContain('DELETE /session');

  operatorId = 'person-2';
  const third = await opened();
  await second.getByText('Somebody else signed in').waitFor();
  await second.reload();
  await second.getByRole('button', { name: 'Sign out' }).waitFor();
  const draft = { operatorId, caseId: 'case', reasons: [], comment: 'The hologram is missing' };
  await second.evaluate(`sessionStorage.setItem('assay.draft', ${JSON.stringify(JSON.stringify(draft))})`);
  await third.getByRole('button', { name: 'Sign out' }).click();
  await second.getByText('You signed out in another tab').waitFor();
  expect(await second.evaluate('sessionStorage.getItem("assay.draft")')).toBeNull();
  for (const tab of [first, second, third]) await tab.getByRole('button', { name: 'Sign in with Example' }).waitFor();
  expect(sent.filter((each) => each === 'DELETE /session')).toHaveLength(1);
  await context.close();
}, 120_000);
