import type { ClientRole } from '@assay/contracts';
import { type ChangeResult, type IdentityChange, refuse } from './change.ts';
import { type Identity, type ProofState, secondsAfter } from './identity.ts';
import { isBusy, isStale } from './status.ts';
import { BUILD_PATIENCE_SECONDS, beginClosing, whyNotReadable } from './transaction.ts';

/** How long a builder's lease lasts without being renewed. */
const BUILD_LEASE_SECONDS = 15;

export interface Retrieval {
  proofId: string;
  role: ClientRole;
  now: Date;
}

/**
 * Wins the retrieval of the proof: from this write on nothing can be submitted (403 to the proof
 * while PROCESSING, or 409/410 to the submission: one of them wins). A retrieval under way is
 * joined: same proofId, same bytes; one whose builder died is taken over.
 */
export const winProof = (identity: Identity, { proofId, role, now }: Retrieval): ChangeResult => {
  const leaseUntil = secondsAfter(now, BUILD_LEASE_SECONDS);
  switch (identity.state) {
    case 'OPEN':
      if (isBusy(identity)) return refuse('PROOF_WHILE_PROCESSING');
      if (isStale(identity, now)) return refuse('PROOF_NOT_READY');
      return { set: { state: 'PROVING', proof: { proofId, leaseUntil, tenantRole: role } }, events: [] };
    case 'PROVING':
      if (!identity.proof || identity.proof.built || identity.proof.leaseUntil > now) return undefined;
      return { set: { proof: { ...identity.proof, leaseUntil } }, events: [] };
    default:
      return refuse(whyNotReadable(identity) ?? 'STATE_CONFLICT');
  }
};

/** The builder is still at work: its lease begins again. */
export const renewBuild = (identity: Identity, proofId: string, now: Date): IdentityChange | undefined =>
  isBuilding(identity, proofId)
    ? { set: { proof: { ...identity.proof, leaseUntil: secondsAfter(now, BUILD_LEASE_SECONDS) } }, events: [] }
    : undefined;

const isBuilding = (identity: Identity, proofId: string): identity is Identity & { proof: ProofState } =>
  identity.state === 'PROVING' && identity.proof?.proofId === proofId && !identity.proof.built;

/** The archive is complete. */
export const proofBuilt = (
  identity: Identity,
  ready: { proofId: string; bytes: number; filename: string },
  graceSeconds: number,
  now: Date,
): IdentityChange | undefined => {
  if (!isBuilding(identity, ready.proofId)) return undefined;
  const { bytes, filename } = ready;
  const built = { bytes, filename, graceSeconds, graceUntil: secondsAfter(now, graceSeconds) };
  return { set: { proof: { ...identity.proof, built } }, events: [] };
};

/** A client is still downloading: the grace period begins again, and does not cut it off. */
export const stillSending = (identity: Identity, proofId: string, now: Date): IdentityChange | undefined => {
  const { proof, state } = identity;
  if (state !== 'PROVING' || proof?.proofId !== proofId || !proof.built) return undefined;
  const built = { ...proof.built, graceUntil: secondsAfter(now, proof.built.graceSeconds) };
  return { set: { proof: { ...proof, built } }, events: [] };
};

/** The archive could not be built: the transaction is open again. */
export const buildFailed = (identity: Identity, proofId: string): IdentityChange | undefined =>
  isBuilding(identity, proofId) ? { set: { state: 'OPEN' }, unset: ['proof'], events: [] } : undefined;

/** No request works on the build any more: its lease ended some time ago. */
export const giveUpBuild = (identity: Identity, now: Date): IdentityChange | undefined => {
  const { proof } = identity;
  if (!proof || secondsAfter(proof.leaseUntil, BUILD_PATIENCE_SECONDS) > now) return undefined;
  return buildFailed(identity, proof.proofId);
};

/** The grace period of a finished archive is over: the identity is closed. */
export const endGrace = (identity: Identity, now: Date): IdentityChange | undefined =>
  identity.state === 'PROVING' && identity.proof?.built && !withinGrace(identity, now)
    ? beginClosing(identity, 'PROOF_RETRIEVED', now)
    : undefined;

/** True while the finished archive can be retrieved again. */
export const withinGrace = ({ proof }: Pick<Identity, 'proof'>, now: Date): boolean =>
  proof?.built !== undefined && proof.built.graceUntil > now;
