import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXCHANGE, QUEUES } from '@assay/contracts';
import {
  licenceText,
  newIdentity,
  newTenant,
  type OwnSuite,
  onSharedEngines,
  readStack,
  specimen,
  startOwnSuite,
  type Tenant,
  waitFor,
} from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect } from 'amqplib';
import mongoose from 'mongoose';
import { type Ears, openEars } from './setup/ears.ts';

/*
 * Every event is lost the first time it is published, for every reader, and the suite repairs each
 * loss. No queue is bound to the exchange here: a thief consumes from it, and passes a message to a
 * queue only when the message comes a second time.
 */

const PATIENCE_MS = 60_000;
const DESK = `desk-${process.pid}@mail.example`;

let suite: OwnSuite;
let thief: Awaited<ReturnType<typeof openThief>>;
let ears: Ears;
let tenant: Tenant;
let pausing: Tenant;
let mongo: mongoose.Connection;
beforeAll(async () => {
  suite = await startOwnSuite('lost-events', {
    ...onSharedEngines(),
    REPUBLISH_AFTER_MS: '400',
    RECONCILE_AFTER_MS: '3000',
  });
  thief = await openThief();
  mongo = await mongoose.createConnection(readStack().mongoUrl).asPromise();
  ears = await openEars();
  const { webhook } = ears;
  tenant = await newTenant('lost events', {
    webhook,
    issuingSources: { enabled: true },
    adjudication: { enabled: true, noticeAfterSeconds: 1, noticeWebhook: true, noticeEmail: DESK },
    retention: { proofGraceSeconds: 1 },
  });
  pausing = await newTenant('lost pauses', {
    webhook,
    transactionLifetimeSeconds: 1,
    pauseResume: { enabled: true, pauseDurationSeconds: 2 },
  });
}, 180_000);
afterAll(async () => {
  await thief?.close();
  await mongo?.close();
  await ears?.close();
  await suite?.stop();
}, 60_000);

interface Row {
  event: string;
  reader: string;
  repairedBy: string;
}

/** The table "If an event is lost" of docs/events.md, a row for each reader. */
const documented = (): Row[] => {
  const text = readFileSync(join(import.meta.dirname, '../docs/events.md'), 'utf8');
  const [, section = ''] = text.split('## If an event is lost');
  const rows = section.split('\n## ')[0]!.matchAll(/^\| ([a-z-]+\.[a-z-]+) \| [a-z-]+ -> ([a-z, -]+) \| (.+) \|$/gm);
  return [...rows].flatMap(([, event = '', readers = '', repairedBy = '']) =>
    readers.split(', ').map((reader) => ({ event, reader, repairedBy })),
  );
};
const pairOf = ({ event, reader }: Omit<Row, 'repairedBy'>): string => `${event} -> ${reader}`;
const needsNone = ({ repairedBy }: Row): boolean => repairedBy.startsWith('none needed');

interface Message {
  id: string;
  type: string;
  identityId: string;
  data: { checkId?: string; reissued?: boolean };
}

/**
 * Identifies an announcement across its repetitions. A check request and a closing are published
 * again under new ids.
 */
const tellingOf = ({ id, type, identityId, data }: Message): string => {
  if (type === 'issuing-check.requested') return `${type} ${data.checkId}`;
  return type === 'identity.closed' ? `${type} ${identityId}` : id;
};

/** Consumes from the exchange in place of the queues. */
const openThief = async () => {
  const { amqpUrl, names } = readStack();
  const connection = await connect(amqpUrl);
  const channel = await connection.createChannel();
  const exchange = `${names.queues}${EXCHANGE}`;
  const { queue: bag } = await channel.assertQueue('', { exclusive: true });
  const spared = new Set(documented().filter(needsNone).map(pairOf));
  const stolen = new Set<string>();
  const repaired = new Set<string>();

  const pass = (message: Message, queue: string): boolean => {
    const pair = pairOf({ event: message.type, reader: queue.split('.')[0]! });
    if (spared.has(pair) || message.data.reissued) return true;
    const telling = `${tellingOf(message)} ${queue}`;
    if (stolen.has(telling)) {
      repaired.add(pair);
      return true;
    }
    stolen.add(telling);
    return false;
  };

  await channel.bindQueue(bag, exchange, '#');
  for (const [queue, types] of Object.entries(QUEUES))
    for (const type of types) await channel.unbindQueue(`${names.queues}${queue}`, exchange, type);
  await channel.consume(
    bag,
    (delivery) => {
      if (!delivery) return;
      const message = JSON.parse(delivery.content.toString()) as Message;
      const readers = Object.entries(QUEUES).filter(([, types]) => types.includes(message.type));
      for (const [queue] of readers)
        if (pass(message, queue)) channel.publish('', `${names.queues}${queue}`, delivery.content, delivery.properties);
    },
    { noAck: true },
  );
  return { repaired, close: () => connection.close() };
};

const collection = (service: string, name: string) =>
  mongo.useDb(`${readStack().names.databases}${service}`).collection<{ _id: string }>(name);

type Identity = Awaited<ReturnType<typeof newIdentity>>;

const decide = async (evidenceId: string): Promise<void> => {
  const { caseId } = await waitFor(
    'the case',
    async () => {
      const { body } = await tenant.operator.get('/operator/v1/cases?state=OPEN');
      return body.items.find((each: { evidenceId: string }) => each.evidenceId === evidenceId);
    },
    PATIENCE_MS,
  );
  await tenant.operator.post(`/operator/v1/cases/${caseId}/claim`);
  await tenant.operator.post(`/operator/v1/cases/${caseId}/decision`, { decision: 'ACCEPT', reasons: [] });
};

/** Waits until a webhook and a mail have reported the waiting case. */
const reported = async ({ id }: Identity): Promise<void> => {
  const isNotice = ({ body }: Ears['receiver']['received'][number]) =>
    body.identityId === id && body.event === 'AdjudicationWaiting';
  await waitFor('the webhook', () => ears.receiver.received.filter(isNotice).length === 1, PATIENCE_MS);
  const at = `${readStack().mailcatcher}/messages?to=${encodeURIComponent(DESK)}`;
  await waitFor('the mail', async () => (await (await fetch(at)).text()).includes('has waited for'), PATIENCE_MS);
};

const verifyEmail = async (identity: Identity): Promise<void> => {
  const value = `${identity.id}@mail.example`;
  const at = `${identity.at}/contacts/email`;
  await tenant.relyingService.post(at, { value });
  const otp = await waitFor('the code', async () => {
    const answer = await fetch(`${readStack().mailcatcher}/messages?to=${encodeURIComponent(value)}`);
    return /\b(\d{6})\b/.exec((await answer.text()).replaceAll(value, ''))?.[1];
  });
  await tenant.relyingService.post(`${at}/otp`, { otp });
};

const licence = licenceText({ number: 'T99999999' });

test('a flow whose every message is lost once ends as if no message had been lost', async () => {
  const identity = await newIdentity(tenant.relyingService);
  await identity.consent('GIV', 'PORTRAIT', 'EMAIL_OTP');
  const passport = (await identity.document(specimen('passport.jpg'))).body.id;
  const text = (await identity.text(licence)).body.id;
  const altered = (await identity.document(specimen('passport-altered.jpg'))).body.id;
  const portrait = (await identity.portrait(specimen('selfie-same.jpg'))).body.id;
  await verifyEmail(identity);
  await identity.becomes(passport, 'VERIFIED', PATIENCE_MS);
  await identity.becomes(portrait, 'VERIFIED', PATIENCE_MS);
  await identity.becomes(text, 'INVALID', PATIENCE_MS);
  await identity.becomes(altered, 'ADJUDICATION', PATIENCE_MS);
  await reported(identity);
  await decide(altered);
  await identity.becomes(altered, 'VERIFIED', PATIENCE_MS);

  const media = collection('evidence_intake', 'media');
  expect(await media.countDocuments({ evidenceId: altered })).toBeGreaterThan(0);
  await tenant.relyingService.delete(`${identity.at}/evidences/${altered}`);
  await waitFor('its media', async () => (await media.countDocuments({ evidenceId: altered })) === 0, PATIENCE_MS);
  const created = ['CREATED PASSPORT', 'CREATED PASSPORT', 'CREATED DRIVING_LICENSE', 'CREATED PORTRAIT'];
  await waitFor(
    `the notifications (heard: ${ears.published(identity)})`,
    () => [...created, 'CREATED EMAIL', 'DELETED PASSPORT'].every((each) => ears.published(identity).includes(each)),
    PATIENCE_MS,
  );
  const ids = ears.receiver.received
    .filter(({ body }) => body.identityId === identity.id)
    .map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(ids.length);

  await waitFor('the proof', async () => (await identity.proof()).status === 200, PATIENCE_MS);
  const gateway = collection('gateway', 'identities');
  await waitFor('the closing', async () => (await gateway.findOne({ _id: identity.id, state: 'CLOSED' })) !== null);
  // The gateway publishes a closing again after a minute. This makes it due now.
  await gateway.updateOne({ _id: identity.id }, { $set: { repeatAt: new Date(0) } });
  const left = async () =>
    (await collection('evidence_intake', 'evidences').countDocuments({ identityId: identity.id })) +
    (await collection('issuing_source_adapter', 'checks').countDocuments({ identityId: identity.id })) +
    (await collection('proof_builder', 'histories').countDocuments({ identityId: identity.id })) +
    (await collection('verification_worker', 'cases').countDocuments({ _id: identity.id, closed: null } as never));
  await waitFor('nothing of it is left', async () => (await left()) === 0, PATIENCE_MS);
}, 240_000);

test('an adjudication case is closed when the consent is withdrawn, though every message about it is lost once', async () => {
  const identity = await newIdentity(tenant.relyingService);
  await identity.consent('PORTRAIT');
  const passport = (await identity.document(specimen('passport.jpg'))).body.id;
  await identity.becomes(passport, 'VERIFIED', PATIENCE_MS);
  const portrait = (await identity.portrait(specimen('portraits/holder.jpg'))).body.id;
  await identity.becomes(portrait, 'ADJUDICATION', PATIENCE_MS);
  const [{ consentId }] = (await identity.get()).consents;
  await tenant.relyingService.delete(`${identity.at}/consents/${consentId}`);
  await identity.becomes(portrait, 'NOT_VERIFIED', PATIENCE_MS);
  const cases = collection('gateway', 'adjudications');
  const closed = { evidenceId: portrait, closedBecause: 'CONSENT_WITHDRAWN' };
  await waitFor('the end of the case', async () => (await cases.findOne(closed as never)) !== null, PATIENCE_MS);
}, 120_000);

test('a pause and its end are announced, though every message of them is lost once', async () => {
  const identity = await newIdentity(pausing.relyingService);
  await waitFor('both', () => ears.published(identity).length >= 2, PATIENCE_MS);
  expect(ears.published(identity)).toEqual(['PAUSED', 'TIMEOUT']);
}, 90_000);

test('every event of every queue was lost and repaired, or the table says why it need not be', () => {
  const rows = documented();
  const heard = Object.entries(QUEUES).flatMap(([queue, types]) =>
    types.map((event) => pairOf({ event, reader: queue.split('.')[0]! })),
  );
  expect(new Set(rows.map(pairOf))).toEqual(new Set(heard));
  expect(rows.filter(({ repairedBy }) => repairedBy.includes('missing'))).toEqual([]);
  const spared = rows.filter(needsNone);
  for (const { repairedBy } of spared) expect(repairedBy).toMatch(/^none needed: .{20}/);
  const found = [...thief.repaired, ...spared.map(pairOf)];
  expect(new Set(found)).toEqual(new Set(heard));
});
