import { type Random, randomOf } from './random.ts';

/** Where a fault strikes: the connections to one kind of server, or a process. */
export type Target = 'mongodb' | 'rabbitmq' | 'receiver' | 'source' | 'internal' | 'client' | 'process';

export type FaultKind =
  /** Connections are cut once. */
  | 'cut'
  /** Connections are cut, and new ones are refused for a while. */
  | 'refuse'
  /** Every message arrives later. */
  | 'delay'
  /** Few bytes pass in a second. */
  | 'slow'
  /** Requests arrive, replies do not; then the connections are cut. */
  | 'swallow'
  /** Open connections become silent for ever, in both directions, without being closed. */
  | 'half-open'
  /** The request arrives and has its effect; the connection is cut before the reply. */
  | 'cut-after-applying'
  /** The database answers with an error of its own. */
  | 'answer'
  /** The database applies the write and reports that it could not confirm it. */
  | 'unassured'
  /** The broker closes channels or connections for a reason of its own. */
  | 'close-channel'
  | 'close-connection'
  /** The receiver answers with this status. */
  | 'status'
  /** SIGKILL; SIGSTOP and later SIGCONT; SIGTERM. */
  | 'kill'
  | 'stop'
  | 'terminate';

export interface Fault {
  target: Target;
  kind: FaultKind;
  /** The service whose connections, or the process, it strikes; all of them if absent. */
  victim?: string;
  /** The code of MongoDB or the HTTP status that is answered. */
  code?: number;
  /** The one collection that it strikes; all of them if absent. */
  collection?: string;
}

/** A fault that begins when `at` submissions have been sent, and lasts `ms`. */
export interface Step {
  at: number;
  ms: number;
  fault: Fault;
}

export interface PlanInput {
  seed: number;
  submissions: number;
  faults: number;
  kills: number;
  /** Processes that may be killed, stopped and terminated. */
  processes: readonly string[];
  /** Services that have their own connections to the database and the broker. */
  services: readonly string[];
}

/** Errors of MongoDB that concern the server. */
const CODES = { NotWritablePrimary: 10107, quota: 8000, Unauthorized: 13, OutOfDiskSpace: 14031, Shutdown: 91 };

const each = (target: Target, ...kinds: FaultKind[]): Fault[] => kinds.map((kind) => ({ target, kind }));

/** Every kind of fault, without a victim. */
const KINDS: readonly Fault[] = [
  ...each('mongodb', 'cut', 'refuse', 'delay', 'slow', 'swallow', 'half-open', 'cut-after-applying', 'unassured'),
  ...Object.values(CODES).map((code): Fault => ({ target: 'mongodb', kind: 'answer', code })),
  ...each('rabbitmq', 'cut', 'refuse', 'delay', 'slow', 'swallow', 'half-open', 'cut-after-applying'),
  ...each('rabbitmq', 'close-channel', 'close-connection'),
  ...each('receiver', 'cut', 'refuse', 'delay', 'swallow', 'half-open', 'cut-after-applying'),
  ...[500, 429, 302].map((code): Fault => ({ target: 'receiver', kind: 'status', code })),
  ...each('source', 'cut', 'refuse', 'delay', 'swallow', 'half-open', 'cut-after-applying'),
  ...each('internal', 'cut', 'refuse', 'delay', 'slow', 'swallow', 'half-open', 'cut-after-applying'),
  ...each('client', 'cut', 'swallow', 'cut-after-applying'),
  ...each('process', 'stop', 'terminate'),
];

const LONGEST_MS: Partial<Record<FaultKind, number>> = { refuse: 6000, swallow: 8000, answer: 8000, stop: 25_000 };

const victimOf = ({ target }: Fault, random: Random, { processes, services }: PlanInput): string | undefined => {
  if (target === 'process')
    return random.pick(processes.filter((name) => services.some((service) => name.startsWith(service))));
  if (target !== 'mongodb' && target !== 'rabbitmq') return undefined;
  return random.next() < 0.4 ? undefined : random.pick(services);
};

/** All kinds in random order, repeated, so that a long run meets each kind. */
const drawFaults = (count: number, random: Random): Fault[] => {
  const rounds = Array.from({ length: Math.ceil(count / KINDS.length) }, () => random.shuffled(KINDS));
  return rounds.flat().slice(0, count);
};

/** The faults of a run and their times. The same input gives the same plan. */
export const planOf = (input: PlanInput): Step[] => {
  const random = randomOf(input.seed);
  const kills = Array.from({ length: input.kills }, (): Fault => ({ target: 'process', kind: 'kill' }));
  const others = drawFaults(input.faults, random).map((fault): Fault => {
    const victim = victimOf(fault, random, input);
    return { ...fault, ...(victim === undefined ? {} : { victim }) };
  });
  const killed = kills.map((fault): Fault => ({ ...fault, victim: random.pick(input.processes) }));
  const all = random.shuffled([...others, ...killed]);
  const apart = input.submissions / (all.length + 1);
  return all.map((fault, index) => ({
    at: Math.max(1, Math.floor((index + 0.5 + random.next()) * apart)),
    ms: random.between(500, LONGEST_MS[fault.kind] ?? 5000),
    fault,
  }));
};

/** Stops one process of each service, all at once, and continues them together. */
export const asleep = (labels: readonly string[], submissions: number, ms: number): Step[] =>
  labels.map((victim) => ({ at: Math.ceil(submissions / 3), ms, fault: { target: 'process', kind: 'stop', victim } }));

export const nameOf = ({ target, kind, victim, code }: Fault): string =>
  [target, kind, code, victim && `(${victim})`].filter((part) => part !== undefined).join(' ');
