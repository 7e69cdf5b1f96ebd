import { type Bus, on } from '@assay/bus';
import {
  adjudicationWaiting,
  evaluationPublished,
  identityClosed,
  identityStatusChanged,
  oneTimeCodeRequested,
} from '@assay/contracts';
import { createApp, createAskCodeKey, type InternalClient, type InternalKeys, noticeKeyring } from '@assay/http';
import { createOutbox, type Database } from '@assay/mongo';
import { type Clock, type Closable, type Log, newId, startSweeper } from '@assay/runtime';
import { createSealingKeys } from '@assay/sealing';
import type { Express } from 'express';
import { createReceiver } from './clients/receiver.ts';
import type { Send } from './clients/sms.ts';
import { onAdjudicationWaiting, onAdjudicationWaitingMail } from './consumers/adjudication-waiting.ts';
import { onEvaluationPublished } from './consumers/evaluation-published.ts';
import { onIdentityClosed } from './consumers/identity-closed.ts';
import { onIdentityStatusChanged } from './consumers/identity-status-changed.ts';
import { onOneTimeCodeRequested } from './consumers/one-time-code-requested.ts';
import { createSlots } from './domain/slots.ts';
import { parseCidrs } from './domain/target.ts';
import { createMakeAttempt } from './flows/attempt.ts';
import { createAttemptLimit } from './flows/attempt-limit.ts';
import { createDeliver } from './flows/deliver.ts';
import { createDispatcher } from './flows/dispatcher.ts';
import { createEnqueue } from './flows/enqueue.ts';
import { createReseal } from './flows/reseal.ts';
import { createSendingLimit, MESSAGES_AT_ONCE } from './flows/sending-limit.ts';
import { routes } from './http/routes.ts';
import { codeModel, createCodeStore } from './store/codes.ts';
import { createDeliveryStore } from './store/deliveries.ts';
import { deliveryModel } from './store/delivery-model.ts';
import { createEndpointStore, endpointModel } from './store/endpoints.ts';
import { createSealer } from './store/sealer.ts';
import { createSentStore, sentModel } from './store/sent.ts';

const SERVICE = 'notifier';
/** Handled at once, of a few kilobytes each: what is stored of them shares its commands. */
const NOTIFICATIONS_AT_ONCE = 500;
const ATTEMPTS_PER_ENDPOINT = 16;
const ATTEMPTS_OVERALL = 256;
/** Leased deliveries, one or two kilobytes each: what waits in memory is not read again. */
const LEASED = { perEndpoint: 2000, overall: 4000, reserved: ATTEMPTS_PER_ENDPOINT };
const SWEEP_MS = 250;
/** Once a minute: secrets that a former master key sealed are looked for. */
const RESEAL_EVERY_ROUNDS = 240;

export interface Deps {
  mongodb: Database;
  rabbitmq: Bus;
  gateway: InternalClient;
  /** This service's keys for calls between services. */
  keys: InternalKeys;
  masterKey: Buffer;
  /** Keys that open what they sealed, while the master key is exchanged. */
  furtherMasterKeys?: readonly Buffer[];
  /** CIDR ranges notifications may go to although they are private. */
  allowPrivateTargets: readonly string[];
  senders: { EMAIL?: Send; MOBILE?: Send };
  now: Clock;
  log: Log;
  /** Pause between rounds that look for due deliveries, in milliseconds. */
  sweepEveryMs?: number;
  /** Longest attempt, in milliseconds; ten seconds where it is absent. */
  attemptTimeoutMs?: number;
}

export interface Notifier extends Closable {
  app: Express;
  /** Begins to consume and to deliver. */
  start(): Promise<void>;
}

/**
 * The notifier: turns published evaluations into webhooks and delivers them until accepted or given
 * up; sends one-time codes.
 */
export const createNotifier = async (deps: Deps): Promise<Notifier> => {
  const { mongodb, rabbitmq, now, log, keys } = deps;
  const endpoints = createEndpointStore(endpointModel(mongodb.connection));
  const deliveries = createDeliveryStore(deliveryModel(mongodb.connection));
  const codes = codeModel(mongodb.connection);
  const sent = createSentStore(sentModel(mongodb.connection));
  await mongodb.ensureIndexes();

  const owner = newId();
  const sealer = createSealer(createSealingKeys(deps.masterKey, deps.furtherMasterKeys));
  const keyring = noticeKeyring(deps.gateway, keys);
  const receiver = createReceiver(parseCidrs(deps.allowPrivateTargets), deps.attemptTimeoutMs);
  const makeAttempt = createMakeAttempt({ receiver, sealer, now });
  const attemptLimit = createAttemptLimit(ATTEMPTS_PER_ENDPOINT, ATTEMPTS_OVERALL);
  const deliver = createDeliver({ endpoints, deliveries, sent, makeAttempt, attemptLimit, keyring, owner, now, log });
  const slots = createSlots(LEASED);
  const sweepEveryMs = deps.sweepEveryMs ?? SWEEP_MS;
  const dispatcher = createDispatcher({ deliveries, deliver, slots, attemptLimit, owner, now, log, sweepEveryMs });
  const enqueue = createEnqueue({ endpoints, deliveries, sent, dispatcher, now });
  const reseal = createReseal({ endpoints, sealer, log });
  const outbox = createOutbox({ model: codes, bus: rabbitmq, service: SERVICE, log });
  const sending = { codes: createCodeStore(codes), senders: deps.senders, now };
  const sendingLimit = createSendingLimit();
  const sendCode = onOneTimeCodeRequested({ ...sending, codeKeyOf: createAskCodeKey(deps.gateway, keys), outbox });
  const sendNotice = onAdjudicationWaitingMail({ ...sending, keyring });
  const messages = [
    on(oneTimeCodeRequested, (event) => sendingLimit.within(event.data.channel, () => sendCode(event))),
    on(adjudicationWaiting, (event) => sendingLimit.within('EMAIL', () => sendNotice(event))),
  ];
  const notifications = [
    on(evaluationPublished, onEvaluationPublished(enqueue)),
    on(identityStatusChanged, onIdentityStatusChanged(enqueue)),
    on(adjudicationWaiting, onAdjudicationWaiting(enqueue)),
    on(identityClosed, onIdentityClosed({ keyring })),
  ];
  const running: Closable[] = [outbox, dispatcher];

  return {
    app: createApp({
      service: SERVICE,
      log,
      routes: routes({ endpoints, deliveries, dispatcher, makeAttempt, receiver, sealer, now, keys }),
    }),
    start: async () => {
      dispatcher.start();
      running.push(
        startSweeper({ name: 'resealing', everyMs: sweepEveryMs * RESEAL_EVERY_ROUNDS, run: reseal, log }),
        await rabbitmq.consume('notifier.notifications', notifications, { prefetch: NOTIFICATIONS_AT_ONCE }),
        await rabbitmq.consume('notifier.codes', messages, { prefetch: MESSAGES_AT_ONCE }),
        sendingLimit,
      );
    },
    close: async () => {
      for (const part of running.toReversed()) await part.close();
    },
  };
};
