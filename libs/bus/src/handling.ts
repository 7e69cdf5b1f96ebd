import { type Envelope, present } from '@assay/contracts';
import { type Clock, counter, gauge, inSpan, type Log } from '@assay/runtime';
import type { ConsumeMessage } from 'amqplib';
import { createGate } from './gate.ts';
import { triesOf } from './headers.ts';
import type { Outgoing } from './outgoing.ts';
import { handlersOf, type Read, read, type Subscription } from './reading.ts';
import { createSettle, type Decided, type Unsettled } from './settle.ts';
import { planSettlement, RetryLater, ROOMS_MS, SETTLEMENTS } from './settlement.ts';
import { traced } from './traced.ts';

export interface ConsumeOptions {
  /** Messages worked on at once; for CPU work the number of workers. */
  prefetch: number;
  /**
   * Failures of a message that fails by itself, while others succeed, before it goes to the dead
   * letters.
   */
  deliveryLimit?: number;
  /** Called before a readable message goes to the dead letters: leave a stable status behind. */
  onGivenUp?: (event: Envelope<unknown>, error: unknown) => Promise<void>;
  /**
   * No message of those delivered was settled for so long, in milliseconds: it is stuck.
   * Three minutes by default.
   */
  stuckAfterMs?: number;
}

export interface HandlingDeps {
  service: string;
  /** The queue's name in the topology, and with the namespace before it. */
  name: string;
  queue: string;
  subscriptions: readonly Subscription[];
  options: ConsumeOptions;
  rooms?: readonly number[] | undefined;
  outgoing: Outgoing;
  now: Clock;
  log: Log;
}

const handled = counter('assay_messages_handled_total', 'Messages by queue and what became of them', [
  'queue',
  'outcome',
]);
const probing = gauge('assay_consumer_probing', '1 while messages are tried one at a time', ['queue']);
const MOST_REMEMBERED = 1000;
const STUCK_MS = 180_000;

/** What a consumer saw of other messages: when one last succeeded, and which have failed since. */
const createNeighbours = (now: Clock) => {
  const failing = new Set<string>();
  let lastSuccessAt = 0;
  return {
    succeeded: (): void => {
      lastSuccessAt = now().getTime();
      failing.clear();
    },
    failed: (id: string): void => {
      if (failing.size < MOST_REMEMBERED) failing.add(id);
    },
    stateFor: (id: string) => ({ lastSuccessAt, areFailing: failing.size - (failing.has(id) ? 1 : 0) > 0 }),
  };
};

/** Runs the handler in the trace of what caused the event. */
const handle = (queue: string, { event, subscription }: Read): Promise<void> => {
  const attributes = { ...traced(event), 'messaging.destination.name': queue };
  return inSpan(`handle ${event.type}`, { kind: 'consumer', parent: event.traceparent, attributes }, () =>
    subscription.handle(event),
  );
};

/** Counts and logs what became of a message. */
const report = (log: Log, queue: string, message: ConsumeMessage, decided: Decided, startedAt: number): void => {
  const { outcome, event, error } = decided;
  const line = {
    msg: 'message.handled',
    queue,
    type: message.properties.type,
    messageId: message.properties.messageId,
    identityId: event?.identityId,
    outcome,
    durationMs: Math.round(performance.now() - startedAt),
  };
  handled.inc({ queue, outcome });
  if (outcome === 'acknowledged') log.debug(line);
  else if (outcome === 'dead-letter' || outcome === 'parked') log.error({ ...line, error });
  else log.warn({ ...line, error });
};

/**
 * Tries a message once, and decides by its error and by what became of other messages where it
 * goes.
 */
const createAttempt = ({ name, queue, subscriptions, options, rooms = ROOMS_MS, now }: HandlingDeps) => {
  const known = handlersOf(name, subscriptions);
  const rules = { deliveryLimit: options.deliveryLimit ?? 5, rooms };
  const neighbours = createNeighbours(now);
  return async (message: ConsumeMessage): Promise<Decided> => {
    const tries = triesOf(message);
    let event: Envelope<unknown> | undefined;
    try {
      const found = read(message, known);
      event = found.event;
      await handle(queue, found);
      neighbours.succeeded();
      return { outcome: 'acknowledged', event, tries, roomMs: 0 };
    } catch (error) {
      const id = String(message.properties.messageId);
      if (!(error instanceof RetryLater)) neighbours.failed(id);
      const plan = planSettlement(error, tries, neighbours.stateFor(id), rules, now().getTime());
      return { ...plan, error, ...present({ event }) };
    }
  };
};

/** Whether an attempt says something about what the handler depends on, and what. */
const gateOf = ({ outcome, error }: Decided): 'succeeded' | 'failed' | 'down' => {
  if (outcome === 'dependency-down') return 'down';
  const isFailure = outcome === 'retry' || (outcome === 'dead-letter' && !(error instanceof RetryLater));
  return isFailure ? 'failed' : 'succeeded';
};

/** Everything a consumer does with its messages, whichever channel they come by. */
export const createHandling = (parts: HandlingDeps) => {
  const { service, queue, options, rooms = ROOMS_MS, outgoing, now, log } = parts;
  // A counter that begins with its first count shows no increase: the alert would miss it.
  for (const outcome of SETTLEMENTS) handled.inc({ queue, outcome }, 0);
  const gate = createGate();
  const attempt = createAttempt(parts);
  const inFlight = new Set<Promise<void>>();
  let closing = false;
  let waitingSince = performance.now();
  const { onGivenUp } = options;
  const settle = createSettle({ service, queue, rooms, outgoing, onGivenUp, now, log, isClosing: () => closing });

  const work = async (unsettled: Unsettled): Promise<void> => {
    const { message, acks } = unsettled;
    const turn = await gate.enter();
    if (turn === 'closed') {
      if (unsettled.isOpen()) acks.giveBack(message);
      return;
    }
    const startedAt = performance.now();
    const decided: Decided =
      turn === 'waited'
        ? { outcome: 'later', tries: triesOf(message), roomMs: rooms.at(-1) ?? 1000 }
        : await attempt(message);
    if (turn === 'enter') {
      gate.leave(gateOf(decided));
      probing.set({ queue }, gate.isNarrow() ? 1 : 0);
    }
    const isSettled = await settle(unsettled, decided);
    // What went back to its queue comes again at once: not as fast as it can.
    if (!isSettled && unsettled.isOpen()) gate.leave('down');
    waitingSince = performance.now();
    report(log, queue, message, decided, startedAt);
  };

  const take = (unsettled: Unsettled): void => {
    if (inFlight.size === 0) waitingSince = performance.now();
    const done: Promise<void> = work(unsettled)
      .catch((error: unknown) => log.error({ msg: 'message.lost-sight-of', queue, error }))
      .finally(() => inFlight.delete(done));
    inFlight.add(done);
  };

  return {
    /** Handles one message. */
    take,
    /** Messages were delivered, and none was settled for too long. */
    stuckFor: (): number | undefined => {
      const ms = performance.now() - waitingSince;
      return inFlight.size > 0 && ms > (options.stuckAfterMs ?? STUCK_MS) ? ms : undefined;
    },
    isProbing: gate.isNarrow,
    /** Stops taking new messages and waits for those in flight. */
    drain: async (): Promise<void> => {
      closing = true;
      gate.close();
      await Promise.allSettled(inFlight);
    },
  };
};
