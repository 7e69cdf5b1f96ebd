import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  newTenant,
  readStack,
  startOwnSuite,
  startWebhookReceiver,
  type Tenant,
  type WebhookReceiver,
} from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { persistentFlow } from './setup/persistent-flow.ts';

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

/** Arms a named crash point: the process that reaches it dies as by a power cut. */
const arm = (point: string): string => {
  const folder = join(readStack().dataDir, '..', 'crash');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, point);
  writeFileSync(file, '');
  return file;
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
      const { proof, distinctCreated, repeatsDiffer } = await persistentFlow(tenant, receiver);
      expect(existsSync(file)).toBe(false);
      expect([proof.status, distinctCreated, repeatsDiffer]).toEqual([200, 3, false]);
    },
    120_000,
  );
});

test('kill -9 of the broker in the middle of the flow loses nothing and doubles nothing', async () => {
  const running = persistentFlow(tenant, receiver);
  process.kill(readStack().infrastructure.rabbitmq.pid, 'SIGKILL');
  const { proof, distinctCreated, repeatsDiffer } = await running;
  expect([proof.status, distinctCreated, repeatsDiffer]).toEqual([200, 3, false]);
}, 120_000);
