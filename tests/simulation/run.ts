import { SERVICE_NAMES } from '@assay/http';
import { forgetReadiness } from '@assay/runtime';
import mongoose from 'mongoose';
import { misdirected, runsAhead } from './announced.ts';
import { newLedger } from './client/ledger.ts';
import { startClients } from './clients.ts';
import { comparedInSpite } from './consented.ts';
import { unlikeEvaluations } from './evaluated.ts';
import { createFaults, type Faults, withoutFaults } from './faults.ts';
import { broken, outstanding, unlike } from './invariants.ts';
import { type Scenario, scenarioOf } from './scenario.ts';
import { startOutsiders } from './suite/outsiders.ts';
import { policies } from './suite/programs.ts';
import { createStage, type Stage } from './suite/stage.ts';
import { type Supervisor, startSuite } from './suite/supervisor.ts';
import { type Keys, tenantsOf } from './suite/tenants.ts';
import type { Suspect } from './suspect.ts';
import { askedInSpite, heardWithdrawals, storedInSpite } from './withdrawn.ts';
import { useWorld } from './world/globals.ts';
import { createWorld, type World } from './world/world.ts';

export interface RunOptions {
  /** Replaces what the seed draws. */
  scenario?: Partial<Scenario>;
  /** Receives every line that a service logs. */
  print?: (line: string) => void;
  recordsLines?: boolean;
}

export interface Result {
  seed: number;
  /** The promises that were broken, in words; empty after a good run. */
  findings: string[];
  /** A digest of everything that happened, the same for the same seed. */
  digest: string;
  events: number;
  /** Virtual seconds from the end of the faults until the suite had settled. */
  restedAfter: number;
  accepted: number;
  scenario: Scenario;
  lines: readonly string[];
}

// The first id of a process draws bytes for all later ids. It is made here, so that it does not
// change what the first run draws.
new mongoose.Types.ObjectId();

const LOOK_EVERY_MS = 250;
const LONGEST_SKEW_MS = 24 * 3600_000;
/** Mostly seconds or minutes, sometimes hours, ahead or behind. */
const skewOf = (share: number): number => LONGEST_SKEW_MS * (2 * share - 1) ** 5;
/** An event that a queue loses twice is published again after ten minutes. */
const PATIENCE_MS = 18 * 60_000;
/** The suite must stay settled for this long. */
const REST_MS = 3000;

/** Makes the faults of processes and connections strike at random, a few times a second. */
const startStrikes = ({ world, faults, lines, net, loseStore, loseBroker }: Stage, supervisor: Supervisor): void => {
  const { random } = world;
  const strike = (): void => {
    if (faults.isCalm()) {
      for (const service of SERVICE_NAMES) supervisor.setClock(service, 0);
      return;
    }
    for (const service of SERVICE_NAMES) {
      if (faults.strikes('crash')) supervisor.kill(service);
      if (faults.strikes('storeAway')) loseStore(service);
      if (faults.strikes('brokerAway')) loseBroker(service);
      if (faults.strikes('brokerCut')) lines.cutOne(service);
      if (faults.strikes('channelCloses')) lines.closeChannel(service);
      if (faults.strikes('callCut')) net.cutOne(service);
      if (faults.strikes('clockJump')) supervisor.setClock(service, skewOf(random.next()));
    }
    world.after(random.next() * 1000, undefined, 'strikes', strike);
  };
  world.after(0, undefined, 'strikes', strike);
};

/** Starts the suite without faults, and returns the keys of its tenants. */
const prepared = async ({ world }: Stage, supervisor: Supervisor, scenario: Scenario): Promise<Keys> => {
  await world.runUntil(supervisor.isUp);
  let keys: Keys | undefined;
  world.after(0, world.start('administrator'), 'a tenant is made', () => {
    void tenantsOf(scenario).then((made) => {
      keys = made;
    });
  });
  await world.runUntil(() => keys !== undefined);
  return keys!;
};

const leftOf = (suspect: Suspect): string[] => {
  const busy = outstanding(suspect);
  return busy.length > 0 ? busy : [...unlike(suspect), ...storedInSpite(suspect)];
};

const runUntilRest = async (suspect: Suspect, findings: Set<string>): Promise<void> => {
  const { world, faults } = suspect.stage;
  const until = world.now() + PATIENCE_MS;
  let restedAt: number | undefined;
  let isOver = false;
  const look = (): void => {
    for (const finding of [...broken(suspect), ...comparedInSpite(suspect)]) findings.add(finding);
    heardWithdrawals(suspect);
    // Before the faults end, nothing needs to be settled, because a queue that lost a message is
    // repaired later.
    const left = faults.isCalm() ? leftOf(suspect) : undefined;
    restedAt = left?.length === 0 ? (restedAt ?? world.now()) : undefined;
    const isAtRest = restedAt !== undefined && world.now() - restedAt >= REST_MS;
    // An event that a queue lost is published again after minutes.
    const apart = isAtRest ? unlikeEvaluations(suspect, policies) : [];
    if (apart.length > 0) restedAt = undefined;
    if (world.now() > until) for (const what of [...(left ?? []), ...apart]) findings.add(`never: ${what}`);
    isOver = findings.size > 0 || (isAtRest && apart.length === 0);
    if (!isOver) world.after(LOOK_EVERY_MS, undefined, 'look', look);
  };
  look();
  await world.runUntil(() => isOver);
};

const simulate = async (world: World, { scenario: given, print }: RunOptions) => {
  const { random } = world;
  // Drawn even if given, so that a given scenario changes no other draw.
  const scenario = { ...scenarioOf(random, world.apart), ...given };
  const { rates, faultsMs } = scenario;
  const findings = new Set<string>();
  const onRejection = (error: unknown): void =>
    void findings.add(`uncaught in ${world.current()?.name}: ${error instanceof Error ? error.stack : String(error)}`);
  process.on('unhandledRejection', onRejection);
  const calmStage = createFaults(random, withoutFaults);
  const faults = createFaults(random, rates);
  let active = calmStage;
  const current: Faults = {
    strikes: (kind) => active.strikes(kind),
    latencyMs: () => active.latencyMs(),
    calm: faults.calm,
    isCalm: faults.isCalm,
  };
  const stage = createStage(world, current, scenario.copies);
  const { fourEyes } = scenario;
  const suspect: Suspect = {
    ...{ stage, ledger: newLedger(), fourEyes, heardAt: new Map(), barred: new Map() },
    outsiders: undefined as never,
  };
  suspect.outsiders = startOutsiders(stage, {
    onWebhook: (one) => {
      for (const finding of [...runsAhead(suspect, one), ...misdirected(suspect, one)]) findings.add(finding);
    },
    onQuestion: (number) => {
      for (const finding of askedInSpite(suspect, number)) findings.add(finding);
    },
  });
  const supervisor = startSuite(stage, scenario.doubled, print);
  const keys = await prepared(stage, supervisor, scenario);
  active = faults;
  startStrikes(stage, supervisor);
  startClients(stage, suspect, keys, scenario);
  const calmAt = world.now() + faultsMs;
  world.after(faultsMs, undefined, 'faults are over', faults.calm);
  await runUntilRest(suspect, findings);
  process.off('unhandledRejection', onRejection);
  stage.net.end();
  return {
    scenario,
    findings: [...findings],
    restedAfter: (world.now() - calmAt) / 1000,
    accepted: suspect.ledger.accepted.length,
  };
};

/** One run of the suite under the faults that a seed draws. */
export const runSeed = async (seed: number, options: RunOptions = {}): Promise<Result> => {
  // A process that dies closes nothing. Without this, the whole former run would stay in memory.
  forgetReadiness();
  const world = createWorld(seed, { recordsLines: options.recordsLines === true });
  useWorld(world);
  const result = await simulate(world, options).finally(() => useWorld(undefined));
  const { digest, events, lines } = world.trace();
  return { seed, ...result, digest, events, lines };
};
