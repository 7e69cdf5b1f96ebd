import { readFileSync } from 'node:fs';
import {
  licenceText,
  newIdentity,
  newTenant,
  readStack,
  specimen,
  startWebhookReceiver,
  waitFor,
} from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exportOf, filesBelow, listen, ofKeys } from '../setup/holdings.ts';
import { everyKey, keysOfIdentity } from './gone/keys.ts';
import { broughtToLight, missedAsText, partsAbout } from './gone/opening.ts';

/*
 * After an identity is deleted, no remaining key opens any of its data: in the databases as they
 * are now, in a backup of them, in any message that the broker received, or in any file (of the
 * engines, logs, temporary ones). The search leaves out the database of keys.
 */

const NUMBER = 'T5561930277';
const [SURNAME, MAIL, BUSINESS_ID] = ['MARBLEWOODCANARY', 'gone@example.org', 'who-is-gone@example.org'];
const CANARIES = [SURNAME, NUMBER, MAIL, BUSINESS_ID];
const licence = licenceText({ number: NUMBER, surname: SURNAME });

let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
let broker: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  [receiver, broker] = await Promise.all([startWebhookReceiver(), listen()]);
});
afterAll(async () => {
  await Promise.all([receiver?.close(), broker?.close()]);
});

/** An identity about which every service stores something. */
const anIdentity = async () => {
  const tenant = await newTenant('gone', {
    issuingSources: { enabled: true },
    webhook: { url: receiver.url, mode: 'NONE' },
  });
  const identity = await newIdentity(tenant.relyingService, { businessId: BUSINESS_ID, email: MAIL });
  await identity.consent('PORTRAIT', 'GIV');
  const document = await identity.document(specimen('passport.jpg'));
  const text = await tenant.relyingService.post(`${identity.at}/id-documents`, licence, { 'Idempotency-Key': 'gone' });
  await identity.stable(document.body.id);
  await identity.stable(text.body.id);
  await receiver.next('the evaluation', ({ body }) => body.evidence?.evidenceId === text.body.id);
  return { tenant, identity };
};

/** What a file holds; the database removes files of its journal at any time. */
const bytesOf = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return Buffer.alloc(0);
  }
};

/**
 * Everything about an identity: the documents and messages that name it, and what surrounds its id
 * in files.
 */
const holdingsOf = (id: string, documents: Iterable<Buffer[]>) => {
  const { logDir, dataDir } = readStack();
  const files = [...filesBelow(logDir), ...filesBelow(dataDir)];
  return {
    documents: [...documents].flat().filter((document) => document.includes(id)),
    messages: broker.heard.filter((message) => message.includes(id)),
    files: files.flatMap((file) => partsAbout(bytesOf(file), id)),
  };
};
const inClear = (stored: readonly Buffer[]) => CANARIES.filter((text) => stored.some((bytes) => bytes.includes(text)));

/** Waits until every service has purged. */
const purged = async ({ id }: { id: string }): Promise<void> => {
  const isNamed = async (where: RegExp) =>
    [...(await exportOf((name) => !where.test(name))).values()].flat().some((document) => document.includes(id));
  await waitFor('its key to be gone', async () => !(await isNamed(/keys\.(identityKeys|noticeKeys)$/)), 30_000);
  await waitFor(
    'every service to have purged',
    async () => !(await isNamed(/evidence_intake\.(evidences|media)$/)),
    30_000,
  );
};

test('no other key opens anything of a deleted identity in what is left or was backed up', async () => {
  const { tenant, identity } = await anIdentity();
  const backup = await exportOf(ofKeys);
  const own = await keysOfIdentity(identity.id);
  const before = holdingsOf(identity.id, backup.values());
  // The identity's own keys open everything, so the search finds what it looks for.
  expect(broughtToLight(before.documents, own, CANARIES)).toEqual(CANARIES);
  expect(broughtToLight(before.messages, own, [SURNAME, NUMBER, BUSINESS_ID])).toHaveLength(3);
  expect(missedAsText([...before.documents, ...before.messages], own, CANARIES)).toEqual([]);

  expect((await tenant.relyingService.delete(identity.at)).status).toBeLessThan(300);
  await purged(identity);
  const after = holdingsOf(identity.id, (await exportOf(ofKeys)).values());
  const stored = [before.documents, after.documents, after.messages, before.files, after.files].flat();
  expect(inClear(stored)).toEqual([]);
  const others = await everyKey();
  expect(others.length).toBeGreaterThan(20);
  expect(others.some((key) => own.some((former) => former.equals(key)))).toBe(false);
  expect(broughtToLight(stored, others, CANARIES)).toEqual([]);
}, 120_000);
