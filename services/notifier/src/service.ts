import { type Bus, on } from '@assay/bus';
import { evaluationPublished, identityStatusChanged, oneTimeCodeRequested } from '@assay/contracts';
import { type InternalClient, transportKeyFetcher } from '@assay/http';
import { createOutbox, type Database } from '@assay/mongo';
import type { Clock, Closable, Log } from '@assay/runtime';
import { createKeyring } from '@assay/sealing';
import { createReceiver } from './clients/receiver.ts';
import type { Send } from './clients/sms.ts';
import { onEvaluationPublished } from './consumers/evaluation-published.ts';
import { onIdentityStatusChanged } from './consumers/identity-status-changed.ts';
import { onOneTimeCodeRequested } from './consumers/one-time-code-requested.ts';
import { createDispatcher } from './dispatcher.ts';
import { parseCidrs } from './domain/target.ts';
import { createEnqueue } from './enqueue.ts';
import { createSafe } from './safe.ts';
import { codeModel, createCodeStore } from './store/codes.ts';
import { createDeliveryStore, deliveryModel } from './store/deliveries.ts';
import { createEndpointStore, endpointModel } from './store/endpoints.ts';

export interface NotifierOptions {
  database: Database;
  bus: Bus;
  gateway: InternalClient;
  log: Log;
  now: Clock;
  masterKey: Buffer;
  allowPrivateTargets: readonly string[];
  senders: { EMAIL?: Send; MOBILE?: Send };
  /** Pause between rounds that look for due deliveries, in milliseconds. */
  sweepEveryMs?: number;
  /** Longest attempt, in milliseconds; ten seconds unless a test is in a hurry. */
  attemptTimeoutMs?: number;
}

/** The notifier: turns published evaluations into webhooks and delivers them until accepted or given up; sends one-time codes. */
export const createNotifier = async (options: NotifierOptions) => {
  const { database, bus, gateway, log, now, masterKey, allowPrivateTargets, senders } = options;
  const endpoints = createEndpointStore(endpointModel(database.connection));
  const deliveries = createDeliveryStore(deliveryModel(database.connection));
  const codes = codeModel(database.connection);
  await database.ensureIndexes();

  const safe = createSafe(masterKey);
  const receiver = createReceiver(parseCidrs(allowPrivateTargets), options.attemptTimeoutMs);
  const sweepEveryMs = options.sweepEveryMs ?? 250;
  const dispatcher = createDispatcher({ endpoints, deliveries, receiver, safe, now, log, sweepEveryMs });
  const enqueue = createEnqueue({ endpoints, deliveries, dispatcher, safe, now });
  const outbox = createOutbox({ model: codes, bus, service: 'notifier', log });
  const keyring = createKeyring(transportKeyFetcher(gateway));

  const consumers: Closable[] = [
    await bus.consume(
      'notifier.notifications',
      [
        on(evaluationPublished, onEvaluationPublished(enqueue)),
        on(identityStatusChanged, onIdentityStatusChanged(enqueue)),
      ],
      { prefetch: 50 },
    ),
    await bus.consume(
      'notifier.codes',
      [
        on(
          oneTimeCodeRequested,
          onOneTimeCodeRequested({ codes: createCodeStore(codes), outbox, keyring, senders, now }),
        ),
      ],
      { prefetch: 10 },
    ),
  ];
  return {
    endpoints,
    deliveries,
    receiver,
    dispatcher,
    safe,
    now,
    close: async (): Promise<void> => {
      for (const consumer of consumers) await consumer.close();
      await dispatcher.close();
      await outbox.close();
    },
  };
};
export type Notifier = Awaited<ReturnType<typeof createNotifier>>;
