import { isDependencyDown } from '@assay/runtime';

/**
 * This message can never succeed (not readable, of no known shape): straight to the dead letters.
 */
export class Poison extends Error {
  override name = 'Poison';
}

/**
 * An event of a type that nobody here handles, from a newer release perhaps: kept among the dead
 * letters until one does.
 */
export class UnknownType extends Error {
  override name = 'UnknownType';
}

/** Not now, but later: the message waits and comes back after about `delayMs`. */
export class RetryLater extends Error {
  override name = 'RetryLater';
  readonly delayMs: number;
  constructor(message: string, delayMs = 1000) {
    super(message);
    this.delayMs = delayMs;
  }
}

/**
 * What becomes of a message; of a `duplicate` another copy is in a waiting room, a `surplus` goes
 * to the queue of what exceeds a tenant's share.
 */
export const SETTLEMENTS = [
  'acknowledged',
  'duplicate',
  'surplus',
  'retry',
  'later',
  'dependency-down',
  'parked',
  'dead-letter',
] as const;
export type Settlement = (typeof SETTLEMENTS)[number];

/** How long a message waits before its next attempt: one waiting room each, in milliseconds. */
export const ROOMS_MS: readonly number[] = [250, 1000, 5000, 30_000, 120_000, 600_000];

/**
 * What a message remembers of its attempts. It travels in its headers through the waiting rooms.
 */
export interface Tries {
  /** Failures that count against the message. */
  failures: number;
  /** All failures, also those that are blamed on something else. */
  attempts: number;
  /** How often it came while a dependency was down. */
  waits: number;
  firstFailedAt?: number;
  lastFailedAt?: number;
  /** When it first asked for a later time. */
  firstLaterAt?: number;
}

/** What this consumer saw of other messages. */
export interface Neighbours {
  lastSuccessAt: number;
  /** Others failed too since something last succeeded. */
  areFailing: boolean;
}

export interface Rules {
  /** Failures after which a message whose neighbours succeed is given up. */
  deliveryLimit: number;
  rooms: readonly number[];
}

export interface SettlementPlan {
  outcome: Settlement;
  tries: Tries;
  /** The waiting room it goes to. */
  roomMs: number;
}

/**
 * Each wait lasts at least this share of all the waiting before it: what a message waits for may
 * have to be republished, which takes from two minutes to a day.
 */
const LATER_SHARE = 1 / 30;
/** A message that nobody can compare with others gets this many failures more. */
const ALONE = 2;
/** No message is tried for longer than 72 hours: it is a dead letter then. */
const OLDEST_MS = 72 * 3600_000;
/**
 * While a dependency is down a message waits no longer than this, so that it is there soon after.
 */
const LONGEST_WAIT_MS = 30_000;

/** The room whose time is nearest, as a ratio. */
export const nearestRoom = (rooms: readonly number[], ms: number): number => {
  const distance = (room: number): number => Math.abs(Math.log(room / Math.max(1, ms)));
  return rooms.reduce((best, room) => (distance(room) < distance(best) ? room : best), rooms[0] ?? ms);
};

const room = (rooms: readonly number[], index: number): number =>
  rooms[Math.min(Math.max(0, index), rooms.length - 1)] ?? 1000;

const afterFailure = (
  tries: Tries,
  others: Neighbours,
  { deliveryLimit, rooms }: Rules,
  now: number,
): SettlementPlan => {
  const { firstFailedAt = now, lastFailedAt } = tries;
  const succeededSince = (at: number): boolean => others.lastSuccessAt > at;
  // Only what fails while its neighbours succeed, or by itself, is to blame; while others fail too
  // something else is.
  const counts = lastFailedAt === undefined || succeededSince(lastFailedAt) || !others.areFailing;
  const next: Tries = {
    ...tries,
    failures: tries.failures + (counts ? 1 : 0),
    attempts: tries.attempts + 1,
    firstFailedAt,
    lastFailedAt: now,
  };
  const limit = deliveryLimit + (succeededSince(firstFailedAt) ? 0 : ALONE);
  const isOver = (counts && next.failures >= limit) || now - firstFailedAt >= OLDEST_MS;
  return { outcome: isOver ? 'dead-letter' : 'retry', tries: next, roomMs: room(rooms, next.attempts - 1) };
};

/** The one place that turns a handler's failure into what becomes of the message. Pure. */
export const planSettlement = (
  error: unknown,
  tries: Tries,
  others: Neighbours,
  rules: Rules,
  now: number,
): SettlementPlan => {
  const { rooms } = rules;
  const first = room(rooms, 0);
  if (error instanceof UnknownType) return { outcome: 'parked', tries, roomMs: first };
  if (error instanceof Poison) return { outcome: 'dead-letter', tries, roomMs: first };
  if (isDependencyDown(error)) {
    const allowed = rooms.filter((ms) => ms <= LONGEST_WAIT_MS);
    return {
      outcome: 'dependency-down',
      tries: { ...tries, waits: tries.waits + 1 },
      roomMs: room(allowed, tries.waits),
    };
  }
  if (error instanceof RetryLater) {
    const { firstLaterAt = now } = tries;
    const waitedMs = now - firstLaterAt;
    const roomMs = nearestRoom(rooms, Math.max(error.delayMs, waitedMs * LATER_SHARE));
    return { outcome: waitedMs < OLDEST_MS ? 'later' : 'dead-letter', tries: { ...tries, firstLaterAt }, roomMs };
  }
  return afterFailure(tries, others, rules, now);
};
