import { SERVICE_NAMES, type ServiceName } from '@assay/http';
import type { Random } from '../faults/random.ts';
import { crowdOf, type Journey, journeyOf } from './client/journeys.ts';
import { type Judged, judgedOf } from './client/judged.ts';
import { type Rates, ratesOf } from './faults.ts';

/** What a seed draws before anything happens; each can be given in its place. */
export interface Scenario {
  /** What each client does, and how long after the beginning it begins, in milliseconds. */
  clients: { afterMs: number; journey: Journey }[];
  rates: Rates;
  /** How long faults strike. */
  faultsMs: number;
  /** Services of which there are two. */
  doubled: ServiceName[];
  /** Clients whose pictures operators decide on, and whether two have to. */
  judged: Judged[];
  fourEyes: boolean;
}

const LONGEST_FAULTS_MS = 90_000;
/** Each service is doubled in one run of eight, so that some runs have two of several. */
const DOUBLED = 0.125;

/** One run of four has a crowd besides. */
const CROWDED = 0.25;
/** One of three has pictures that operators decide on. */
const JUDGED = 0.33;

/** What a seed draws; what was added later comes from `apart`. */
export const scenarioOf = (random: Random, apart: Random): Scenario => {
  const scenario: Scenario = {
    rates: ratesOf(random, apart),
    doubled: SERVICE_NAMES.filter(() => random.next() < DOUBLED),
    clients: Array.from({ length: random.between(1, 4) }, () => ({
      afterMs: random.next() * 10_000,
      journey: journeyOf(random),
    })),
    faultsMs: random.next() * LONGEST_FAULTS_MS,
    judged: [],
    fourEyes: false,
  };
  if (apart.next() < JUDGED) {
    scenario.fourEyes = apart.next() < 0.5;
    scenario.judged = Array.from({ length: apart.between(1, 3) }, () => judgedOf(apart));
  }
  if (apart.next() >= CROWDED) return scenario;
  const afterMs = apart.next() * 10_000;
  return { ...scenario, clients: [...scenario.clients, ...crowdOf(apart).map((journey) => ({ afterMs, journey }))] };
};
