import { setTimeout as pause } from 'node:timers/promises';
import type { ProofReady, ProofRequest } from '@assay/contracts';
import { ApiError, type CallClaims } from '@assay/http';
import type { Tombstones } from '@assay/mongo';
import { type Clock, histogram, newId, pauseAfter } from '@assay/runtime';
import type { ProofDocument, Proofs, ReadyArchive } from '../store/proofs.ts';
import { notReady } from './await-history.ts';
import { type Deps as ArchiveDeps, type Attempt, discardArchive, makeArchive } from './make-archive.ts';

export interface Deps extends ArchiveDeps {
  tombstones: Tombstones;
  proofs: Proofs;
  now: Clock;
}

const LEASE_MS = 30_000;
const POLL = { firstMs: 40, longestMs: 320, factor: 1.5 };
const BUILD_PATIENCE_MS = 60_000;

const built = histogram(
  'assay_proof_build_seconds',
  'Time to plan, sign and store a proof; its media are read when it is sent',
  [],
  [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
);

const answer = (proofId: string, { bytes, filename }: ReadyArchive): ProofReady => ({ proofId, bytes, filename });

const leaseFrom = (now: Date): Date => new Date(now.getTime() + LEASE_MS);

/** Makes the archive and renews the lease meanwhile. */
const whileLeased = async (deps: Deps, attempt: Attempt): Promise<ReadyArchive> => {
  const { proofs, now, log } = deps;
  const { proof, archiveId } = attempt;
  const renewal = setInterval(() => {
    proofs
      .prolong(proof._id, archiveId, leaseFrom(now()))
      .catch((error: unknown) => log.warn({ msg: 'proof.lease-not-renewed', proofId: proof._id, error }));
  }, LEASE_MS / 3);
  return makeArchive(deps, attempt).finally(() => clearInterval(renewal));
};

/** Ends an attempt that failed, and its lease. */
const abandon = async (deps: Deps, attempt: Attempt): Promise<void> => {
  const isReleased = await discardArchive(deps, attempt);
  await deps.proofs.release(attempt.proof._id, attempt.archiveId, isReleased);
};

const attemptProof = async (deps: Deps, attempt: Attempt): Promise<ReadyArchive> => {
  const { proof, claims } = attempt;
  const startedAt = performance.now();
  const archive = await whileLeased(deps, attempt).catch(async (error: unknown) => {
    await abandon(deps, attempt);
    throw error;
  });
  // If the answer to this write is lost, the proof may already refer to the archive: it stays,
  // recorded with the proof, until the proof is destroyed.
  if (!(await deps.proofs.finish(proof._id, archive))) {
    await abandon(deps, attempt);
    throw notReady();
  }
  const seconds = (performance.now() - startedAt) / 1000;
  built.observe(seconds);
  const { bytes } = archive;
  deps.log.info({ msg: 'proof.built', proofId: proof._id, identityId: claims.identityId, bytes, seconds });
  return archive;
};

/** Builds a proof once, for any number of requests, also simultaneous ones. */
export const createBuildProof =
  (deps: Deps) =>
  async (request: ProofRequest, claims: CallClaims): Promise<ProofReady> => {
    const { tombstones, proofs, now } = deps;
    const { proofId, graceSeconds } = request;
    const { tenantId, identityId } = claims;
    if (await tombstones.has(identityId)) throw new ApiError('CLOSED');
    const begun = await proofs.begin({ proofId, tenantId, identityId, graceSeconds, now: now() });
    if (begun.tenantId !== tenantId || begun.identityId !== identityId) throw new ApiError('NOT_FOUND');
    const deadline = performance.now() + BUILD_PATIENCE_MS;
    let current: ProofDocument | undefined = begun;
    for (let looks = 1; ; looks += 1) {
      if (current?.ready) return answer(proofId, current.ready);
      const archiveId = newId();
      const proof = await proofs.lease(proofId, archiveId, now(), leaseFrom(now()));
      if (proof) return answer(proofId, await attemptProof(deps, { request, claims, proof, archiveId }));
      if (!current || performance.now() >= deadline) throw notReady();
      await pause(pauseAfter(looks, POLL));
      current = await proofs.find(proofId);
    }
  };

export type BuildProof = ReturnType<typeof createBuildProof>;
