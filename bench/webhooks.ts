/**
 * npm run bench:webhooks [-- --each N] [--rounds N] [--calm N]
 *
 * Starts a suite of its own and measures how many notifications a second go out to one receiver, in
 * turns with a bare client that sends the same bytes over kept connections. The suite's notifier
 * gets so many messages at once as the gateway would publish them: it stores each delivery, looks
 * whether another one comes first, signs, sends, and stores what came of it.
 * Then 50 notifications a second are published, and the time of each to its receiver is measured.
 *   --each N      notifications of a round (1000)
 *   --rounds N    alternating rounds; figures are medians (5)
 *   --calm N      seconds at 50 a second (10)
 */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { connectBus } from '@assay/bus';
import { type Envelope, evaluationPublished, formatDateTime } from '@assay/contracts';
import { createLog } from '@assay/runtime';
import { newTenant, readProcessorMs, readStack, startWebhookReceiver, waitFor } from '@assay/testing';
import { readArguments } from '../scripts/arguments.mjs';
import { median, percentile, rounded } from './figures.ts';
import { onSuite } from './on-suite.ts';

const options = readArguments(import.meta.filename, {
  each: { type: 'string', default: '1000' },
  rounds: { type: 'string', default: '5' },
  calm: { type: 'string', default: '10' },
});
const CALM_PER_SECOND = 50;
const CALM_EVERY_MS = 1000 / CALM_PER_SECOND;
const [each, roundCount] = [Number(options.each), Number(options.rounds)];
const PATIENCE_MS = 300_000;
/** As many as the notifier has on their way to one receiver. */
const AT_ONCE = 16;

type Receiver = Awaited<ReturnType<typeof startWebhookReceiver>>;

/** One round: notifications a second, and processor milliseconds for each. */
interface Round {
  perSecond: number;
  notifierMs: number;
  databaseMs: number;
  brokerMs: number;
  /** Of this process, which publishes and receives. */
  benchMs: number;
}

const openSuite = async (receiver: Receiver) => {
  const { tenantId } = await newTenant('webhooks', {
    webhook: { url: receiver.url, mode: 'HMAC', headerName: 'x-signature', secret: 'a webhook secret' },
  });
  const { amqpUrl, names } = readStack();
  const bus = await connectBus({
    url: amqpUrl,
    service: 'gateway',
    namespace: names.queues,
    log: createLog('bench', 'error'),
  });
  const publish = (identityId: string = randomUUID()): Promise<void> => {
    const event: Envelope<unknown> = {
      id: randomUUID(),
      type: evaluationPublished.type,
      at: new Date().toISOString(),
      tenantId,
      identityId,
      data: {
        identityStatus: 'EXPECTING_INPUT',
        completedAt: formatDateTime(new Date()),
        evidence: { evidenceId: randomUUID(), evidenceType: 'PASSPORT', evidenceOperation: 'CREATED' },
      },
    };
    return bus.publish(event);
  };
  const round = async (): Promise<Round> => {
    const [from, before, startedAt] = [receiver.received.length, readProcessorMs(), performance.now()];
    const own = process.cpuUsage();
    await Promise.all(Array.from({ length: each }, () => publish()));
    await waitFor('every notification', () => receiver.received.length >= from + each, PATIENCE_MS);
    const seconds = (performance.now() - startedAt) / 1000;
    const after = readProcessorMs();
    const { user, system } = process.cpuUsage(own);
    const spent = (name: string): number => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) / each;
    return {
      perSecond: each / seconds,
      notifierMs: spent('notifier'),
      databaseMs: spent('mongodb'),
      brokerMs: spent('rabbitmq'),
      benchMs: (user + system) / 1000 / each,
    };
  };
  /** Milliseconds from publishing to the receiver, of so many notifications at an even pace. */
  const calm = async (count: number): Promise<number[]> => {
    const [from, publishedAt] = [receiver.received.length, new Map<string, number>()];
    const startedAt = performance.now();
    for (let n = 0; n < count; n += 1) {
      await pause(Math.max(0, startedAt + n * CALM_EVERY_MS - performance.now()));
      const identityId = randomUUID();
      publishedAt.set(identityId, Date.now());
      void publish(identityId);
    }
    await waitFor('every notification', () => receiver.received.length >= from + count, PATIENCE_MS);
    return receiver.received.slice(from).map(({ at, body }) => at - publishedAt.get(body.identityId)!);
  };
  return { round, calm, close: () => bus.close() };
};

/** The same bytes to the same receiver, by nothing but Node's client; gives how many a second. */
const bareRound = async (receiver: Receiver): Promise<number> => {
  const body = receiver.received.at(-1)!.raw;
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const send = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const sent = request(receiver.url, { method: 'POST', agent, headers }, (reply) => {
        reply.resume().once('end', resolve);
      });
      sent.once('error', reject).end(body);
    });
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: each }, send));
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  return each / seconds;
};

const measure = async () => {
  const receiver = await startWebhookReceiver();
  const suite = await openSuite(receiver);
  // Connections are opened and code is compiled in the first round.
  await suite.round();
  const rounds: (Round & { barePerSecond: number })[] = [];
  for (let n = 0; n < roundCount; n += 1)
    rounds.push({ ...(await suite.round()), barePerSecond: await bareRound(receiver) });
  const calm = await suite.calm(Number(options.calm) * CALM_PER_SECOND);
  await suite.close();
  await receiver.close();
  const medianOf = (pick: (round: (typeof rounds)[number]) => number) => rounded(median(rounds.map(pick)));
  return {
    perSecond: medianOf(({ perSecond }) => perSecond),
    barePerSecond: medianOf(({ barePerSecond }) => barePerSecond),
    ratio: medianOf(({ perSecond, barePerSecond }) => perSecond / barePerSecond),
    notifierMs: medianOf(({ notifierMs }) => notifierMs),
    databaseMs: medianOf(({ databaseMs }) => databaseMs),
    brokerMs: medianOf(({ brokerMs }) => brokerMs),
    benchMs: medianOf(({ benchMs }) => benchMs),
    calmMedianMs: median(calm),
    calmP95Ms: percentile(calm, 0.95),
  };
};

console.table(await onSuite(measure));
