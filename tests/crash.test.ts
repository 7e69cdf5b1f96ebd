import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  newTenant,
  readStack,
  specimen,
  startOwnSuite,
  startWebhookReceiver,
  type Tenant,
  type WebhookReceiver,
  waitFor,
} from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

/* Processes die here, so this story has a suite of its own. */
let suite: ReturnType<typeof startOwnSuite>;
let receiver: WebhookReceiver;
let tenant: Tenant;
beforeAll(async () => {
  suite = startOwnSuite('crash');
  receiver = await startWebhookReceiver();
  tenant = await newTenant('crashes', {
    webhook: { url: receiver.url, mode: 'NONE', attempts: 10, delaySeconds: 1 },
    issuingSources: { enabled: true },
  });
}, 180_000);
afterAll(async () => {
  await receiver?.close();
  suite?.stop();
}, 60_000);

const licence = {
  idDocumentType: 'DRIVING_LICENSE',
  idDocumentNumber: 'T99999999',
  issuingCountry: 'USA',
  issuingState: 'VA',
  expiryDate: '2035-08-12',
  personalAttributes: {
    dateOfBirth: { value: '1974-08-12' },
    givenNames: [{ value: 'BARRY' }],
    surname: { value: 'SPECIMEN' },
    gender: { value: 'M' },
  },
};

/** Arms a named crash point: the process that reaches it dies as by a power cut. */
const arm = (point: string): string => {
  const folder = join(readStack().dataDir, '..', 'crash');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, point);
  writeFileSync(file, '');
  return file;
};

/** Repeats a call whose connection broke, as a client does: under one Idempotency-Key, so that it has one effect. */
const persistently = (call: (headers: Record<string, string>) => Promise<{ status: number; body: { id: string } }>) => {
  const headers = { 'Idempotency-Key': randomUUID() };
  return waitFor(
    'an answer',
    async () => {
      const answer = await call(headers).catch(() => undefined);
      return answer?.status === 200 && answer;
    },
    60_000,
  );
};

/** The flow: a passport, a text document, a selfie; every evidence ends, every webhook arrives, none is doubled, and the proof is whole. */
const flow = async () => {
  const { relyingService: api } = tenant;
  const created = await persistently((headers) => api.post('/svc/v1/identities', {}, headers));
  const at = `/svc/v1/identities/${created.body.id}`;
  await persistently((headers) =>
    api.post(
      `${at}/consents`,
      [
        { approved: true, type: 'PORTRAIT' },
        { approved: true, type: 'GIV' },
      ],
      headers,
    ),
  );
  const document = await persistently((headers) =>
    api.upload(`${at}/id-documents/capture`, { DocumentFront: specimen('passport.jpg') }, headers),
  );
  const text = await persistently((headers) => api.post(`${at}/id-documents`, licence, headers));
  const portrait = await persistently((headers) =>
    api.upload(`${at}/attributes/portrait/capture`, { Portrait: specimen('selfie-same.jpg') }, headers),
  );
  const ids = [document.body.id, text.body.id, portrait.body.id];
  const statusOf = async (id: string) => (await api.get(`${at}/status/${id}`).catch(() => undefined))?.body?.status;
  await waitFor('the passport', async () => (await statusOf(ids[0]!)) === 'VERIFIED', 60_000);
  await waitFor('the licence', async () => (await statusOf(ids[1]!)) === 'INVALID', 60_000);
  await waitFor('the portrait', async () => (await statusOf(ids[2]!)) === 'VERIFIED', 60_000);
  for (const id of ids)
    await receiver.next(
      `evaluation of ${id}`,
      ({ body }) => body.evidence?.evidenceId === id && body.evidence.evidenceOperation === 'CREATED',
      30_000,
    );
  const proof = await waitFor(
    'the proof',
    async () => {
      const answer = await api.get(`${at}/proof`).catch(() => undefined);
      return answer?.status === 200 && answer;
    },
    30_000,
  );
  const mine = receiver.received.filter(({ body }) => body.identityId === created.body.id);
  const ofIds = new Map(mine.map(({ headers, raw }) => [headers['webhook-id'], raw.toString()]));
  const created_ = mine.filter(({ body }) => body.evidence?.evidenceOperation === 'CREATED');
  const distinct = new Set(created_.map(({ headers }) => headers['webhook-id']));
  return {
    ids,
    proof,
    distinctCreated: distinct.size,
    repeatsDiffer: mine.some(({ headers, raw }) => ofIds.get(headers['webhook-id']) !== raw.toString()),
  };
};

const points = [
  'gateway.after-write-before-publish',
  'gateway.after-publish-before-pull',
  'gateway.after-effect-before-ack',
  'evidence-intake.after-write-before-publish',
  'evidence-intake.after-publish-before-pull',
  'verification-worker.after-write-before-publish',
  'verification-worker.after-publish-before-pull',
  'verification-worker.after-effect-before-ack',
  'issuing-source-adapter.after-write-before-publish',
  'issuing-source-adapter.after-publish-before-pull',
  'issuing-source-adapter.after-effect-before-ack',
  'proof-builder.after-effect-before-ack',
  'notifier.after-effect-before-ack',
];

describe('a process that dies', () => {
  test.each(points)(
    'at %s loses nothing and doubles nothing',
    async (point) => {
      const file = arm(point);
      const { proof, distinctCreated, repeatsDiffer } = await flow();
      expect(existsSync(file)).toBe(false);
      expect([proof.status, distinctCreated, repeatsDiffer]).toEqual([200, 3, false]);
    },
    120_000,
  );
});

test('kill -9 of the broker in the middle of the flow loses nothing and doubles nothing', async () => {
  const running = flow();
  process.kill(readStack().infrastructure.rabbitmq.pid, 'SIGKILL');
  const { proof, distinctCreated, repeatsDiffer } = await running;
  expect([proof.status, distinctCreated, repeatsDiffer]).toEqual([200, 3, false]);
}, 120_000);
