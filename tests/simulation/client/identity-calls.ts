import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Travelling } from './travelling.ts';

type Calls = Pick<Travelling, 'call' | 'ledger'>;

/** A client that waits for a status asks less and less often. */
const LONGEST_PAUSE_MS = 4000;
const STABLE = ['VERIFIED', 'NOT_VERIFIED', 'INVALID'];

export const pathOf = (identityId: string): string => `/svc/v1/identities/${identityId}`;

/** Creates an identity and records it; undefined if that was refused. */
export const createIdentity = async ({ call, ledger }: Calls): Promise<string | undefined> => {
  const created = await call('POST', '/svc/v1/identities', { json: {} });
  if (!created) return undefined;
  const identityId: string = created.body.id;
  ledger.identities.add(identityId);
  return identityId;
};

/** The evidences of an identity that were accepted and not deleted. */
export const mineOf = ({ ledger }: Travelling, identityId: string) =>
  ledger.accepted.filter((one) => one.identityId === identityId && !ledger.deleted.has(one.evidenceId));

/** Waits until no evidence is in process; false if a call was refused. */
export const settle = async (travelling: Travelling, identityId: string, everyMs?: number): Promise<boolean> => {
  for (const { evidenceId } of mineOf(travelling, identityId)) {
    for (let pauseMs = everyMs ?? 500; ; pauseMs = everyMs ?? Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5)) {
      const answer = await travelling.call('GET', `${pathOf(identityId)}/status/${evidenceId}`);
      if (!answer) return false;
      if (STABLE.includes(answer.body.status)) break;
      await pause(pauseMs);
    }
  }
  return true;
};

/**
 * Waits until no evidence is in process, and retrieves the proof twice, because a download can be
 * repeated.
 */
export const retrieve = async (travelling: Travelling, identityId: string): Promise<void> => {
  if (await settle(travelling, identityId)) await retrieveTwice(travelling, identityId);
};

/** Retrieves the proof twice, until it is answered or refused. */
export const retrieveTwice = async ({ call, ledger }: Calls, identityId: string): Promise<void> => {
  const digests = ledger.proofs.get(identityId) ?? new Set<string>();
  ledger.proofs.set(identityId, digests);
  for (let times = 0; times < 2; times += 1) {
    const answer = await call('GET', `${pathOf(identityId)}/proof`);
    if (!answer) return;
    ledger.ended.add(identityId);
    ledger.archives.set(identityId, answer.bytes);
    ledger.acts.push({ act: 'proof.retrieve', id: identityId });
    digests.add(createHash('sha256').update(answer.bytes).digest('hex'));
  }
};

export const deleteIdentity = async ({ call, ledger }: Calls, identityId: string): Promise<void> => {
  ledger.ended.add(identityId);
  if (await call('DELETE', pathOf(identityId))) ledger.acts.push({ act: 'identity.delete', id: identityId });
};

export const deleteEvidence = async (
  { call, ledger }: Calls,
  identityId: string,
  evidenceId: string,
): Promise<void> => {
  ledger.deleted.add(evidenceId);
  if (await call('DELETE', `${pathOf(identityId)}/evidences/${evidenceId}`))
    ledger.acts.push({ act: 'evidence.delete', id: evidenceId });
};
