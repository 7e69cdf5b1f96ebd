/**
 * `npm run bench:queue [-- --nodes 3] [--messages 60000]`: how many messages a second pass through
 * one quorum queue, published with confirms and handled as a service does it, on a broker of its
 * own with so many nodes on this machine; and how much processor time each takes of the broker.
 * With two processors the broker shares them with its clients: the figure is the least one queue
 * does.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectBus, on } from '@assay/bus';
import {
  adjudicationWaiting,
  type DataOf,
  evaluationPublished,
  identityClosed,
  identityStatusChanged,
} from '@assay/contracts';
import { startRabbitCluster } from '@assay/local-stack';
import { newId } from '@assay/runtime';
import { quietLog, waitFor } from '@assay/testing';
import { readArguments } from '../scripts/arguments.mjs';

const options = readArguments(import.meta.filename, {
  nodes: { type: 'string', default: '3' },
  messages: { type: 'string', default: '60000' },
  publish: { type: 'string' },
});
const messages = Number(options.messages);
const QUEUE = 'notifier.notifications';
/** What the queue hears; one of them is sent. */
const HEARD = [evaluationPublished, identityStatusChanged, adjudicationWaiting, identityClosed];
const AT_ONCE = 400;
/** Clock ticks in a second, as the kernel counts processor time. */
const TICKS = 100;

const data: DataOf<typeof evaluationPublished> = {
  identityStatus: 'EXPECTING_INPUT',
  completedAt: '2026-01-02T03:04:05.678',
  sealedBusinessId: 'x'.repeat(1000),
  evidence: { evidenceId: newId(), evidenceType: 'PASSPORT', evidenceOperation: 'CREATED' },
};

/** In a process of its own, as another service would: publishes them all, so many at once. */
const publishAll = async (url: string): Promise<void> => {
  const bus = await connectBus({ url, service: 'gateway', log: quietLog });
  const at = new Date().toISOString();
  let left = messages;
  const publisher = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const [id, tenantId, identityId] = [newId(), newId(), newId()];
      await bus.publish({ id, type: evaluationPublished.type, at, tenantId, identityId, data });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, publisher));
  await bus.close();
};

/** Seconds of processor time that the broker's nodes have taken. */
const brokerSeconds = (): number => {
  const ticksOf = (pid: string): number => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return Number(fields[11]) + Number(fields[12]);
  };
  const isNode = (pid: string): boolean => {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return command.includes('beam.smp') && command.includes(folder);
  };
  const nodes = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && isNode(pid));
  return nodes.reduce((sum, pid) => sum + ticksOf(pid), 0) / TICKS;
};

const folder = options.publish ? '' : mkdtempSync(join(tmpdir(), 'assay-bench-queue-'));

const measure = async (): Promise<void> => {
  const cluster = await startRabbitCluster(folder, Number(options.nodes), (line) => console.log(line));
  const bus = await connectBus({ url: cluster.url, service: 'notifier', log: quietLog });
  let handled = 0;
  const count = async (): Promise<void> => {
    handled += 1;
  };
  const consumer = await bus.consume(
    QUEUE,
    HEARD.map((event) => on(event, count)),
    { prefetch: AT_ONCE },
  );
  const before = brokerSeconds();
  const startedAt = performance.now();
  const publisher = fork(import.meta.filename, ['--publish', cluster.url, '--messages', String(messages)]);
  const [code] = await once(publisher, 'exit');
  if (code !== 0) throw new Error('the publisher failed');
  await waitFor('the rest', () => handled === messages, 120_000);
  const seconds = (performance.now() - startedAt) / 1000;
  const perMessage = ((brokerSeconds() - before) * 1000) / messages;
  const rate = Math.round(messages / seconds);
  console.log(`${rate} messages a second through one queue of ${options.nodes} nodes`);
  console.log(
    `${perMessage.toFixed(2)} ms of the broker's processors for each, on ${availableParallelism()} processors`,
  );
  await consumer.close();
  await bus.close();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
};

await (options.publish ? publishAll(options.publish) : measure());
