import { SERVICE_NAMES, type ServiceName } from '@assay/http';
import type { Random } from '../faults/random.ts';
import { type Adjudicated, adjudicatedOf } from './client/adjudicated.ts';
import { type HookChange, hookChangesOf } from './client/administrator.ts';
import { type BriefTransactions, briefTransactionsOf } from './client/brief.ts';
import { type ChipReader, chipReaderOf } from './client/chip-reader.ts';
import { type Consenting, consentingOf } from './client/consenting.ts';
import { crowdOf, furtherSteps, hurryOf, type Journey, journeyOf } from './client/journeys.ts';
import { type KeyHolder, keyHolderOf } from './client/key-holder.ts';
import { type Rotations, rotationsOf } from './client/rotation.ts';
import { type SlowUploads, slowUploadsOf } from './client/slow-uploads.ts';
import { type UserAgent, userAgentOf } from './client/user-agent.ts';
import { type Rates, rateOf, ratesOf, stormOf } from './faults.ts';

/** What a seed draws before a run begins. Each member can be given instead. */
export interface Scenario {
  /** What each client does, and when it begins, in milliseconds after the start. */
  clients: { afterMs: number; journey: Journey }[];
  rates: Rates;
  /** How often a message arrives that a service publishes, apart from the faults of the broker. */
  copies: number;
  /** How long faults strike. */
  faultsMs: number;
  /** Services that run as two processes. */
  doubled: ServiceName[];
  /** Clients on whose pictures operators decide, and whether two operators must decide. */
  adjudicated: Adjudicated[];
  fourEyes: boolean;
  /** Clients whose transactions expire soon. */
  brief: BriefTransactions | undefined;
  /** What happens to the webhook, one after the other. */
  hookChanges: HookChange[];
  /** Devices that act under a session. */
  userAgents: UserAgent[];
  /** Clients whose key is made and revoked. */
  keyHolders: KeyHolder[];
  /** Clients whose pictures arrive slowly. */
  slowUploads: SlowUploads[];
  /** Clients that delete consents and give them anew. */
  consenting: Consenting[];
  /** Clients that read chips. */
  chipReaders: ChipReader[];
  /** When the master key is rotated. */
  rotations: Rotations;
}

const LONGEST_FAULTS_MS = 90_000;
/** Each service runs twice in one run of eight, so that some runs have several such services. */
const DOUBLED = 0.125;

/** One run of four also has a crowd. */
const CROWDED = 0.25;
/** One run of three has pictures on which operators decide. */
const ADJUDICATED = 0.33;

/** In one run of three the webhook changes. */
const HOOK_CHANGES = 0.33;

/** In one run of four a client asks for the proof while it submits. */
const HURRIED = 0.25;

/** In one run of four some transactions expire. */
const BRIEF = 0.25;

/** In one run of four, devices act under sessions; in one of four, keys are made and revoked. */
const SESSIONS = 0.25;
const KEY_HOLDERS = 0.25;

/** In one run of four, pictures arrive in pieces. */
const SLOW_UPLOADS = 0.25;

/** In one run of four, consents are deleted and given anew. */
const CONSENTING = 0.25;

/** In one run of four, chips are read. */
const CHIP_READERS = 0.25;

/** In one run of eight, the master key is rotated. */
const ROTATIONS = 0.125;

/** In one run of eight, some faults strike much more often than in the others. */
const STORMY = 0.125;

/** In one of two runs with a crowd, the gateway runs twice. */
const CROWD_DOUBLES = 0.5;

/**
 * What a seed draws. Whatever was added later comes from `apart`, in the order in which it was
 * added.
 */
export const scenarioOf = (random: Random, apart: Random): Scenario => {
  const early = ratesOf(random);
  const storeAway = rateOf('storeAway', apart);
  const doubled = SERVICE_NAMES.filter(() => random.next() < DOUBLED);
  const clients = Array.from({ length: random.between(1, 4) }, () => ({
    afterMs: random.next() * 10_000,
    journey: journeyOf(random),
  }));
  const faultsMs = random.next() * LONGEST_FAULTS_MS;
  const isAdjudicated = apart.next() < ADJUDICATED;
  const fourEyes = isAdjudicated && apart.next() < 0.5;
  const adjudicated = isAdjudicated ? Array.from({ length: apart.between(1, 3) }, () => adjudicatedOf(apart)) : [];
  const isCrowded = apart.next() < CROWDED;
  const afterMs = isCrowded ? apart.next() * 10_000 : 0;
  const crowd = isCrowded ? crowdOf(apart).map((journey) => ({ afterMs, journey })) : [];
  const brokerAway = rateOf('brokerAway', apart);
  // Otherwise the end of the faults would always bring the broker back.
  const longerMs = brokerAway > 0 ? apart.next() * LONGEST_FAULTS_MS : 0;
  const rates = { ...early, storeAway, brokerAway };
  const doubles = isCrowded && apart.next() < CROWD_DOUBLES && !doubled.includes('gateway');
  const longer = clients.map(({ afterMs, journey: { steps, end } }) => ({
    afterMs,
    journey: { steps: [...steps, ...furtherSteps(steps, apart)], end },
  }));
  const hookChanges = apart.next() < HOOK_CHANGES ? hookChangesOf(apart) : [];
  const hurried = apart.next() < HURRIED ? [{ afterMs: apart.next() * 10_000, journey: hurryOf(apart) }] : [];
  const brief = apart.next() < BRIEF ? briefTransactionsOf(apart) : undefined;
  const some = <T>(share: number, one: (random: Random) => T): T[] =>
    apart.next() < share ? Array.from({ length: apart.between(1, 2) }, () => one(apart)) : [];
  const userAgents = some(SESSIONS, userAgentOf);
  const keyHolders = some(KEY_HOLDERS, keyHolderOf);
  const slowUploads = some(SLOW_UPLOADS, slowUploadsOf);
  const consenting = some(CONSENTING, consentingOf);
  const chipReaders = some(CHIP_READERS, chipReaderOf);
  const rotations = apart.next() < ROTATIONS ? rotationsOf(apart) : [];
  const isStormy = apart.next() < STORMY;
  return {
    rates: isStormy ? stormOf(rates, apart) : rates,
    copies: 1,
    adjudicated,
    fourEyes,
    hookChanges,
    brief,
    userAgents,
    keyHolders,
    slowUploads,
    consenting,
    chipReaders,
    rotations,
    faultsMs: faultsMs + longerMs,
    clients: [...longer, ...crowd, ...hurried],
    doubled: doubles ? [...doubled, 'gateway'] : doubled,
  };
};
