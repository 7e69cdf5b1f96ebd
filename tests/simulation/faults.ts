import type { Random } from '../faults/random.ts';

/**
 * How often each kind of fault strikes: per thousand chances, and for faults of processes per
 * thousand seconds.
 */
export interface Rates {
  /** A command to the store fails before it takes effect. */
  storeRefuses: number;
  /** A command takes effect, and its reply is lost. */
  storeLosesReply: number;
  /** A command takes seconds. */
  storeIsSlow: number;
  /** A process has no store for seconds. */
  storeAway: number;
  /** A connection to the broker is refused. */
  brokerRefuses: number;
  /** A service cannot publish, or not consume, for up to two and a half minutes. */
  brokerAway: number;
  /** A message arrives twice in a queue. */
  brokerDoubles: number;
  /** A queue loses a message. */
  brokerLoses: number;
  /** A connection between services, or to a client, receiver or source, is refused. */
  callRefused: number;
  /** Bytes take seconds to arrive. */
  lineIsSlow: number;
  /** A process dies. */
  crash: number;
  /** A connection to the broker is cut. */
  brokerCut: number;
  /** The broker closes a channel. */
  channelCloses: number;
  /** A connection of HTTP is cut. */
  callCut: number;
  /** The clock of a process jumps. */
  clockJump: number;
  /** A receiver or source answers with a failure. */
  outsiderFails: number;
}

const HIGHEST: Rates = {
  storeRefuses: 60,
  storeLosesReply: 60,
  storeIsSlow: 30,
  storeAway: 100,
  brokerRefuses: 300,
  brokerAway: 40,
  brokerDoubles: 300,
  brokerLoses: 150,
  callRefused: 150,
  lineIsSlow: 20,
  crash: 150,
  brokerCut: 200,
  channelCloses: 200,
  callCut: 400,
  clockJump: 100,
  outsiderFails: 400,
};
const KINDS = Object.keys(HIGHEST) as (keyof Rates)[];
/**
 * Kinds that were added later. They are drawn apart, so that the seeds without them give the same
 * runs as before.
 */
const LATER: readonly (keyof Rates)[] = ['storeAway', 'brokerAway'];

/** How often one kind of fault strikes. */
export const rateOf = (kind: keyof Rates, { next }: Random): number => (next() < 0.5 ? 0 : HIGHEST[kind] * next());

export const withoutFaults: Rates = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as unknown as Rates;

/**
 * Each run has some kinds of faults, each with its own rate. All kinds at once would hide the
 * effect of a few together.
 */
export const ratesOf = (random: Random): Rates => ({
  ...withoutFaults,
  ...Object.fromEntries(KINDS.filter((kind) => !LATER.includes(kind)).map((kind) => [kind, rateOf(kind, random)])),
});

/**
 * Kinds of faults of which many may strike at once. A broker that doubles most messages is none of
 * them: what waits would be doubled again each time.
 */
const STORMS = [
  'storeLosesReply',
  'storeIsSlow',
  'callRefused',
  'crash',
  'brokerCut',
  'channelCloses',
  'callCut',
  'clockJump',
] as const satisfies readonly (keyof Rates)[];

/** Two kinds of faults strike up to five times as often as they do elsewhere. */
export const stormOf = (rates: Rates, random: Random): Rates => {
  const rateIn = (kind: keyof Rates): number => HIGHEST[kind] * (1 + 4 * random.next());
  const [one, other] = [random.pick(STORMS), random.pick(STORMS)];
  return { ...rates, [one]: rateIn(one), [other]: rateIn(other) };
};

/** The faults that strike now. `calm` ends all faults for good. */
export interface Faults {
  strikes(kind: keyof Rates): boolean;
  latencyMs(): number;
  calm(): void;
  isCalm(): boolean;
}

export const createFaults = (random: Random, rates: Rates): Faults => {
  let isCalm = false;
  const strikes = (kind: keyof Rates): boolean => !isCalm && rates[kind] > 0 && random.next() * 1000 < rates[kind];
  return {
    strikes,
    latencyMs: () => (strikes('lineIsSlow') ? 100 + random.next() * 4000 : 0.2 + random.next() ** 3 * 4),
    calm: () => {
      isCalm = true;
    },
    isCalm: () => isCalm,
  };
};
