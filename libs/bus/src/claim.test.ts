import { quietLog, testStack } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ChannelModel, connect } from 'amqplib';
import { claimNamespace } from './claim.ts';
import { type Bus, connectBus } from './index.ts';

const { amqpUrl, namespace } = testStack();
const open: Bus[] = [];
let raw: ChannelModel;
beforeAll(async () => {
  raw = await connect(amqpUrl);
});
afterAll(async () => {
  await Promise.all(open.map((bus) => bus.close()));
  await raw.close();
});

const start = async (own: string, databases: string): Promise<void> => {
  open.push(await connectBus({ url: amqpUrl, service: 'notifier', log: quietLog, namespace: own, databases }));
};

test('a suite with other databases cannot use the queues of a suite, and its own services can', async () => {
  const own = namespace();
  await start(own, 'one_');
  await expect(start(own, 'other_')).rejects.toThrow(
    `BUS_NAMESPACE "${own}" is that of the suite with DB_PREFIX "one_" (queue ${own}assay.databases), ours is "other_"`,
  );
  await start(own, 'one_');
  await start(namespace(), 'other_');
});

test('a suite without a prefix is told apart too', async () => {
  const own = namespace();
  await start(own, '');
  await expect(start(own, 'other_')).rejects.toThrow('DB_PREFIX ""');
  await start(own, '');
});

test('a broker that does not let a service declare the queue does not keep it from starting', async () => {
  const channel = await raw.createChannel();
  channel.on('error', () => undefined);
  const own = namespace();
  const queue = `${own}assay.databases`;
  // The broker answers another user's exclusive queue with 405.
  await channel.assertQueue(queue, { exclusive: true });
  const other = await connect(amqpUrl);
  await claimNamespace(other, { namespace: own, databases: 'one_', log: quietLog });
  await other.close();
  await channel.deleteQueue(queue);
});
