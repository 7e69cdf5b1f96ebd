import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  newIdentity,
  newTenant,
  type OwnSuite,
  readPassport,
  readStack,
  specimen,
  startOwnSuite,
  startWebhookReceiver,
  type Tenant,
  type WebhookReceiver,
} from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { persistentFlow } from './setup/persistent-flow.ts';

/* This story kills processes, so it has a suite of its own. */
let suite: OwnSuite;
let receiver: WebhookReceiver;
let tenant: Tenant;
beforeAll(async () => {
  // One engine process is enough: every worker that dies restarts all of its engine processes.
  suite = await startOwnSuite('crash', { CRASH_POINTS: '1', ENGINE_PROCESSES: '1' });
  receiver = await startWebhookReceiver();
  tenant = await newTenant('crashes', {
    acceptSpecimens: true,
    webhook: { url: receiver.url, mode: 'NONE', attempts: 10, delaySeconds: 1 },
    issuingSources: { enabled: true },
  });
}, 180_000);
afterAll(async () => {
  await receiver?.close();
  await suite?.stop();
}, 60_000);

/** Arms a named crash point: the process that reaches it dies as in a power cut. */
const arm = (point: string): string => {
  const folder = join(readStack().dataDir, '..', 'crash');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, point);
  writeFileSync(file, '');
  return file;
};

const pointsOf = (name: string, services: readonly string[]): string[] =>
  services.map((service) => `${service}.${name}`);

/**
 * Each flow arms one crash point in several services. Each of these services dies once, at its
 * point; several are down at a time.
 */
const flows = [
  {
    moment: 'after a write, before its event is published,',
    points: pointsOf('after-write-before-publish', [
      'gateway',
      'evidence-intake',
      'verification-worker',
      'issuing-source-adapter',
    ]),
  },
  {
    moment: 'after an event is published, before it is removed from the outbox,',
    points: pointsOf('after-publish-before-pull', [
      'gateway',
      'evidence-intake',
      'verification-worker',
      'issuing-source-adapter',
    ]),
  },
  {
    moment: 'after media are stored, before their evidence is, or after an effect, before the acknowledgement,',
    points: [
      'evidence-intake.after-media-before-evidence',
      ...pointsOf('after-effect-before-ack', [
        'gateway',
        'verification-worker',
        'issuing-source-adapter',
        'proof-builder',
        'notifier',
      ]),
    ],
  },
];

describe('processes that die', () => {
  test.each(flows)(
    '$moment lose nothing and duplicate nothing',
    async ({ points }) => {
      const armed = points.map(arm);
      const { proof, distinctCreated, repeatsDiffer } = await persistentFlow(tenant, receiver);
      expect(armed.filter(existsSync)).toEqual([]);
      expect([proof.status, distinctCreated, repeatsDiffer]).toEqual([200, 3, false]);
    },
    120_000,
  );
});

test('a worker that dies after a face was described, before it is stored, describes it again', async () => {
  const portrait = specimen('portraits/holder.jpg').toString('base64');
  const identity = await newIdentity(tenant.relyingService);
  await identity.consent('PORTRAIT');
  const { id, at, data } = await readPassport(tenant, { portrait }, { identity });
  await tenant.relyingService.post(`${at}/data`, data);
  await identity.becomes(id, 'VERIFIED');
  const armed = arm('verification-worker.after-description-before-write');
  const { body } = await identity.portrait(specimen('selfie-same.jpg'));
  await identity.becomes(body.id, 'VERIFIED');
  expect(existsSync(armed)).toBe(false);
}, 120_000);

test('kill -9 of the broker in the middle of the flow loses nothing and duplicates nothing', async () => {
  const running = persistentFlow(tenant, receiver);
  process.kill(readStack().infrastructure.rabbitmq.pid, 'SIGKILL');
  const { proof, distinctCreated, repeatsDiffer } = await running;
  expect([proof.status, distinctCreated, repeatsDiffer]).toEqual([200, 3, false]);
}, 120_000);
