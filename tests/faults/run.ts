import { setTimeout as pause } from 'node:timers/promises';
import { apiWith, newTenant, readStack } from '@assay/testing';
import { goOn, type Journey, journeysOf, type Ledger, type Mix, newLedger } from './load.ts';
import { type Findings, judge } from './oracle.ts';
import { type Fault, nameOf, planOf, type Step } from './plan.ts';
import { SERVICES, type Stage } from './stage.ts';
import { openTraces } from './traces.ts';

export interface RunOptions {
  seed: number;
  submissions: number;
  faults: number;
  kills: number;
  /** Journeys begin so far apart, in milliseconds, however the suite answers. */
  everyMs: number;
  mix: Mix;
  /** Whether MongoDB and RabbitMQ may be killed. */
  killsEngines: boolean;
  patienceMs: number;
  proofs: number;
  say(line: string): void;
}

export interface Report extends Findings {
  plan: { at: number; ms: number; fault: string; hits: number }[];
  answers: Record<string, number>;
  silences: string[];
  seconds: number;
}

/** Makes each fault of the plan when its time has come, and ends it. */
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

/** An open-loop client: journeys begin at their time, however many are still under way. */
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

/** Every service says it is ready. */
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

/** A whole run on a stage: load and faults together, then judgement. */
export const runFaults = async (stage: Stage, options: RunOptions): Promise<Report> => {
  const { seed, say, patienceMs } = options;
  const tenant = await newTenant('faults', {
    webhook: { url: stage.receiverUrl, mode: 'NONE', attempts: 60, delaySeconds: 1 },
    issuingSources: { enabled: true },
  });
  const processes = [...SERVICES, ...(options.killsEngines ? ['mongodb', 'rabbitmq'] : [])];
  const plan = planOf({ ...options, processes, services: SERVICES });
  const journeys = journeysOf(seed, options.submissions, options.mix);
  const ledger = newLedger();
  const abort = new AbortController();
  const client = { baseUrl: stage.baseUrl, apikey: tenant.keys.relyingService, ledger, signal: abort.signal };
  const startedAt = performance.now();
  let isOver = false;
  const loading = makeLoad(journeys, (journey) => goOn(client, journey), options.everyMs).finally(() => {
    isOver = true;
  });
  const made = await makeFaults(stage, plan, ledger, () => isOver, say);
  const recovery = await waitUntilRecovered(patienceMs);
  // With the faults over, every call is answered in the end.
  const isDone = await Promise.race([loading.then(() => true), watchOpen(ledger, patienceMs, () => isOver)]);
  const stuck = ledger.open;
  abort.abort();
  const traces = await openTraces(stage);
  const findings = await judge({
    ...{ api: apiWith(readStack().baseUrl, tenant.keys.relyingService), admin: tenant.admin, ledger, traces },
    ...{ received: stage.receiver.received, patienceMs, proofs: options.proofs, say },
  });
  await traces.close();
  const broken = [
    ...(recovery === undefined ? ['not every service became ready again'] : []),
    ...(isDone ? [] : [`${stuck} calls were not answered 2xx although the faults were over`]),
    ...findings.broken,
  ];
  return {
    broken,
    figures: { ...findings.figures, 'ready again after the last fault, ms': Math.round(recovery ?? -1) },
    plan: made,
    silences: ledger.silences,
    answers: Object.fromEntries([...ledger.answers].toSorted()),
    seconds: Math.round((performance.now() - startedAt) / 1000),
  };
};

/** Resolves to false when calls are open and none was answered 2xx for too long. */
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
