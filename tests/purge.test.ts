import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  licenceText,
  newIdentity,
  newTenant,
  readStack,
  specimen,
  startWebhookReceiver,
  type Tenant,
  type WebhookReceiver,
  waitFor,
} from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect } from 'amqplib';
import { exportOf, filesBelow, ofKeys } from './setup/holdings.ts';

/**
 * No personal data of a closed identity are left in any database, queue, log, metric or folder, and
 * the data in a backup cannot be read.
 */

const SURNAME = 'QUARTZHAVENCANARY';
const NUMBER = 'T7731940288';
const CANARIES = [SURNAME, NUMBER, 'canary@example.org'];
const licence = licenceText({ number: NUMBER, surname: SURNAME });

let tenant: Tenant;
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  tenant = await newTenant('purge', {
    issuingSources: { enabled: true },
    retention: { proofGraceSeconds: 1 },
    webhook: { url: receiver.url, mode: 'NONE' },
  });
});
afterAll(() => receiver.close());

/** The content of a file, or nothing when its engine has removed it meanwhile, as with journals. */
const contentOf = (file: string): Promise<Buffer> =>
  readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });

/** Messages still in any queue of the suite, those of dead letters and waiting rooms included. */
const messages = async (): Promise<string> => {
  const { QUEUES } = await import('@assay/contracts');
  const { ROOMS_MS, waitingRoomOf } = await import('@assay/bus');
  const connection = await connect(readStack().amqpUrl);
  const texts: string[] = [];
  const rooms = (name: string) => ROOMS_MS.map((ms) => waitingRoomOf(name, ms));
  for (const queue of Object.keys(QUEUES).flatMap((name) => [name, `${name}.dead`, ...rooms(name)])) {
    const channel = await connection.createChannel();
    channel.on('error', () => undefined);
    const there = await channel.checkQueue(queue).catch(() => undefined);
    // A waiting room is created when it is first needed.
    if (!there) continue;
    for (let message = await channel.get(queue); message; message = await channel.get(queue))
      texts.push(message.content.toString());
    await channel.close();
  }
  await connection.close();
  return texts.join('\n');
};

test('nothing of a closed identity is left, and a backup taken before cannot be read', async () => {
  const image = specimen('passport.jpg');
  const pixels = image.subarray(image.length / 2, image.length / 2 + 64);
  const canaries = [...CANARIES.map((text) => Buffer.from(text)), pixels];
  const finds = (bytes: Buffer): boolean => canaries.some((canary) => bytes.includes(canary));

  const identity = await newIdentity(tenant.relyingService, { email: 'canary@example.org' });
  await identity.consent('PORTRAIT', 'GIV');
  const document = await identity.document(image);
  const text = await identity.text(licence);
  await identity.becomes(document.body.id, 'VERIFIED');
  await identity.becomes(text.body.id, 'INVALID');
  expect(JSON.stringify(await identity.get())).toContain(SURNAME);

  const backup = await exportOf(ofKeys);
  for (const [name, stored] of backup) expect([name, stored.some(finds)]).toEqual([name, false]);
  expect([...backup.values()].flat().some((stored) => stored.includes(identity.id))).toBe(true);

  // Whether a stored document names the id. The test searches the content of media only at the end.
  const isNamed = async (id: string, where: RegExp) =>
    [...(await exportOf((name) => !where.test(name))).values()].flat().some((stored) => stored.includes(id));
  const hasKey = () => isNamed(identity.id, /keys\.identityKeys$/);
  const hasEvidence = () => isNamed(document.body.id, /evidence_intake\.(?!.*\.chunks$)|verification_worker\.cases$/);
  expect([await hasKey(), await hasEvidence()]).toEqual([true, true]);
  expect((await identity.proof()).status).toBe(200);
  await waitFor('every service to have purged', async () => !(await hasKey()) && !(await hasEvidence()), 30_000);
  const left = await exportOf(() => false);
  for (const [name, stored] of left) expect([name, stored.some(finds)]).toEqual([name, false]);
  await waitFor('the grace period to end', async () => (await identity.proof()).status === 410, 10_000);

  expect(finds(Buffer.from(await messages()))).toBe(false);
  const { services, logDir, dataDir } = readStack();
  for (const { adminUrl } of Object.values(services).flat())
    expect(finds(Buffer.from(await (await fetch(`${adminUrl}/metrics`)).text()))).toBe(false);
  // Temporary files of the services would be in the data folder too.
  expect(existsSync(join(dataDir, 'tmp'))).toBe(true);
  // This document was never sent to an issuer, so the simulated issuers' own records do not have
  // it.
  const holding: string[] = [];
  for (const file of [...filesBelow(logDir), ...filesBelow(dataDir)])
    if (finds(await contentOf(file))) holding.push(file);
  expect(holding).toEqual([]);
  expect(receiver.received.some(({ raw }) => finds(raw))).toBe(false);
}, 120_000);
