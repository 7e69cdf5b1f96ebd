import { setTimeout as pause, setImmediate as soon } from 'node:timers/promises';
import { formatDateTime, PROOF_PART_NAME, type ProofRequest } from '@assay/contracts';
import { ApiError, type Reply, unavailable } from '@assay/http';
import { type Clock, type Log, newId, startSweeper } from '@assay/runtime';
import type { Response } from 'express';
import type { ProofBuilder } from '../clients/proof-builder.ts';
import type { Identity, ProofState } from '../domain/identity.ts';
import { buildFailed, proofBuilt, renewBuild, stillSending, winProof, withinGrace } from '../domain/retrieval.ts';
import { whyNotReadable } from '../domain/transaction.ts';
import { identityView } from '../domain/views.ts';
import { type Call, clientRoleOf, tenantOf } from '../http/call.ts';
import { envelope } from '../http/envelope.ts';
import type { Identities } from '../store/identities.ts';
import type { Access, Opened } from './access.ts';
import type { AuditLog } from './audit.ts';
import type { Lifecycle } from './lifecycle.ts';

type Built = ProofState & { built: NonNullable<ProofState['built']> };

export interface RetrievalParts {
  identities: Identities;
  access: Access;
  lifecycle: Lifecycle;
  proofBuilder: ProofBuilder;
  auditLog: AuditLog;
  clock: Clock;
  log: Log;
}

const RENEWED_EVERY_MS = 5000;
const RENEWALS_A_GRACE = 3;
const LOOKED_EVERY_MS = 50;
const PATIENCE_MS = 120_000;

/** Resolves once the connection has taken every byte written so far; rejects when it is gone. */
const flushed = async (response: Response): Promise<void> => {
  while (response.writableLength > 0 || (response.socket?.writableLength ?? 0) > 0) {
    if (response.destroyed) throw new Error('the client went away');
    await (response.writableNeedDrain ? pause(5) : soon());
  }
  if (response.destroyed || response.socket?.destroyed) throw new Error('the client went away');
};

const isBuilt = (proof: ProofState | undefined): proof is Built => proof?.built !== undefined;

export type RetrieveProof = (call: Call) => Promise<Reply>;

/**
 * Retrieval of the proof (endpoint 9). One conditional write wins it; the archive is built; its bytes are sent; and when the client has taken all of them but
 * the closing line, the identity is closed. So a client that has the whole reply meets a closed identity, and a broken download can be repeated.
 */
export const createRetrieval = ({
  identities,
  access,
  lifecycle,
  proofBuilder,
  auditLog,
  clock,
  log,
}: RetrievalParts): RetrieveProof => {
  const requestOf = (call: Call, opened: Opened, identity: Identity, proofId: string): ProofRequest => {
    const { effective } = tenantOf(call);
    return {
      proofId,
      identity: identityView(identity, 'RELYING_SERVICE', access.dataOf(opened)),
      tenantRole: identity.proof?.tenantRole ?? clientRoleOf(call),
      tenantUsed: `${identity.settings.policy.name} ${identity.settings.policy.version}`,
      ...(identity.previousProofId === undefined ? {} : { previousProofId: identity.previousProofId }),
      ...(identity.businessId === undefined ? {} : { businessId: identity.businessId }),
      caseRevision: identity.caseRevision,
      consentsRevision: identity.consentsRevision,
      operationIds: identity.operationIds,
      evidenceIds: identity.evidences.map(({ evidenceId }) => evidenceId),
      startDateTime: formatDateTime(identity.createdAt),
      videosInProof: effective.videosInProof,
      graceSeconds: effective.retention.proofGraceSeconds,
    };
  };

  const build = async (call: Call, opened: Opened, identity: Identity, proofId: string): Promise<Built> => {
    const { _id } = identity;
    const renewing = startSweeper({
      name: 'proof build',
      everyMs: RENEWED_EVERY_MS,
      run: () => identities.change(_id, (current) => renewBuild(current, proofId, clock()), { now: clock() }),
      log,
    });
    const claims = await access.claims(call, opened);
    const ready = await proofBuilder
      .build(claims, requestOf(call, opened, identity, proofId))
      .catch(async (error: unknown) => {
        await identities.change(_id, (current) => buildFailed(current, proofId), { now: clock() });
        throw error;
      })
      .finally(() => renewing.close());
    const { proofGraceSeconds } = tenantOf(call).effective.retention;
    const now = clock();
    const done = await identities.change(_id, (current) => proofBuilt(current, ready, proofGraceSeconds, now), { now });
    if (!isBuilt(done.identity.proof)) throw new ApiError('CLOSED');
    return done.identity.proof;
  };

  /** Somebody else builds: waits for the outcome. A build that failed, or whose builder died, is tried again here. */
  const join = async (call: Call): Promise<Built> => {
    const deadline = Date.now() + PATIENCE_MS;
    while (Date.now() < deadline) {
      const identity = await access.find(call);
      if (isBuilt(identity.proof)) return identity.proof;
      const orphaned = identity.state === 'PROVING' && (identity.proof?.leaseUntil ?? clock()) <= clock();
      if (identity.state !== 'PROVING' || orphaned) return begin(call);
      await pause(LOOKED_EVERY_MS);
    }
    throw unavailable(5);
  };

  const begin = async (call: Call): Promise<Built> => {
    const opened = await access.open(call);
    const now = clock();
    const retrieval = { proofId: newId(), role: clientRoleOf(call), now };
    const { identity, written } = await identities.change(
      opened.identity._id,
      (current) => winProof(current, retrieval),
      { now },
    );
    if (written && identity.proof) return build(call, opened, identity, identity.proof.proofId);
    return isBuilt(identity.proof) ? identity.proof : join(call);
  };

  /** While the client takes bytes the archive stays; one that stands still for a grace period loses it. */
  const holdWhileSending = ({ response }: Call, { _id }: Identity, { proofId, built }: Built): void => {
    if (response.destroyed) return;
    let taken = -1;
    const holding = startSweeper({
      name: 'proof download',
      everyMs: Math.min(RENEWED_EVERY_MS, (built.graceSeconds * 1000) / RENEWALS_A_GRACE),
      run: async () => {
        const before = taken;
        taken = (response.socket?.bytesWritten ?? 0) - (response.socket?.writableLength ?? 0);
        const now = clock();
        if (taken > before) await identities.change(_id, (current) => stillSending(current, proofId, now), { now });
      },
      log,
    });
    response.once('close', () => void holding.close());
  };

  const send = async (call: Call, identity: Identity, proof: Built): Promise<Reply> => {
    const { proofId, built } = proof;
    const archive = await proofBuilder.archive(
      { tenantId: identity.tenantId, identityId: identity._id, requestId: call.requestId },
      proofId,
    );
    const part = {
      name: PROOF_PART_NAME,
      filename: built.filename,
      contentType: 'application/zip',
      bytes: built.bytes,
      open: async () => archive,
    };
    const closing = whyNotReadable(identity) === undefined;
    if (closing) holdWhileSending(call, identity, proof);
    return envelope(`assay-${proofId}`, [part], async () => {
      if (!closing) return;
      await flushed(call.response);
      await auditLog.record(identity.tenantId, call, 'proof.retrieve', { identityId: identity._id, proofId });
      await lifecycle.closeNow(identity, 'PROOF_RETRIEVED');
    });
  };

  return async (call) => {
    const identity = await access.find(call);
    if (whyNotReadable(identity) === undefined) return send(call, identity, await begin(call));
    if (!isBuilt(identity.proof) || !withinGrace(identity, clock())) throw new ApiError('CLOSED');
    return send(call, identity, identity.proof);
  };
};
