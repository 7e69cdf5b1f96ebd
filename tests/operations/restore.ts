import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXCHANGE, QUEUES } from '@assay/contracts';
import { licenceText, newIdentity, newTenant, type OwnSuite, readStack, type Tenant, waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Channel, type ChannelModel, type ConsumeMessage, connect } from 'amqplib';

/**
 * Restores a backup while the queues contain newer messages. The story stops its services
 * meanwhile, so they are its own.
 */

let tenant: Tenant;
let broker: ChannelModel;
let channel: Channel;

const root = join(import.meta.dirname, '../..');
const run = (name: string, args: readonly string[], env: NodeJS.ProcessEnv): string =>
  execFileSync(process.execPath, ['--import', 'tsx', join(root, `tools/backup/src/${name}.main.ts`), ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });

const licence = (number: string) => licenceText({ number, expiryDate: '2035-04-15' });

/** An identity with one document that its issuer does not know. */
const withDocument = async (number: string) => {
  const identity = await newIdentity(tenant.relyingService);
  await identity.consent('GIV');
  const { body } = await identity.text(licence(number));
  await identity.becomes(body.id, 'INVALID');
  return identity;
};

/** Collects every message that the suite publishes from now on. */
const listen = async (namespace: string): Promise<ConsumeMessage[]> => {
  const { queue } = await channel.assertQueue('', { exclusive: true });
  await channel.bindQueue(queue, `${namespace}${EXCHANGE}`, '#');
  const heard: ConsumeMessage[] = [];
  await channel.consume(queue, (message) => message && heard.push(message), { noAck: true });
  return heard;
};

/** The message as if it had been published an hour ago. */
const anHourOld = (content: Buffer): Buffer => {
  const event = JSON.parse(content.toString());
  return Buffer.from(JSON.stringify({ ...event, at: new Date(Date.parse(event.at) - 3_600_000).toISOString() }));
};

const typeOf = ({ fields }: ConsumeMessage): string => fields.routingKey;

/** Needs a suite that may be stopped. */
export const restoreStory = (suiteOf: () => OwnSuite): void => {
  beforeAll(async () => {
    tenant = await newTenant('restored', { issuingSources: { enabled: true } });
    broker = await connect(readStack().amqpUrl);
    channel = await broker.createChannel();
  });
  afterAll(() => broker?.close());

  test('a backup is restored under newer queues: identities in the backup continue, erased ones stay erased, and later ones are ignored', async () => {
    const { mongoUrl, names } = readStack();
    const place = { MONGO_URL: mongoUrl, DB_PREFIX: names.databases };
    const folder = mkdtempSync(join(tmpdir(), 'assay-backup-'));
    const folders = ['--state', join(folder, 'state')];

    const stays = await withDocument('T64235701');
    const erased = await withDocument('T64235702');
    expect(run('backup', [...folders, '--keys', join(folder, 'keys')], place)).toContain('collections');

    const heard = await listen(names.queues);
    expect((await tenant.relyingService.delete(erased.at)).status).toBeLessThan(300);
    const later = await withDocument('T64235703');
    const text = await stays.text(licence('T64235704'));
    const submitted = () => heard.filter((message) => typeOf(message) === 'evidence.submitted').length;
    await waitFor('the events of all submissions', () => submitted() === 2);
    const ofLater = () => heard.filter(({ content }) => content.includes(later.id)).map(typeOf);
    await waitFor('events of what the backup does not have', () => ofLater().includes('evidence.evaluated'));
    await waitFor('the closing', () => heard.some((message) => typeOf(message) === 'identity.closed'));

    const suite = suiteOf();
    await suite.down();
    expect(run('restore', [...folders, '--replace'], place)).toContain('1 identities of the backup have no key');
    for (const { fields, content, properties } of heard)
      channel.publish(`${names.queues}${EXCHANGE}`, fields.routingKey, anHourOld(content), properties);
    await suite.up();
    const processes = () => Object.values(readStack().services).map((replicas) => replicas.map(({ pid }) => pid));
    const started = processes();

    const waiting = async (): Promise<number> => {
      const counts = await Promise.all(Object.keys(QUEUES).map((name) => channel.checkQueue(`${names.queues}${name}`)));
      return counts.reduce((sum, { messageCount }) => sum + messageCount, 0);
    };
    await waitFor('the queues to be empty', async () => (await waiting()) === 0);
    // Only messages know of this submission now. They contain its text, which is verified.
    await stays.becomes(text.body.id, 'INVALID');
    expect((await tenant.relyingService.get(later.at)).status).toBe(404);
    expect((await tenant.relyingService.get(erased.at)).status).toBe(410);
    await withDocument('T64235705');
    const next = await stays.text(licence('T64235706'));
    await stays.becomes(next.body.id, 'INVALID');
    expect((await stays.proof()).status).toBe(200);
    expect((await tenant.admin.get('/admin/v1/dead-letters')).body.items).toEqual([]);
    expect(processes()).toEqual(started);

    const timeline = async () =>
      (await tenant.admin.get(`/admin/v1/tenants/${tenant.tenantId}/identities/${erased.id}/timeline`)).body;
    await waitFor('the closing to be finished', async () => (await timeline()).identity?.closedAt, 20_000);
  }, 120_000);
};
