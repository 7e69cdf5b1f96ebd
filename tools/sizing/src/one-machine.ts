/** A part of a verification that one process works on, in milliseconds of processor time. */
export interface Step {
  service: string;
  ms: number;
}

export interface Machine {
  cores: number;
  /** Each begins its next verification when its last one has ended. */
  clients: number;
  /** How many verifications a service works on at once, where that is limited. */
  atOnce: Readonly<Record<string, number>>;
}

/** A core is given to another step after so long, or when one ends. */
const TURN_MS = 10;
const ROUNDS = 600;
/** Less is left by rounding alone. */
const NOTHING_MS = 1e-6;

interface Client {
  /** Which step it is at. */
  at: number;
  leftMs: number;
  /** Whether its service has begun the step. */
  begun: boolean;
}

/** Has services begin what they have room for, in the order of the list. */
const begin = (clients: readonly Client[], steps: readonly Step[], atOnce: Machine['atOnce']): void => {
  const busy = new Map<string, number>();
  const serviceOf = ({ at }: Client): string => steps[at]!.service;
  const add = (client: Client) => busy.set(serviceOf(client), (busy.get(serviceOf(client)) ?? 0) + 1);
  for (const client of clients) if (client.begun) add(client);
  for (const client of clients) {
    const room = atOnce[serviceOf(client)] ?? Number.POSITIVE_INFINITY;
    if (client.begun || (busy.get(serviceOf(client)) ?? 0) >= room) continue;
    client.begun = true;
    add(client);
  }
};

/**
 * Verifications a minute that one machine gets through when its cores are shared by all services:
 * steps that have begun take turns, the others wait for room at their service.
 */
export const throughputOf = (steps: readonly Step[], { cores, clients, atOnce }: Machine): number => {
  let queue = Array.from({ length: clients }, (): Client => ({ at: 0, leftMs: steps[0]!.ms, begun: false }));
  let elapsedMs = 0;
  let done = 0;
  while (done < ROUNDS) {
    begin(queue, steps, atOnce);
    const running = queue.filter(({ begun }) => begun).slice(0, cores);
    const turnMs = Math.min(TURN_MS, ...running.map(({ leftMs }) => leftMs));
    elapsedMs += turnMs;
    for (const client of running) {
      client.leftMs -= turnMs;
      if (client.leftMs > NOTHING_MS) continue;
      client.at = (client.at + 1) % steps.length;
      client.leftMs = steps[client.at]!.ms;
      client.begun = false;
      if (client.at === 0) done += 1;
    }
    queue = [...queue.filter((client) => !running.includes(client)), ...running];
  }
  return (done * 60_000) / elapsedMs;
};

/** How much of what services take comes before the worker's part, and how much behind it. */
const BEFORE = 0.5;

/** The steps of a verification, of what was measured to be one's processor time. */
export const stepsOf = (processorMs: Readonly<Record<string, number>>): Step[] => {
  const worker = processorMs['verification-worker'] ?? 0;
  const others = Object.values(processorMs).reduce((sum, ms) => sum + ms, 0) - worker;
  return [
    { service: 'others', ms: others * BEFORE },
    { service: 'verification-worker', ms: worker },
    { service: 'others', ms: others * (1 - BEFORE) },
  ];
};
