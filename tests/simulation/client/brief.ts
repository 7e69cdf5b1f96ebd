import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../faults/random.ts';
import { createIdentity, pathOf, retrieveTwice, settle } from './identity-calls.ts';
import { SUBMITTED, submit } from './journeys.ts';
import type { Travelling } from './travelling.ts';

/** The work of a client whose transaction expires, unless it retrieves the proof in time. */
export interface Brief {
  afterMs: number;
  /** What it submits, each after a break. */
  submissions: { what: (typeof SUBMITTED)[number]; breakMs: number }[];
  /** Whether it continues its identity when that is paused, and asks for the proof. */
  resumes: boolean;
}

/** What expires, and how soon, in the tenant of these clients. */
export interface BriefTransactions {
  clients: Brief[];
  lifetimeSeconds: number;
  pauses: boolean;
  /** Whether those expire as well on which operators decide. */
  adjudicates: boolean;
}

/** A break is often as long as a transaction lives, so that submissions meet the expiry. */
const briefOf = (random: Random, lifetimeSeconds: number): Brief => ({
  afterMs: random.next() * 10_000,
  submissions: Array.from({ length: random.between(1, 4) }, () => ({
    what: random.pick(SUBMITTED),
    breakMs: random.next() * 1200 * lifetimeSeconds,
  })),
  resumes: random.next() < 0.5,
});

export const briefTransactionsOf = (random: Random): BriefTransactions => {
  const lifetimeSeconds = random.between(4, 20);
  return {
    clients: Array.from({ length: random.between(1, 3) }, () => briefOf(random, lifetimeSeconds)),
    lifetimeSeconds,
    pauses: random.next() < 0.5,
    adjudicates: random.next() < 0.5,
  };
};

const LOOKS_EVERY_MS = 2000;

/** Looks until the identity has one of these statuses, and returns which; CLOSED is one. */
const waitForEnd = async ({ call }: Travelling, identityId: string, ends: readonly string[]): Promise<string> => {
  for (;;) {
    const answer = await call('GET', `${pathOf(identityId)}/status`);
    const status: string = answer?.body.globalStatus.status ?? 'CLOSED';
    if (ends.includes(status)) return status;
    await pause(LOOKS_EVERY_MS);
  }
};

/** Waits until the identity has expired, unless it has ended otherwise. */
export const expire = async (travelling: Travelling, identityId: string): Promise<void> => {
  const { ledger } = travelling;
  if (ledger.ended.has(identityId)) return;
  await waitForEnd(travelling, identityId, ['CLOSED']);
  ledger.ended.add(identityId);
  ledger.timedOut.add(identityId);
};

/**
 * Submits until the time of the transaction is up. Its `call` expects what an identity answers
 * that is paused (409) or closed (410).
 */
export const travelBriefly = async (travelling: Travelling, { submissions, resumes }: Brief): Promise<void> => {
  const { call, ledger } = travelling;
  const identityId = await createIdentity(travelling);
  if (identityId === undefined) return;
  ledger.brief.add(identityId);
  await call('POST', `${pathOf(identityId)}/consents`, { json: [{ approved: true, type: 'GIV' }] });
  for (const { what, breakMs } of submissions) {
    await submit(travelling, identityId, what);
    await pause(breakMs);
  }
  if (resumes && (await waitForEnd(travelling, identityId, ['PAUSED', 'CLOSED'])) === 'PAUSED') {
    await call('POST', `${pathOf(identityId)}/resume`);
    await submit(travelling, identityId, 'address');
    if (await settle(travelling, identityId)) await retrieveTwice(travelling, identityId);
  }
  await expire(travelling, identityId);
};
