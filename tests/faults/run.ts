import { setTimeout as pause } from 'node:timers/promises';
import { SERVICE_NAMES } from '@assay/contracts';
import { apiWith, newTenant, readStack } from '@assay/testing';
import { goOn, type Journey, journeysOf, type Ledger, type Mix, newLedger } from './load.ts';
import { type Findings, inspect } from './oracle.ts';
import { asleep, type Fault, nameOf, planOf, type Step } from './plan.ts';
import type { Stage } from './stage.ts';
import { openTraces } from './traces.ts';

/** Something that is done on purpose during a run, for as long as it takes. */
export interface Exercise {
  name: string;
  /** May return how often it struck. */
  run(): Promise<unknown>;
}

export interface RunOptions {
  seed: number;
  submissions: number;
  faults: number;
  kills: number;
  /** Milliseconds between the beginnings of journeys, however slowly the suite answers. */
  everyMs: number;
  mix: Mix;
  /** What is done after a third of the load, one exercise after the other. */
  exercises?: readonly Exercise[];
  /**
   * How long one process of each service is stopped, after a third of the load, in milliseconds.
   */
  asleepMs?: number;
  patienceMs: number;
  proofs: number;
  say(line: string): void;
  /** Receives every answer that a client got. */
  heard?: Ledger['heard'];
}

export interface Report extends Findings {
  plan: { at: number; ms: number; fault: string; hits: number }[];
  answers: Record<string, number>;
  silences: string[];
  seconds: number;
}

const DAY_SECONDS = 86_400;

const planFor = ({ labels, killable }: Stage, options: RunOptions): Step[] => {
  const { submissions, asleepMs = 0 } = options;
  const processes = [...labels, ...killable];
  const first = labels.filter((label) => label.endsWith('-1'));
  return [
    ...planOf({ ...options, processes, services: SERVICE_NAMES }),
    ...(asleepMs > 0 ? asleep(first, submissions, asleepMs) : []),
  ].toSorted((a, b) => a.at - b.at);
};

/** Begins each fault of the plan when it is due, and ends it. */
const makeFaults = async (
  stage: Stage,
  steps: readonly Step[],
  ledger: Ledger,
  isOver: () => boolean,
  say: RunOptions['say'],
) => {
  const made: Report['plan'] = [];
  const running: Promise<void>[] = [];
  const make = async (fault: Fault, ms: number, line: Report['plan'][number]): Promise<void> => {
    const before = stage.struck();
    const end = stage.begin(fault);
    await pause(ms);
    end();
    line.hits = fault.target === 'process' || fault.kind === 'status' ? 1 : stage.struck() - before;
  };
  for (const { at, ms, fault } of steps) {
    while (ledger.sent < at && !isOver()) await pause(20);
    const line = { at, ms, fault: nameOf(fault), hits: 0 };
    made.push(line);
    say(`${ledger.sent} sent: ${line.fault} for ${ms} ms`);
    running.push(make(fault, ms, line));
  }
  await Promise.all(running);
  return made;
};

const makeExercises = async (
  { submissions, exercises = [], say }: RunOptions,
  ledger: Ledger,
): Promise<Report['plan']> => {
  const made: Report['plan'] = [];
  while (exercises.length > 0 && ledger.sent < submissions / 3) await pause(20);
  for (const { name, run } of exercises) {
    const [at, since] = [ledger.sent, performance.now()];
    say(`${at} sent: ${name}`);
    const hits = await run();
    const ms = Math.round(performance.now() - since);
    made.push({ at, ms, fault: name, hits: typeof hits === 'number' ? hits : 1 });
  }
  return made;
};

/** An open-loop client: journeys begin at their time, however many are still running. */
const makeLoad = async (
  journeys: readonly Journey[],
  begin: (journey: Journey) => Promise<void>,
  everyMs: number,
): Promise<void> => {
  const under: Promise<void>[] = [];
  for (const journey of journeys) {
    under.push(begin(journey));
    await pause(everyMs);
  }
  await Promise.all(under);
};

/** Whether every service reports that it is ready. */
const recovered = async (): Promise<boolean> => {
  const all = Object.values(readStack().services).flat();
  const ready = all.map(({ adminUrl }) =>
    fetch(`${adminUrl}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return (await Promise.all(ready)).every(Boolean);
};

const waitUntilRecovered = async (patienceMs: number): Promise<number | undefined> => {
  const since = performance.now();
  while (!(await recovered())) {
    if (performance.now() - since > patienceMs) return undefined;
    await pause(200);
  }
  return performance.now() - since;
};

/**
 * The number of requests that the simulated issuers got. A request that is repeated under its id
 * counts once.
 */
const questionsAsked = async (): Promise<number> => {
  const { aamva, dvs } = readStack().simulators;
  const counts = [aamva, dvs].map(async (url) => {
    const { count } = (await (await fetch(`${url}/requests`)).json()) as { count: number };
    return count;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
};

/**
 * Whether an issuer may have to be asked again, because an answer was lost or the issuer forgot it.
 */
const strikesSources = (plan: readonly Step[]): boolean => plan.some(({ fault }) => fault.kind !== 'stop');

/** A whole run on a stage: load and faults together, then the inspection. */
export const runFaults = async (stage: Stage, options: RunOptions): Promise<Report> => {
  const { seed, say, patienceMs } = options;
  const tenant = await newTenant('faults', {
    webhook: { url: stage.receiverUrl, mode: 'NONE', attempts: 60, delaySeconds: 1 },
    issuingSources: { enabled: true },
    // No identity of a long run may time out before it was inspected.
    transactionLifetimeSeconds: DAY_SECONDS,
  });
  const plan = planFor(stage, options);
  const journeys = journeysOf(seed, options.submissions, options.mix);
  const ledger = newLedger(options.heard);
  const abort = new AbortController();
  const client = { baseUrl: stage.baseUrl, apikey: tenant.keys.relyingService, ledger, signal: abort.signal };
  const startedAt = performance.now();
  let isOver = false;
  const loading = makeLoad(journeys, (journey) => goOn(client, journey), options.everyMs).finally(() => {
    isOver = true;
  });
  const [faults, exercises] = await Promise.all([
    makeFaults(stage, plan, ledger, () => isOver, say),
    makeExercises(options, ledger),
  ]);
  const made = [...faults, ...exercises].toSorted((a, b) => a.at - b.at);
  const recovery = await waitUntilRecovered(patienceMs);
  // After the faults, every call is answered in the end.
  const isDone = await Promise.race([loading.then(() => true), watchOpen(ledger, patienceMs, () => isOver)]);
  const stuck = ledger.open;
  abort.abort();
  const traces = await openTraces(stage);
  const findings = await inspect({
    ...{ api: apiWith(readStack().baseUrl, tenant.keys.relyingService), admin: tenant.admin, ledger, traces },
    ...{ received: stage.receiver.received, patienceMs, proofs: options.proofs, say },
  });
  await traces.close();
  const asked = await questionsAsked();
  const licences = ledger.accepted.filter(({ kind }) => kind === 'licence').length;
  const refused = [...ledger.answers].filter(([what]) => !what.startsWith('2'));
  const broken = [
    ...(strikesSources(plan) || asked <= licences ? [] : [`${asked} questions to the issuers of ${licences} licences`]),
    ...(made.length > 0 ? [] : refused.map(([what, count]) => `without any fault ${count} calls ended ${what}`)),
    ...(recovery === undefined ? ['not every service became ready again'] : []),
    ...(isDone ? [] : [`${stuck} calls were not answered 2xx although the faults were over`]),
    ...findings.broken,
  ];
  return {
    broken,
    figures: {
      ...findings.figures,
      'licences accepted': licences,
      'questions their issuers were asked': asked,
      'ready again after the last fault, ms': Math.round(recovery ?? -1),
    },
    plan: made,
    silences: ledger.silences,
    answers: Object.fromEntries([...ledger.answers].toSorted()),
    seconds: Math.round((performance.now() - startedAt) / 1000),
  };
};

/** Resolves to false when calls are open and none has been answered 2xx for too long. */
const watchOpen = async (ledger: Ledger, patienceMs: number, isOver: () => boolean): Promise<boolean> => {
  let [before, movedAt] = ['', performance.now()];
  while (!isOver()) {
    const now = `${ledger.sent} ${ledger.accepted.length} ${ledger.identities.size} ${ledger.open}`;
    if (now !== before) [before, movedAt] = [now, performance.now()];
    if (performance.now() - movedAt > patienceMs) return false;
    await pause(500);
  }
  return true;
};
