import { type Envelope, present } from '@assay/contracts';
import { type Clock, counter, gauge, inSpan, type Log } from '@assay/runtime';
import type { ConsumeMessage } from 'amqplib';
import { createGate, type Gate } from './gate.ts';
import { triesOf } from './headers.ts';
import type { Outgoing } from './outgoing.ts';
import { handlersOf, type Read, read, type Subscription } from './reading.ts';
import { createSettle, type Decided, type Unsettled } from './settle.ts';
import { planSettlement, RetryLater, ROOMS_MS, SETTLEMENTS } from './settlement.ts';
import { traced } from './traced.ts';
import { createWaitingCopies, type WaitingCopies } from './waiting-copies.ts';

/** What exceeds a tenant's share, and the queue that takes it (decision 40). */
interface Surplus {
  queue: string;
  /** Asked for each event before it is handled. True: it is moved to the other queue instead. */
  exceeds(event: Envelope<unknown>): boolean;
  /** Called before an event is moved. */
  beforeMove?(event: Envelope<unknown>): void;
}

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
  surplus?: Surplus;
}

export interface HandlingDeps {
  service: string;
  /** The queue's name in the topology, and with the namespace before it. */
  name: string;
  queue: string;
  subscriptions: readonly Subscription[];
  options: ConsumeOptions;
  /** The name of `options.surplus.queue` with the namespace before it. */
  surplusQueue?: string;
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
const report = (log: Log, queue: string, message: ConsumeMessage, decided: Decided): void => {
  const { outcome, event, error, durationMs } = decided;
  const line = {
    msg: 'message.handled',
    queue,
    type: message.properties.type,
    messageId: message.properties.messageId,
    identityId: event?.identityId,
    outcome,
    ...present({ durationMs }),
  };
  handled.inc({ queue, outcome });
  if (outcome === 'acknowledged' || outcome === 'duplicate' || outcome === 'surplus') log.debug(line);
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
  return async (message: ConsumeMessage, surplus: Surplus | undefined): Promise<Decided> => {
    const tries = triesOf(message);
    const startedAt = performance.now();
    const durationMs = () => Math.round(performance.now() - startedAt);
    let event: Envelope<unknown> | undefined;
    try {
      const found = read(message, known);
      event = found.event;
      if (surplus?.exceeds(event)) {
        surplus.beforeMove?.(event);
        return { outcome: 'surplus', event, tries, roomMs: 0 };
      }
      await handle(queue, found);
      neighbours.succeeded();
      return { outcome: 'acknowledged', event, tries, roomMs: 0, durationMs: durationMs() };
    } catch (error) {
      const id = String(message.properties.messageId);
      if (!(error instanceof RetryLater)) neighbours.failed(id);
      const plan = planSettlement(error, tries, neighbours.stateFor(id), rules, now().getTime());
      return { ...plan, error, durationMs: durationMs(), ...present({ event }) };
    }
  };
};

/** Whether an attempt says something about what the handler depends on, and what. */
const gateOf = ({ outcome, error }: Decided): 'succeeded' | 'failed' | 'down' => {
  if (outcome === 'dependency-down') return 'down';
  const isFailure = outcome === 'retry' || (outcome === 'dead-letter' && !(error instanceof RetryLater));
  return isFailure ? 'failed' : 'succeeded';
};

/** Decides about messages that the gate lets in; about none once it is closed. */
const createDecide = (parts: HandlingDeps, gate: Gate, waiting: Pick<WaitingCopies, 'has'>) => {
  const { queue, rooms = ROOMS_MS } = parts;
  const attempt = createAttempt(parts);
  return async (message: ConsumeMessage): Promise<Decided | undefined> => {
    if (waiting.has(message)) return { outcome: 'duplicate', tries: triesOf(message), roomMs: 0 };
    const entry = await gate.enter();
    if (entry === 'closed') return undefined;
    if (entry === 'waited') return { outcome: 'later', tries: triesOf(message), roomMs: rooms.at(-1) ?? 1000 };
    // While a dependency is down all wait where they are.
    const decided = await attempt(message, gate.isNarrow() ? undefined : parts.options.surplus);
    gate.leave(gateOf(decided));
    probing.set({ queue }, gate.isNarrow() ? 1 : 0);
    return decided;
  };
};

/** Everything a consumer does with its messages, whichever channel they come by. */
export const createHandling = (parts: HandlingDeps) => {
  const { service, queue, options, rooms = ROOMS_MS, surplusQueue, outgoing, now, log } = parts;
  // A counter that begins with its first count shows no increase: the alert would miss it.
  for (const outcome of SETTLEMENTS) handled.inc({ queue, outcome }, 0);
  const gate = createGate();
  const waiting = createWaitingCopies();
  const decide = createDecide(parts, gate, waiting);
  const inFlight = new Set<Promise<void>>();
  let closing = false;
  let waitingSince = performance.now();
  const { onGivenUp } = options;
  const isClosing = () => closing;
  const where = { service, queue, rooms, ...present({ surplusQueue }) };
  const settle = createSettle({ ...where, outgoing, waiting, onGivenUp, now, log, isClosing });

  const work = async (unsettled: Unsettled): Promise<void> => {
    const { message, acks } = unsettled;
    const decided = await decide(message);
    if (!decided) {
      if (unsettled.isOpen()) acks.giveBack(message);
      return;
    }
    const isSettled = await settle(unsettled, decided);
    // What went back to its queue comes again at once: not as fast as it can.
    if (!isSettled && unsettled.isOpen()) gate.leave('down');
    waitingSince = performance.now();
    report(log, queue, message, decided);
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
