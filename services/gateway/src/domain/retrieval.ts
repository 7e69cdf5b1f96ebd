import { type ClientRole, present } from '@assay/contracts';
import { type ChangeResult, type IdentityChange, refuse } from './change.ts';
import { type Identity, type ProofState, secondsAfter } from './identity.ts';
import { isBusy, isStale } from './status.ts';
import { type StoredSubmission, takeIn } from './submissions.ts';
import { BUILD_PATIENCE_SECONDS, beginClosing, whyNotReadable } from './transaction.ts';

/** How long a builder's lease lasts without being renewed. */
const BUILD_LEASE_SECONDS = 15;

export interface Retrieval {
  proofId: string;
  role: ClientRole;
  now: Date;
}

/**
 * Begins the retrieval of the proof: after this write nothing can be submitted (either the proof
 * gets 403 while PROCESSING, or the submission gets 409 or 410). A retrieval that runs is joined:
 * same proofId, same bytes. If its builder died, it is taken over.
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

/** The builder still works: its lease is renewed. */
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

/**
 * A client still downloads: the grace period begins again, so that it does not end the download.
 */
export const stillSending = (identity: Identity, proofId: string, now: Date): IdentityChange | undefined => {
  const { proof, state } = identity;
  if (state !== 'PROVING' || proof?.proofId !== proofId || !proof.built) return undefined;
  const built = { ...proof.built, graceUntil: secondsAfter(now, proof.built.graceSeconds) };
  return { set: { proof: { ...proof, built } }, events: [] };
};

/** The archive could not be built: the transaction is open again. */
export const buildFailed = (identity: Identity, proofId: string): IdentityChange | undefined =>
  isBuilding(identity, proofId) ? { set: { state: 'OPEN' }, unset: ['proof'], events: [] } : undefined;

/**
 * Adds an evidence whose request ended before it did. A proof that is being built lacks it, so that
 * build is given up: repeated requests for the proof would otherwise keep the evidence out.
 */
export const takeInLate = (identity: Identity, stored: StoredSubmission, now: Date): IdentityChange | undefined => {
  const change = takeIn(identity, stored, now);
  const failed = identity.proof && buildFailed(identity, identity.proof.proofId);
  return change && failed
    ? { ...change, ...present({ unset: failed.unset }), set: { ...change.set, ...failed.set } }
    : change;
};

/** No request builds the proof any more: the lease ended some time ago. */
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
