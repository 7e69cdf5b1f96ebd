import { createHash } from 'node:crypto';
import { createAuthority } from '@assay/chip/software';
import { apiWith, newIdentity, newTenant, readStack, specimen, startWebhookReceiver, waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { isAccessible, launchBrowser, picture } from './setup/pages.ts';

/**
 * The daily work of an administrator on the administration pages, with the keyboard for everything
 * that is typed or pressed.
 */

let browser: Browser;
let page: Page;
const errors: string[] = [];
const { baseUrl, keys } = readStack();
const at = (...parts: string[]): string => `${baseUrl}/admin/#/${parts.join('/')}`;
const signIn = async (on: Page): Promise<void> => {
  await on.getByLabel('Administrator key').waitFor();
  await on.keyboard.type(keys.admin);
  await on.keyboard.press('Enter');
  await on.getByRole('button', { name: 'Sign out' }).waitFor();
};
const type = async (label: string, text: string): Promise<void> => {
  await page.getByLabel(label).focus();
  await page.keyboard.type(text);
};
const pressTab = async (name: string): Promise<void> => {
  await page.getByRole('tab', { name, exact: true }).focus();
  await page.keyboard.press('Enter');
};
const pressOn = async (name: string): Promise<void> => {
  await page.getByRole('button', { name, exact: true }).first().focus();
  await page.keyboard.press('Enter');
};

beforeAll(async () => {
  browser = await launchBrowser();
  page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`${baseUrl}/admin/`);
  await isAccessible(page);
  await picture('admin-sign-in', page, false);
  await page.keyboard.type(readStack().keys.operator);
  await page.keyboard.press('Enter');
  await page.getByText('This is not the key of an administrator').waitFor();
  await page.getByLabel('Administrator key').fill('');
  await page.getByLabel('Administrator key').focus();
  await signIn(page);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  expect(errors).toEqual([]);
});

test('an identity is found by its business id, and its webhook sent again', async () => {
  const receiver = await startWebhookReceiver();
  const tenant = await newTenant('resending', { webhook: { url: receiver.url, mode: 'NONE' } });
  const identity = await newIdentity(tenant.relyingService, { context: [{ key: 'BUSINESS_ID', value: 'order 4711' }] });
  await newIdentity(tenant.relyingService, { context: [{ key: 'BUSINESS_ID', value: 'order 4712' }] });
  const { body } = await identity.document(specimen('passport.jpg'));
  await identity.stable(body.id, 60_000);
  const first = await receiver.next('the evaluation', (webhook) => webhook.body.identityId === identity.id);

  await page.goto(at());
  await page.reload();
  await page.getByRole('heading', { name: 'Tenants' }).waitFor();
  await type('Search', tenant.tenantId);
  await page.getByRole('link', { name: 'resending' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'Identities' }).waitFor();
  await waitFor('both identities to be listed', async () => (await page.locator('tbody tr').count()) === 2);
  await isAccessible(page);
  await type('Business id', 'order 4711');
  await page.keyboard.press('Enter');
  await waitFor('one to be found', async () => (await page.locator('tbody tr').count()) === 1);
  await picture('admin-identities', page, false);
  await page.getByRole('link', { name: identity.id }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Evidence evaluated').first().waitFor();
  await page.getByText('delivered', { exact: true }).first().waitFor();
  expect(await page.locator('main').textContent()).not.toContain('order 4711');
  await isAccessible(page);
  await picture('admin-identity', page);
  await pressOn('Resend');
  await page.getByText('Queued: the same bytes are sent again').waitFor();
  const again = await waitFor('the repeat', () =>
    receiver.received.find((each) => each !== first && each.headers['webhook-id'] === first.headers['webhook-id']),
  );
  expect(again.raw).toEqual(first.raw);
  // The page shows the second attempt at once or after its next refresh.
  await page
    .getByText(/^[12] attempts?$/)
    .first()
    .click();
  const digest = createHash('sha256').update(first.raw).digest('hex');
  await page.locator('.digest', { hasText: digest }).first().waitFor();

  const download = page.waitForEvent('download');
  await pressOn('Export what is stored of the person');
  expect((await download).suggestedFilename()).toBe(`${identity.id}.json`);
  await pressOn('Purge');
  await page.getByText('it was deleted').waitFor();
  expect((await tenant.relyingService.get(identity.at)).status).toBe(410);
  await page.getByText('Identity purged').waitFor();
  await receiver.close();
}, 180_000);

test('deliveries that failed while a receiver was unreachable are sent again from a chosen time on', async () => {
  const receiver = await startWebhookReceiver();
  receiver.answerWith(() => 500);
  const tenant = await newTenant('recovering', { webhook: { url: receiver.url, mode: 'NONE', attempts: 1 } });
  const identity = await newIdentity(tenant.relyingService);
  await tenant.relyingService.post(`${identity.at}/addresses`, { city: 'UTOPIA', country: 'UTO' });
  await page.goto(at('tenants', tenant.tenantId, 'webhook'));
  const failed = page.getByRole('row').filter({ hasText: identity.id }).getByText('failed', { exact: true });
  await waitFor('the failure', async () => {
    await pressOn('Refresh');
    return (await failed.count()) === 1;
  });
  const other = await newTenant('a tenant before the one that is recovering');
  await page.goto(at());
  await page.getByLabel('Webhook').selectOption('bad');
  await type('Search', tenant.tenantId);
  const row = page.locator('tbody tr');
  await row.getByText('failing').waitFor();
  await row.getByText('500').waitFor();
  await isAccessible(page);
  await page.getByLabel('Search').fill('recovering');
  await page.getByLabel('Webhook').selectOption('');
  const ids = async () => (await page.locator('tbody code.id').allTextContents()).map((text) => text.trim());
  await waitFor('both by name', async () => (await ids()).join() === [other.tenantId, tenant.tenantId].join());
  await row.getByRole('link', { name: 'failing' }).click();
  receiver.answerWith(() => 200);
  await page.getByText('Notifications do not arrive.').waitFor();
  await page.getByText('Send everything that failed again').click();
  await page.getByLabel('Failed since (UTC)').fill('2026-01-02T03:04');
  await isAccessible(page);
  await pressOn('Send all again');
  await page.getByText('1 notification is sent again: the same bytes').waitFor();
  const [first, again] = await waitFor('the repeat', () => receiver.received.length === 2 && receiver.received);
  expect([again!.raw, again!.headers['webhook-id']]).toEqual([first!.raw, first!.headers['webhook-id']]);
  await page.getByLabel('Failed since (UTC)').fill('2099-01-02T03:04');
  await pressOn('Send all again');
  await page.getByText('Nothing has failed since then.').waitFor();
  await pressOn('Refresh');
  await page.getByText('Notifications arrive.').waitFor();
  await tenant.admin.patch(`/admin/v1/tenants/${tenant.tenantId}`, { settings: { webhook: { enabled: false } } });
  await page.reload();
  await page.getByText('an administrator turned this webhook off').waitFor();
  await receiver.close();
}, 120_000);

test("a tenant's policy is changed after a preview of the effect", async () => {
  const tenant = await newTenant('what if');
  const identity = await newIdentity(tenant.relyingService);
  const { body } = await identity.document(specimen('passport.jpg'));
  await identity.becomes(body.id, 'VERIFIED', 60_000);
  await page.goto(at('tenants', tenant.tenantId, 'policy'));
  await page.getByRole('combobox', { name: 'Policy' }).selectOption('strict');
  await pressOn('What would change?');
  await page.getByText('1 running identity was looked at; 1 would change').waitFor();
  await page.getByRole('link', { name: identity.id }).waitFor();
  await isAccessible(page);
  await picture('admin-policy', page, false);
  await pressOn('Use this policy');
  await page.getByText('New identities of this tenant are judged under strict').waitFor();
  const { body: changed } = await tenant.admin.get(`/admin/v1/tenants/${tenant.tenantId}`);
  expect(changed.settings.policy).toBe('strict');
}, 180_000);

test('a master list is imported, shown and removed again', async () => {
  const authority = createAuthority({ country: 'UT' });
  const masterList = authority.signMasterList([authority.certificate], new Date());
  await page.goto(at('trust'));
  await page.getByLabel(/^File/).setInputFiles({ name: 'list.ml', mimeType: 'application/pkcs7', buffer: masterList });
  await type('Where it is from', 'a test');
  await page.keyboard.press('Enter');
  await page.getByText('1 added, 0 known already, 0 refused').waitFor();
  const row = page.getByRole('row').filter({ hasText: 'a test' });
  await row.getByText('master list').waitFor();
  await isAccessible(page);
  await picture('admin-trust', page, false);
  await pressTab('Report');
  await page.getByRole('row').filter({ hasText: 'UT' }).first().waitFor();
  await page.getByRole('row').filter({ hasText: 'a test' }).waitFor();
  await isAccessible(page);
  await pressTab('Document signers');
  await page.getByText('Nothing is listed').waitFor();
  await pressTab('Countries’ authorities');
  await row.getByRole('button', { name: 'Remove' }).focus();
  await page.keyboard.press('Enter');
  await row.waitFor({ state: 'detached' });
  await page
    .getByLabel(/^File/)
    .setInputFiles({ name: 'no.ml', mimeType: 'image/jpeg', buffer: specimen('passport.jpg') });
  await page.getByRole('button', { name: 'Import' }).click();
  await page.getByText(/^file: /).waitFor();
}, 120_000);

test('settings, webhook and keys of a tenant are set, and the audit log records it and verifies', async () => {
  const receiver = await startWebhookReceiver();
  const { tenantId, admin } = await newTenant('settings');
  const settingsOf = async () => (await admin.get(`/admin/v1/tenants/${tenantId}`)).body.settings;
  await page.goto(at('tenants', tenantId, 'settings'));
  await type('Attempts at a code', '5');
  await page.getByLabel('Four eyes').selectOption('yes');
  await page.keyboard.press('Tab');
  await isAccessible(page);
  await picture('admin-settings', page, false);
  await pressOn('Save');
  await page.getByText('Saved.').waitFor();
  expect(await settingsOf()).toMatchObject({ otp: { attempts: 5 }, adjudication: { fourEyes: true } });
  await page.getByLabel('Attempts at a code').fill('many');
  await pressOn('Save');
  await page.getByText('settings.otp.attempts: must be integer').waitFor();

  await page.getByRole('tab', { name: 'Webhook' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('This tenant has no webhook').waitFor();
  await type('Address', receiver.url);
  await page.getByLabel('Security').selectOption('NONE');
  await pressOn('Save');
  await page.getByText('Saved.').waitFor();
  await pressOn('Send a test notification');
  await page.getByText('The receiver answered 200').waitFor();
  await page.getByText('none: a test').waitFor();
  await isAccessible(page);
  await picture('admin-webhook', page);
  expect(receiver.received).toHaveLength(1);

  await page.getByRole('tab', { name: 'Keys' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Role of a new key').selectOption('OPERATOR');
  await pressOn('Make a key');
  const made = (await page.locator('.shown-once').textContent()) ?? '';
  const me = await fetch(`${baseUrl}/operator/v1/me`, { headers: { apikey: made } });
  expect(me.status).toBe(200);
  // A person's key needs a name besides the subject. The form for a program's key has no such
  // field.
  await type('Person (subject)', 'ann@example.org');
  await pressOn('Make a key');
  await type('Name of the person', 'Ann Example');
  await page.keyboard.press('Enter');
  const row = page.getByRole('row').filter({ hasText: 'Ann Example' });
  await row.getByText(/^person-/).waitFor();
  const { body: keysNow } = await admin.get(`/admin/v1/tenants/${tenantId}/keys`);
  expect(keysNow.items.filter(({ name }: { name?: string }) => name === 'Ann Example')).toHaveLength(1);
  await isAccessible(page);
  await page.getByLabel('Role of a new key').selectOption('USER_AGENT');
  await page.getByLabel('Person (subject)').waitFor({ state: 'detached' });

  await page.getByRole('tab', { name: 'Audit log' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('tbody').getByText('Tenant changed').first().waitFor();
  await pressOn('Verify the whole chain');
  await page.getByText(/The chain holds: \d+ entries/).waitFor();
  await isAccessible(page);
  await picture('admin-audit', page, false);
  await receiver.close();
}, 180_000);

test('what was typed into settings outlives an end of the session, but for secrets', async () => {
  const { tenantId, admin } = await newTenant('typed');
  const { body: made } = await admin.post('/admin/v1/keys', {});
  const other = await (await browser.newContext()).newPage();
  other.on('dialog', (dialog) => void dialog.accept());
  const attempts = other.getByLabel('Attempts at a code');
  await other.goto(at('tenants', tenantId, 'settings'));
  await other.getByLabel('Administrator key').fill(made.apiKey);
  await other.keyboard.press('Enter');
  await attempts.fill('4');
  await other.reload();
  await other.getByText('1 change is not saved yet').waitFor();
  await admin.delete(`/admin/v1/keys/${made.keyId}`);
  await other.getByRole('button', { name: 'Save' }).click();
  await signIn(other);
  expect(await attempts.inputValue()).toBe('4');
  await other.getByRole('tab', { name: 'Webhook' }).click();
  await other.locator('input[type=password]').first().fill('a word nobody may read');
  await other.getByLabel('Address').fill('https://receiver.example/typed');
  const stored = await other.evaluate('JSON.stringify(sessionStorage)');
  expect([/receiver.example/.test(String(stored)), /nobody may read/.test(String(stored))]).toEqual([true, false]);
  // Whoever says that they leave their changes does not find them again.
  await other.getByRole('tab', { name: 'Settings' }).click();
  await attempts.waitFor();
  expect(await attempts.inputValue()).toBe('');
  await other.context().close();
}, 60_000);

test('the audit log shows the newest entries first, pages to older ones, and filters by act and identity', async () => {
  const { tenantId, admin, relyingService } = await newTenant('audited');
  const { id } = await newIdentity(relyingService);
  await relyingService.get(`/svc/v1/identities/${id}`);
  // Each call leaves two entries: the act and its refusal.
  const nothing = Array.from({ length: 26 }, () => admin.delete(`/admin/v1/tenants/${tenantId}/keys/none`));
  await Promise.all(nothing);
  await page.goto(at('tenants', tenantId, 'audit'));
  const rows = page.locator('tbody tr');
  const first = (): Promise<string | null> => rows.first().textContent();
  await waitFor('the newest', async () => (await first())?.includes('Act refused') && (await rows.count()) === 50);
  await pressOn('Older');
  await page.locator('tbody').getByText('Identity read').waitFor();
  expect(await page.getByRole('button', { name: 'Older' }).count()).toBe(0);
  await pressOn('Newer');
  await waitFor('the newest', async () => (await rows.count()) === 50);
  await page.getByLabel('What was done').selectOption('key.create');
  await pressOn('Find');
  await waitFor('the keys of a new tenant', async () => (await rows.count()) === 3);
  await page.getByLabel('What was done').selectOption('');
  await type('Identity id', id);
  await page.keyboard.press('Enter');
  await waitFor('what was done to the identity', async () => (await rows.count()) === 1);
  expect(await first()).toContain('Identity read');
  await page.getByLabel('Identity id').fill('another');
  await pressOn('Find');
  await page.getByText('Nothing like that was done').waitFor();
  await isAccessible(page);
}, 120_000);

test('keys beyond the first fifty are shown, too', async () => {
  const { tenantId, admin, keys: own } = await newTenant('many keys');
  for (let made = 0; made < 51; made += 1)
    await admin.post(`/admin/v1/tenants/${tenantId}/keys`, { role: 'USER_AGENT' });
  await page.goto(at('tenants', tenantId, 'keys'));
  const all = 51 + Object.keys(own).length;
  await waitFor(`${all} keys`, async () => (await page.locator('tbody tr').count()) === all);
}, 60_000);

test('deliveries beyond the newest fifty are on older pages', async () => {
  const receiver = await startWebhookReceiver();
  const { tenantId, admin } = await newTenant('many deliveries', { webhook: { url: receiver.url, mode: 'NONE' } });
  for (let sent = 0; sent < 51; sent += 1) await admin.post(`/admin/v1/tenants/${tenantId}/endpoint/test`);
  await page.goto(at('tenants', tenantId, 'webhook'));
  const listed = (count: number) =>
    waitFor(`${count} deliveries`, async () => (await page.locator('tbody tr').count()) === count);
  await listed(50);
  await pressOn('Older');
  await listed(1);
  await pressOn('Newer');
  await listed(50);
}, 60_000);

test('the suite is checked, its next signing key is made, and its staff is listed', async () => {
  await page.goto(at('suite'));
  // What other tests do to the suite meanwhile may be among the findings of one of the two only.
  await waitFor('as many findings on the page as in the reply', async () => {
    await pressOn('Check again');
    await page.getByRole('button', { name: 'Check again', disabled: false }).waitFor();
    const { body } = await apiWith(baseUrl, keys.admin).get('/admin/v1/doctor');
    const open = body.findings.filter(({ status }: { status: string }) => status !== 'OK');
    return open.length > 0 && (await page.locator('tbody tr').count()) === open.length;
  });
  await isAccessible(page);
  await picture('admin-suite', page, false);

  await pressTab('Signing keys');
  await page.getByText('signs now').waitFor();
  const before = await page.locator('tbody tr').count();
  await pressOn('Make the next key');
  await page.getByText('The next key is published').waitFor();
  await waitFor('the next key', async () => (await page.locator('tbody tr').count()) === before + 1);
  expect(await page.getByText('signs now').count()).toBe(1);
  await isAccessible(page);

  const tenant = await newTenant('with a person');
  const person = { subject: 'kim@example.org', name: 'Kim' };
  await tenant.admin.post(`/admin/v1/tenants/${tenant.tenantId}/keys`, { role: 'OPERATOR', person });
  await pressTab('People');
  const row = page.getByRole('row').filter({ hasText: 'kim@example.org' });
  await row.getByRole('button', { name: 'End sessions' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('0 sessions were ended').waitFor();
  await row.getByRole('button', { name: 'Forget' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('revoke the keys of this person first').waitFor();
  await isAccessible(page);
}, 120_000);

test('every page is accessible on a phone in dark mode and fits its width', async () => {
  const { tenantId } = await newTenant('a tenant with a name that is rather long for a phone');
  const context = await browser.newContext({ viewport: { width: 390, height: 800 }, colorScheme: 'dark' });
  const phone = await context.newPage();
  await phone.goto(`${baseUrl}/admin/`);
  await signIn(phone);
  const places = [
    ...['', 'trust', 'dead-letters', 'audit', 'keys', 'suite'].map((place) => at(place)),
    ...['signing-keys', 'people'].map((tab) => at('suite', tab)),
    ...['identities', 'settings', 'policy', 'webhook', 'keys', 'audit'].map((tab) => at('tenants', tenantId, tab)),
  ];
  const chosenTab = `[...document.querySelectorAll('[role=tab][aria-selected=true]')]
    .map((tab) => tab.getBoundingClientRect()).every(({ left, right }) => left >= 0 && right <= innerWidth)`;
  for (const place of places) {
    await phone.setViewportSize({ width: 320, height: 800 });
    await phone.goto(place);
    await phone.getByRole('heading', { level: 1 }).waitFor();
    await waitFor('the page to be loaded', async () => (await phone.getByText('Loading').count()) === 0);
    expect([place, await phone.evaluate(chosenTab)]).toEqual([place, true]);
    await isAccessible(phone);
    const wide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    for (const width of [320, 390]) {
      await phone.setViewportSize({ width, height: 800 });
      expect([place, width, await phone.evaluate(wide)]).toEqual([place, width, false]);
    }
  }
  await picture('admin-phone', phone, false);
  await context.close();
}, 180_000);
