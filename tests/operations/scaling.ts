import { join } from 'node:path';
import { licenceText, newIdentity, newTenant, type OwnSuite, readStack, specimen, waitFor } from '@assay/testing';
import { expect, test } from '@jest/globals';
import { connect } from 'amqplib';
import { renderChart } from '../chart/render.ts';

/** Workers are scaled to zero and back. Submissions wait in the queues that start a worker. */

const chart = join(import.meta.dirname, '../../deploy/helm/assay');
const WAIT_MS = 60_000;

interface Trigger {
  metadata: { queueName: string; value: string };
}

const triggersOfChart = (): Trigger[] => {
  const scaled = renderChart(chart, [{ workerScaling: { enabled: true } }]).find(
    ({ kind }) => kind === 'ScaledObject',
  )!;
  return (scaled.spec as { triggers: Trigger[] }).triggers;
};

/**
 * The number of workers that KEDA starts for the waiting messages: the most that any trigger of the
 * chart asks for.
 */
const workersWanted = async (): Promise<number> => {
  const { amqpUrl, names } = readStack();
  const broker = await connect(amqpUrl);
  const channel = await broker.createChannel();
  const wanted = triggersOfChart().map(async ({ metadata }) => {
    const { messageCount } = await channel.checkQueue(`${names.queues}${metadata.queueName}`);
    return Math.ceil(messageCount / Number(metadata.value));
  });
  const most = Math.max(...(await Promise.all(wanted)));
  await broker.close();
  return most;
};

/** Needs a suite without a worker, and leaves it with one. */
export const scalingStory = (suiteOf: () => OwnSuite): void => {
  test('from zero: submissions that were accepted without a worker start one, and it evaluates them', async () => {
    expect(readStack().services['verification-worker']).toEqual([]);
    const tenant = await newTenant('scaled', { issuingSources: { enabled: true }, acceptSpecimens: true });
    const identity = await newIdentity(tenant.relyingService);
    await identity.consent('GIV');
    await waitFor('a worker for what changes', async () => (await workersWanted()) === 1);
    const pictures = await Promise.all(Array.from({ length: 5 }, () => newIdentity(tenant.relyingService)));
    const sent = await Promise.all(pictures.map((each) => each.document(specimen('passport.jpg'))));
    const text = await identity.text(licenceText({ number: 'T64235901', expiryDate: '2035-04-15' }));
    expect([text, ...sent].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    await waitFor('workers for the evidence', async () => (await workersWanted()) === 2);
    expect(await identity.status(text.body.id)).toMatchObject({ status: 'PROCESSING' });
    expect((await identity.proof()).status).toBe(403);
    expect((await tenant.operator.get(`/operator/v1/identities/${identity.id}/explanation`)).status).toBe(503);

    await suiteOf().down();
    await suiteOf().up(undefined, []);
    await identity.becomes(text.body.id, 'INVALID', WAIT_MS);
    for (const [at, each] of pictures.entries()) await each.becomes(sent[at]!.body.id, 'VERIFIED', WAIT_MS);
    await waitFor('no further worker', async () => (await workersWanted()) === 0);
    expect((await identity.proof()).status).toBe(200);
  }, 240_000);
};
