import type { Inputs, Measured } from './inputs.ts';
import type { Plan } from './plan.ts';

/** Where documents wait for one of several servers, in the order they came. */
export interface Stage {
  name: string;
  servers: number;
  /** Of the n-th document that is served here, in milliseconds. */
  serviceMs: (n: number) => number;
}

/** Times in ascending order; the earliest is taken out first. */
const createHeap = (times: number[]) => {
  const heap = times;
  const swap = (a: number, b: number): void => {
    [heap[a], heap[b]] = [heap[b]!, heap[a]!];
  };
  const sink = (from: number): void => {
    for (let at = from; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < heap.length && heap[left]! < heap[least]!) least = left;
      if (right < heap.length && heap[right]! < heap[least]!) least = right;
      if (least === at) return;
      swap(at, least);
      at = least;
    }
  };
  return {
    /** Takes the earliest out and puts another in; returns the earliest. */
    replaceEarliest: (by: (earliest: number) => number): void => {
      heap[0] = by(heap[0]!);
      sink(0);
    },
  };
};

/**
 * When documents that arrive at these times leave a stage, both ascending: the first in is the
 * first served, by the server that is free first.
 */
const through = (arrivals: readonly number[], { servers, serviceMs }: Stage): number[] => {
  const free = createHeap(new Array<number>(servers).fill(0));
  const departures: number[] = [];
  for (const [n, arrival] of arrivals.entries())
    free.replaceEarliest((earliest) => {
      const end = Math.max(arrival, earliest) + serviceMs(n);
      departures.push(end);
      return end;
    });
  return departures.sort((one, other) => one - other);
};

/** When documents that arrive at these times have left the last stage, ascending. */
export const simulate = (arrivals: readonly number[], stages: readonly Stage[]): number[] =>
  stages.reduce<number[]>(through, [...arrivals]);

/** Numbers from 0 to 1 that look random and are the same for the same seed (mulberry32). */
const seeded = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/**
 * The services a document passes, each core of each replica a server; times differ by half in
 * either direction.
 */
export const stagesOf = ({ services }: Plan, measured: Measured, { coresOfReplica }: Inputs, seed: number): Stage[] =>
  services.map(({ service, replicas }, at) => {
    const random = seeded(seed + at);
    const mean = measured.perVerification.processorMs[service] ?? 0;
    const drawn: number[] = [];
    return {
      name: service,
      servers: replicas * (coresOfReplica[service] ?? coresOfReplica.others ?? 1),
      serviceMs: (n) => {
        while (drawn.length <= n) drawn.push(mean * (0.5 + random()));
        return drawn[n]!;
      },
    };
  });

/** So many documents at this rate, as clients that know nothing of each other send them. */
export const arrivalsOf = (count: number, perMinute: number, seed: number): number[] => {
  const random = seeded(seed);
  let at = 0;
  return Array.from({ length: count }, () => {
    at += (-Math.log(1 - random()) * 60_000) / perMinute;
    return at;
  });
};

/** The n-th of a hundred of the times between the arrivals and the departures of the same rank. */
export const waitsOf = (arrivals: readonly number[], departures: readonly number[]): { p50: number; p95: number } => {
  const times = departures.map((end, n) => end - arrivals[n]!).sort((one, other) => one - other);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
};
