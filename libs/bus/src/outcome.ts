/** This message can never succeed (not readable, of no known shape): straight to the dead letters. */
export class Poison extends Error {
  override name = 'Poison';
}

/** Not now, but later: the message waits in the queue's waiting room and comes back after about `delayMs`. */
export class RetryLater extends Error {
  override name = 'RetryLater';
  readonly delayMs: number;
  constructor(message: string, delayMs = 1000) {
    super(message);
    this.delayMs = delayMs;
  }
}

export const OUTCOMES = ['acknowledged', 'retry', 'later', 'dependency-down', 'dead-letter'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Tries {
  /** How often the broker has handed this message out before. */
  deliveries: number;
  /** How often it went through the waiting room. */
  later: number;
}

export const LATER_LIMIT = 120;

const UNREACHABLE = /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ECONNABORTED|EHOSTUNREACH|ENOTFOUND|UNAVAILABLE/;
const DOWN = /^(Mongo.*(Network|ServerSelection|NotConnected|PoolCleared|Topology)|MongooseServerSelection|PoolClosed)/;

/** True when the failure tells of something this service leans on, not of the message. */
export const isDependencyDown = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = String((error as { code?: unknown }).code ?? '');
  return DOWN.test(error.name) || UNREACHABLE.test(code) || (error as { status?: unknown }).status === 503;
};

/** The one place that turns a handler's failure into what the broker is told. */
export const outcomeOf = (error: unknown, { deliveries, later }: Tries, deliveryLimit: number): Outcome => {
  if (error instanceof Poison) return 'dead-letter';
  if (isDependencyDown(error)) return 'dependency-down';
  if (error instanceof RetryLater) return later < LATER_LIMIT ? 'later' : 'dead-letter';
  return deliveries + 1 < deliveryLimit ? 'retry' : 'dead-letter';
};
