import { SERVICE_NAMES, type ServiceName } from '@assay/http';
import mongoose from 'mongoose';
import type { Random } from '../faults/random.ts';
import { createCall } from './client/call.ts';
import { crowdOf, type Journey, journeyOf, type Ledger, newLedger, travel } from './client/journeys.ts';
import { createFaults, type Rates, ratesOf, withoutFaults } from './faults.ts';
import { broken, outstanding, runsAhead, type Suspect, unlike } from './invariants.ts';
import { type Outsiders, RECEIVER, startOutsiders } from './suite/outsiders.ts';
import { ADMINISTRATOR } from './suite/programs.ts';
import { createStage, type Stage } from './suite/stage.ts';
import { type Supervisor, startSuite } from './suite/supervisor.ts';
import { useWorld } from './world/globals.ts';
import { createWorld, type World } from './world/world.ts';

/** What a seed draws before anything happens; each can be given in its place. */
export interface Scenario {
  /** What each client does, and how long after the beginning it begins, in milliseconds. */
  clients: { afterMs: number; journey: Journey }[];
  rates: Rates;
  /** How long faults strike. */
  faultsMs: number;
  /** Services of which there are two. */
  doubled: ServiceName[];
}

export interface RunOptions {
  /** In place of what the seed draws. */
  scenario?: Partial<Scenario>;
  /** Told every line that a service logs. */
  tell?: (line: string) => void;
  keepsLines?: boolean;
}

export interface Result {
  seed: number;
  /** Promises that were broken, in words; empty after a good run. */
  findings: string[];
  /** Of everything that happened: the same for the same seed. */
  digest: string;
  events: number;
  /** Virtual seconds from the end of the faults until everything had come to rest. */
  restedAfter: number;
  accepted: number;
  scenario: Scenario;
  lines: readonly string[];
}

// The first id of a process draws bytes for all that follow: drawn here, no run is shifted by them.
new mongoose.Types.ObjectId();

const LOOK_EVERY_MS = 250;
const LONGEST_SKEW_MS = 30_000;
const LONGEST_FAULTS_MS = 90_000;
/** Uploads that nobody refers to go after 15 minutes. */
const PATIENCE_MS = 18 * 60_000;
/** What has come to rest stays so for a while. */
const REST_MS = 3000;

const tenantOf = async (): Promise<string> => {
  const call = createCall({ apikey: ADMINISTRATOR, onForbidden: (what) => Promise.reject(new Error(what)) });
  const tenant = await call('POST', '/admin/v1/tenants', {
    json: {
      name: 'simulation',
      settings: {
        acceptSpecimens: true,
        limits: { requestsPerMinute: 1_000_000 },
        issuingSources: { enabled: true },
        retention: { proofGraceSeconds: 3600 },
        webhook: { url: `http://${RECEIVER}/hook`, mode: 'NONE', attempts: 100, delaySeconds: 1 },
      },
    },
  });
  const key = await call('POST', `/admin/v1/tenants/${tenant?.body.tenantId}/keys`, {
    json: { role: 'RELYING_SERVICE' },
  });
  return String(key?.body.apiKey);
};

/** Has what strikes processes and lines strike, by chance, a few times a second. */
const startStrikes = ({ world, faults, lines, net, loseStore }: Stage, supervisor: Supervisor): void => {
  const { random } = world;
  const strike = (): void => {
    if (faults.isCalm()) {
      for (const service of SERVICE_NAMES) supervisor.setClock(service, 0);
      return;
    }
    for (const service of SERVICE_NAMES) {
      if (faults.strikes('crash')) supervisor.kill(service);
      if (faults.strikes('storeAway')) loseStore(service);
      if (faults.strikes('brokerCut')) lines.cutOne(service);
      if (faults.strikes('channelCloses')) lines.closeChannel(service);
      if (faults.strikes('callCut')) net.cutOne(service);
      if (faults.strikes('clockJump')) supervisor.setClock(service, (random.next() - 0.5) * 2 * LONGEST_SKEW_MS);
    }
    world.after(random.next() * 1000, undefined, 'strikes', strike);
  };
  world.after(0, undefined, 'strikes', strike);
};

/** Each service is doubled in one run of eight, so that some runs have two of several. */
const DOUBLED = 0.125;

/** One run of four has a crowd besides. */
const CROWDED = 0.25;

const scenarioOf = (random: Random, apart: Random): Scenario => {
  const scenario: Scenario = {
    rates: ratesOf(random, apart),
    doubled: SERVICE_NAMES.filter(() => random.next() < DOUBLED),
    clients: Array.from({ length: random.between(1, 4) }, () => ({
      afterMs: random.next() * 10_000,
      journey: journeyOf(random),
    })),
    faultsMs: random.next() * LONGEST_FAULTS_MS,
  };
  if (apart.next() >= CROWDED) return scenario;
  const afterMs = apart.next() * 10_000;
  return { ...scenario, clients: [...scenario.clients, ...crowdOf(apart).map((journey) => ({ afterMs, journey }))] };
};

/** Begins the clients' work in a process of theirs. */
const startClients = (
  stage: Stage,
  ledger: Ledger,
  outsiders: Outsiders,
  { apikey, clients: all }: { apikey: string; clients: Scenario['clients'] },
): void => {
  const { world } = stage;
  const { random } = world;
  const clients = world.start('clients');
  const call = createCall({ apikey, onForbidden: (what) => ledger.forbidden.push(what) });
  for (const { afterMs, journey } of all) {
    ledger.underWay += 1;
    world.after(afterMs, clients, 'a client begins', () => {
      void travel({ call, ledger, outsiders, random }, journey).finally(() => {
        ledger.underWay -= 1;
      });
    });
  }
};

/** Starts the suite on a calm day, and gives the key of a tenant. */
const prepared = async ({ world }: Stage, supervisor: Supervisor): Promise<string> => {
  await world.runUntil(supervisor.isUp);
  let apikey: string | undefined;
  world.after(0, world.start('administrator'), 'a tenant is made', () => {
    void tenantOf().then((made) => {
      apikey = made;
    });
  });
  await world.runUntil(() => apikey !== undefined);
  return apikey ?? '';
};

const runUntilRest = async (suspect: Suspect, findings: Set<string>): Promise<void> => {
  const { world, faults } = suspect.stage;
  const until = world.now() + PATIENCE_MS;
  let restedAt: number | undefined;
  let isOver = false;
  const look = (): void => {
    for (const finding of broken(suspect)) findings.add(finding);
    // What a queue lost is found again later: nothing rests before it is.
    const busy = outstanding(suspect);
    const left = busy.length > 0 ? busy : unlike(suspect);
    restedAt = left.length > 0 || !faults.isCalm() ? undefined : (restedAt ?? world.now());
    if (world.now() > until) for (const what of left) findings.add(`never: ${what}`);
    isOver = findings.size > 0 || (restedAt !== undefined && world.now() - restedAt >= REST_MS);
    if (!isOver) world.after(LOOK_EVERY_MS, undefined, 'look', look);
  };
  look();
  await world.runUntil(() => isOver);
};

const simulate = async (world: World, { scenario: given, tell }: RunOptions) => {
  const { random } = world;
  // Drawn in any case: what is given shifts nothing else.
  const scenario = { ...scenarioOf(random, world.apart), ...given };
  const { rates, faultsMs } = scenario;
  const findings = new Set<string>();
  const onRejection = (error: unknown): void =>
    void findings.add(`uncaught in ${world.current()?.name}: ${error instanceof Error ? error.stack : String(error)}`);
  process.on('unhandledRejection', onRejection);
  const calmStage = createFaults(random, withoutFaults);
  const faults = createFaults(random, rates);
  let active = calmStage;
  const stage = createStage(world, {
    strikes: (kind) => active.strikes(kind),
    latencyMs: () => active.latencyMs(),
    calm: faults.calm,
    isCalm: faults.isCalm,
  });
  const suspect: Suspect = { stage, ledger: newLedger(), outsiders: undefined as never };
  suspect.outsiders = startOutsiders(stage, (one) => {
    for (const finding of runsAhead(suspect, one)) findings.add(finding);
  });
  const supervisor = startSuite(stage, scenario.doubled, tell);
  const apikey = await prepared(stage, supervisor);
  active = faults;
  startStrikes(stage, supervisor);
  startClients(stage, suspect.ledger, suspect.outsiders, { apikey, clients: scenario.clients });
  const calmAt = world.now() + faultsMs;
  world.after(faultsMs, undefined, 'faults are over', faults.calm);
  await runUntilRest(suspect, findings);
  process.off('unhandledRejection', onRejection);
  return {
    scenario,
    findings: [...findings],
    restedAfter: (world.now() - calmAt) / 1000,
    accepted: suspect.ledger.accepted.length,
  };
};

/** One run of the suite under the faults that a seed draws. */
export const runSeed = async (seed: number, options: RunOptions = {}): Promise<Result> => {
  const world = createWorld(seed, { keepsLines: options.keepsLines === true });
  useWorld(world);
  const result = await simulate(world, options).finally(() => useWorld(undefined));
  const { digest, events, lines } = world.trace();
  return { seed, ...result, digest, events, lines };
};
