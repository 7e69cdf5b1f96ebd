import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { formatDateTime, type ProofRequest, present } from '@assay/contracts';
import { ApiError, unavailable } from '@assay/http';
import { type Clock, type Log, newId, startSweeper } from '@assay/runtime';
import type { ProofBuilder } from '../clients/proof-builder.ts';
import { refuse } from '../domain/change.ts';
import type { Identity, ProofState } from '../domain/identity.ts';
import { buildFailed, proofBuilt, renewBuild, stillSending, winProof, withinGrace } from '../domain/retrieval.ts';
import { policyUsed } from '../domain/sandbox.ts';
import { whyNotReadable } from '../domain/transaction.ts';
import { identityView } from '../domain/views.ts';
import type { Identities } from '../store/identities.ts';
import type { Access, Opened } from './access.ts';
import type { AuditLog } from './audit.ts';
import { type Caller, clientRoleOf, tenantOf } from './caller.ts';
import type { Lifecycle } from './lifecycle.ts';
import { accepted, errorOf } from './refusal.ts';

type Built = ProofState & { built: NonNullable<ProofState['built']> };

export interface Deps {
  identities: Identities;
  access: Access;
  lifecycle: Lifecycle;
  proofBuilder: ProofBuilder;
  auditLog: AuditLog;
  now: Clock;
  log: Log;
}

const RENEWED_EVERY_MS = 5000;
const LOOKED_EVERY_MS = 50;
const PATIENCE_MS = 120_000;

/** Undefined where the identity was closed meanwhile. Throws any other error. */
const unlessClosed = (error: unknown): undefined => {
  if (error instanceof ApiError && error.error === 'CLOSED') return undefined;
  throw error;
};

const isBuilt = (proof: ProofState | undefined): proof is Built => proof?.built !== undefined;

/** An archive that can be sent. */
export interface Download {
  proofId: string;
  filename: string;
  bytes: number;
  archive: Readable;
  /** What the download does to the identity; absent where that is closed already. */
  session?: {
    graceSeconds: number;
    /** The client still takes bytes: the archive stays. */
    extend: () => Promise<void>;
    /** The client has everything: the identity is closed. */
    finish: () => Promise<void>;
  };
}

export type RetrieveProof = (caller: Caller, identityId: string) => Promise<Download>;

const requestOf = (
  caller: Caller,
  access: Access,
  opened: Opened,
  identity: Identity,
  proofId: string,
): ProofRequest => {
  const { effective } = tenantOf(caller);
  const businessId = access.businessIdOf(opened);
  return {
    proofId,
    identity: identityView(identity, 'RELYING_SERVICE', access.dataOf(opened)),
    tenantRole: identity.proof?.tenantRole ?? clientRoleOf(caller),
    tenantUsed: policyUsed(identity),
    ...present({ previousProofId: access.previousProofIdOf(opened), businessId }),
    caseRevision: identity.caseRevision,
    consentsRevision: identity.consentsRevision,
    operationIds: identity.operationIds,
    evidenceIds: identity.evidences.map(({ evidenceId }) => evidenceId),
    startDateTime: formatDateTime(identity.createdAt),
    videosInProof: effective.videosInProof,
    graceSeconds: effective.retention.proofGraceSeconds,
  };
};

/** Has the archive built while the right to build it is renewed. */
const createBuild =
  ({ identities, access, proofBuilder, now, log }: Deps) =>
  async (caller: Caller, opened: Opened, identity: Identity, proofId: string): Promise<Built> => {
    const { _id } = identity;
    const renewing = startSweeper({
      name: 'proof build',
      everyMs: RENEWED_EVERY_MS,
      run: () => identities.change(_id, (current) => renewBuild(current, proofId, now()), { now: now() }),
      log,
    });
    const claims = access.claims(caller, opened);
    const ready = await proofBuilder
      .build(claims, requestOf(caller, access, opened, identity, proofId))
      .catch(async (error: unknown) => {
        await identities.change(_id, (current) => buildFailed(current, proofId), { now: now() });
        throw error;
      })
      .finally(() => renewing.close());
    const { proofGraceSeconds } = tenantOf(caller).effective.retention;
    const at = now();
    const done = await identities.change(_id, (current) => proofBuilt(current, ready, proofGraceSeconds, at), {
      now: at,
    });
    const after = accepted(done).identity;
    if (isBuilt(after.proof)) return after.proof;
    // It was closed, or the build was given up because of what arrived meanwhile.
    throw errorOf(refuse(whyNotReadable(after) ?? 'PROOF_NOT_READY'));
  };

/** Whether a request may build the archive: none began, its build failed, or its builder died. */
const mayBuild = ({ state, proof }: Identity, at: Date): boolean =>
  state !== 'PROVING' || (proof?.leaseUntil ?? at) <= at;

/** Has the archive built, by this request or by another one that it waits for. */
const createBuildOnce = (deps: Deps) => {
  const { identities, access, now } = deps;
  const build = createBuild(deps);

  /** The archive, if it is built already or this request wins the right to build it. */
  const tryToBuild = async (caller: Caller, identityId: string): Promise<Built | undefined> => {
    const opened = await access.openInForce(caller, identityId);
    const at = now();
    const retrieval = { proofId: newId(), role: clientRoleOf(caller), now: at };
    const won = await identities.change(identityId, (current) => winProof(current, retrieval), { now: at });
    const { identity, written } = accepted(won);
    if (written && identity.proof) return build(caller, opened, identity, identity.proof.proofId);
    return isBuilt(identity.proof) ? identity.proof : undefined;
  };

  return async (caller: Caller, identityId: string): Promise<Built> => {
    const deadline = performance.now() + PATIENCE_MS;
    let proof = await tryToBuild(caller, identityId);
    while (!proof) {
      if (performance.now() >= deadline) throw unavailable(5);
      await pause(LOOKED_EVERY_MS);
      const identity = await access.find(caller, identityId);
      if (isBuilt(identity.proof)) proof = identity.proof;
      else if (mayBuild(identity, now())) proof = await tryToBuild(caller, identityId);
    }
    return proof;
  };
};

/**
 * Retrieval of the proof (endpoint 9). One conditional write decides which request builds the
 * archive. Its bytes are sent. When the client has received all of them but the closing line, the
 * identity is closed: a client with the whole reply finds a closed identity, and a broken download
 * can be repeated.
 */
export const createRetrieval = (deps: Deps): RetrieveProof => {
  const { identities, access, lifecycle, proofBuilder, auditLog, now } = deps;
  const buildOnce = createBuildOnce(deps);

  /** An archive is destroyed with its identity: then the answer is that of a closed one. */
  const closedMeanwhile =
    (caller: Caller, identityId: string) =>
    async (error: unknown): Promise<never> => {
      const isMissing = error instanceof ApiError && error.error === 'NOT_FOUND';
      throw isMissing && whyNotReadable(await access.find(caller, identityId)) ? new ApiError('CLOSED') : error;
    };

  const download = async (caller: Caller, identity: Identity, { proofId, built }: Built): Promise<Download> => {
    const { tenantId, _id } = identity;
    const claims = { tenantId, identityId: _id, requestId: caller.requestId };
    const archive = await proofBuilder.archive(claims, proofId).catch(closedMeanwhile(caller, _id));
    const { filename, bytes, graceSeconds } = built;
    const plain = { proofId, filename, bytes, archive };
    if (whyNotReadable(identity)) return plain;
    const extend = async (): Promise<void> => {
      const at = now();
      await identities.change(_id, (current) => stillSending(current, proofId, at), { now: at });
    };
    const finish = async (): Promise<void> => {
      await auditLog.record(tenantId, caller, 'proof.retrieve', { identityId: _id, proofId });
      await lifecycle.closeNow(identity, 'PROOF_RETRIEVED');
    };
    return { ...plain, session: { graceSeconds, extend, finish } };
  };

  /** The identity is closed: the archive that closed it, until its grace period is over. */
  const downloadOfClosed = (caller: Caller, identity: Identity): Promise<Download> => {
    if (!isBuilt(identity.proof) || !withinGrace(identity, now())) throw new ApiError('CLOSED');
    return download(caller, identity, identity.proof);
  };

  return async (caller, identityId) => {
    const identity = await access.find(caller, identityId);
    if (whyNotReadable(identity) !== undefined) return downloadOfClosed(caller, identity);
    const proof = await buildOnce(caller, identityId).catch(unlessClosed);
    // Another download of the same proof may have closed it in between.
    return proof ? download(caller, identity, proof) : downloadOfClosed(caller, await access.find(caller, identityId));
  };
};
