/**
 * npm run bench:growth [-- --identities N] [--times N] [--json FILE]
 *
 * Starts a suite of its own and measures what its steps cost with 1,000 identities in its
 * databases, and again with so many. The identities are copies of one that went through the suite
 * as text, written by a generator; each has its documents in all seven databases. Processor
 * milliseconds are those of all processes, engines included.
 *   --identities N    identities of the second measurement (100000; 1,000,000 take some 40 GB)
 *   --times N         steps of each kind (200)
 *   --json FILE       writes all figures
 */
import { writeFileSync } from 'node:fs';
import {
  licenceText,
  newIdentity,
  newTenant,
  openCostRounds,
  processorMsOfEach,
  readStack,
  settledIdle,
  startWebhookReceiver,
  totalOf,
  waitFor,
} from '@assay/testing';
import mongoose from 'mongoose';
import { readArguments } from '../scripts/arguments.mjs';
import { createCopies } from './growth/copies.ts';
import { onSuite } from './on-suite.ts';

const options = readArguments(import.meta.filename, {
  identities: { type: 'string', default: '100000' },
  times: { type: 'string', default: '200' },
  json: { type: 'string' },
});
const SMALL = 1000;
const [large, times] = [Number(options.identities), Number(options.times)];

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** A tenant with one settled identity, of which the copies are made, and what is asked of it. */
const openTenant = async () => {
  const receiver = await startWebhookReceiver();
  const webhook = { url: receiver.url, mode: 'NONE' } as const;
  const tenant = await newTenant('growth', { issuingSources: { enabled: true }, webhook });
  const identity = await newIdentity(tenant.relyingService);
  await identity.consent('GIV');
  const { body } = await identity.text(licenceText({ expiryDate: '2035-04-15' }));
  await receiver.next('the evaluation', (sent) => sent.body.evidence?.evidenceId === body.id);
  const delivered = `/admin/v1/tenants/${tenant.tenantId}/deliveries?identityId=${identity.id}&state=DELIVERED`;
  await waitFor('the delivery', async () => (await tenant.admin.get(delivered)).body.items.length > 0);
  await receiver.close();
  const list = `/admin/v1/tenants/${tenant.tenantId}/identities`;
  return {
    tenantId: tenant.tenantId,
    identityId: identity.id,
    steps: {
      status: () => identity.status(body.id),
      identity: () => identity.get(),
      'newest identities': () => tenant.admin.get(`${list}?limit=50`),
      'identity by businessId': () => tenant.admin.get(`${list}?businessId=nobody`),
    },
  };
};
type Tenant = Awaited<ReturnType<typeof openTenant>>;

/** Processor milliseconds of each step, with as many identities as there are now. */
const measure = async (
  { steps }: Tenant,
  rounds: Awaited<ReturnType<typeof openCostRounds>>,
): Promise<Record<string, number>> => {
  const { create, again } = await rounds.busyRounds(times);
  const figures: Record<string, number> = { create: totalOf(create), 'text path': totalOf(again) };
  const idle = await settledIdle();
  figures['idle second'] = totalOf(idle);
  for (const [name, work] of Object.entries(steps)) {
    await work();
    figures[name] = totalOf(await processorMsOfEach(times, idle, work));
  }
  return figures;
};

const compare = async () => {
  const connection = await mongoose.createConnection(readStack().mongoUrl, { retryWrites: false }).asPromise();
  const tenant = await openTenant();
  const rounds = await openCostRounds();
  const copies = createCopies(connection, readStack().names.databases);
  const fill = (count: number) =>
    copies.add(tenant.identityId, tenant.tenantId, count, (done) => {
      if (done % 10_000 === 0) console.log(`${done} of ${count} identities written`);
    });
  await fill(SMALL);
  // Compiles what is measured.
  await measure(tenant, rounds);
  const before = await measure(tenant, rounds);
  await fill(large - SMALL);
  const after = await measure(tenant, rounds);
  const sizes = await copies.sizes();
  await rounds.close();
  await connection.close();
  return { before, after, sizes };
};

const { before, after, sizes } = await onSuite(compare);
const row = (name: string) => ({
  [SMALL]: rounded(before[name]!),
  [large]: rounded(after[name]!),
  ratio: rounded(after[name]! / before[name]!),
});
console.log('\nprocessor milliseconds of each step, all processes, by the number of identities');
console.table(Object.fromEntries(Object.keys(before).map((name) => [name, row(name)])));
console.log(`bytes on disk, ${large} identities`);
console.table(Object.fromEntries(sizes.map(({ name, ...size }) => [name, size])));
if (options.json) writeFileSync(options.json, JSON.stringify({ small: SMALL, large, before, after, sizes }, null, 2));
