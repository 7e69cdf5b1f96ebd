import { SERVICE_NAMES } from '@assay/contracts';
import {
  newTenant,
  type OwnSuite,
  onSharedEngines,
  readStack,
  startOwnSuite,
  startWebhookReceiver,
  type Tenant,
  type WebhookReceiver,
  waitFor,
} from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { persistentFlow } from './setup/persistent-flow.ts';
import { type ReadyBalancer, startReadyBalancer } from './setup/ready-balancer.ts';
import { rollingRestart } from './setup/rolling-restart.ts';

/* Two processes of each service behind one base URL, in a suite of the story's own. */
let suite: OwnSuite;
let receiver: WebhookReceiver;
let tenant: Tenant;
let balancer: ReadyBalancer;
beforeAll(async () => {
  suite = await startOwnSuite('replicas', { ...onSharedEngines(), STOP_DELAY_MS: '2000' }, ['--replicas', '2']);
  receiver = await startWebhookReceiver();
  tenant = await newTenant('replicas', {
    webhook: { url: receiver.url, mode: 'NONE', attempts: 10, delaySeconds: 1 },
    issuingSources: { enabled: true },
  });
}, 180_000);
afterAll(async () => {
  await balancer?.close();
  await receiver?.close();
  await suite?.stop();
}, 60_000);

const services = () => Object.entries(readStack().services);
const isReady = ({ adminUrl }: { adminUrl: string }): Promise<boolean> =>
  fetch(`${adminUrl}/health/ready`).then(
    ({ status }) => status === 200,
    () => false,
  );
const requestsServed = async (name: string): Promise<boolean[]> =>
  Promise.all(
    readStack().services[name]!.map(async ({ adminUrl }) =>
      /^assay_http_request\w*_count\{.* [1-9]/m.test(await (await fetch(`${adminUrl}/metrics`)).text()),
    ),
  );

test('every service runs twice, the stack file names each process, and a whole flow passes over them', async () => {
  expect(services().map(([name, processes]) => [name, processes.length])).toEqual(
    SERVICE_NAMES.map((name) => [name, 2]),
  );
  const all = services().flatMap(([, processes]) => processes);
  expect(new Set(all.flatMap(({ pid, adminUrl }) => [pid, adminUrl])).size).toBe(SERVICE_NAMES.length * 4);
  const { proof, distinctCreated, repeatsDiffer } = await persistentFlow(tenant, receiver);
  expect([proof.status, distinctCreated, repeatsDiffer]).toEqual([200, 3, false]);
  for (const name of ['gateway', 'evidence-intake'])
    expect([name, await requestsServed(name)]).toEqual([name, [true, true]]);
}, 120_000);

test('a key has one rate over both gateways', async () => {
  const limited = await newTenant('limited', { limits: { requestsPerMinute: 60 } });
  const statuses: number[] = [];
  for (let sent = 0; sent < 90; sent += 1)
    statuses.push((await limited.relyingService.get(`/${readStack().apiPrefix}/v1/identities/unknown`)).status);
  // A gateway may lease more requests than it then admits, so the gateways may admit fewer than 60,
  // never more.
  const admitted = statuses.filter((status) => status === 404).length;
  expect(admitted).toBeLessThanOrEqual(60);
  expect(admitted).toBeGreaterThan(50);
  expect(statuses.filter((status) => status === 429)).toHaveLength(90 - admitted);
}, 60_000);

test('every gateway and a process of each other service are replaced, one after the other, and no client notices', async () => {
  balancer = await startReadyBalancer();
  const { answered, submitted } = await rollingRestart(tenant, balancer);
  expect(answered.filter(({ status }) => status !== 200)).toEqual([]);
  expect(submitted.length).toBeGreaterThan(3);
  for (const { identity, textId, pictureId } of submitted) {
    if (pictureId) await identity.becomes(pictureId, 'VERIFIED', 60_000);
    await receiver.next(`the evaluation of ${textId}`, ({ body }) => body.evidence?.evidenceId === textId, 60_000);
  }
  expect((await tenant.admin.get('/admin/v1/dead-letters')).body.items).toEqual([]);
}, 300_000);

test('killing one replica of each service in the middle of a flow loses nothing and duplicates nothing', async () => {
  const running = persistentFlow(tenant, receiver);
  for (const [, [first]] of services()) process.kill(first!.pid, 'SIGKILL');
  const { proof, distinctCreated, repeatsDiffer } = await running;
  expect([proof.status, distinctCreated, repeatsDiffer]).toEqual([200, 3, false]);
  const all = services().flatMap(([, processes]) => processes);
  await waitFor('the replacements', async () => (await Promise.all(all.map(isReady))).every(Boolean), 60_000);
}, 180_000);
