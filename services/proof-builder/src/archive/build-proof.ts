import type { MediaReference, ProofReady, ProofRequest } from '@assay/contracts';
import { ApiError, type CallClaims } from '@assay/http';
import type { Blobs } from '@assay/mongo';
import { type Clock, histogram, type Log, newId } from '@assay/runtime';
import type { Keyring } from '@assay/sealing';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import { planArchive, signedContent } from '../domain/archive.ts';
import { evaluationAt, gather, type History } from '../domain/history.ts';
import { gapsOf } from '../domain/readiness.ts';
import type { Signer } from '../signing/signer.ts';
import type { ArchiveKeys } from '../store/archive-keys.ts';
import type { Histories } from '../store/histories.ts';
import type { ProofDocument, Proofs } from '../store/proofs.ts';
import type { Tombstones } from '../store/tombstones.ts';
import { openHistory } from './open-history.ts';
import { storeArchive } from './store-archive.ts';
import { zipOf } from './zip.ts';

export interface BuildProofNeeds {
  histories: Histories;
  tombstones: Tombstones;
  proofs: Proofs;
  archives: Blobs;
  archiveKeys: ArchiveKeys;
  intake: EvidenceIntake;
  signer: Signer;
  keyring: Keyring;
  masterKey: Buffer;
  componentVersion: string;
  now: Clock;
  log: Log;
  /** How long a request waits for events that are on their way, in milliseconds. */
  historyPatienceMs?: number;
}

const LEASE_MS = 30_000;
const POLL_MS = 40;
const BUILD_PATIENCE_MS = 60_000;

const built = histogram(
  'assay_proof_build_seconds',
  'Time to build and store a proof',
  [],
  [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
);

const notReady = (): ApiError => new ApiError('PROOF_NOT_READY', { headers: { 'Retry-After': '1' } });
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const answer = ({ _id, ready }: ProofDocument): ProofReady => {
  const { bytes, filename } = ready!;
  return { proofId: _id, bytes, filename };
};

/** Builds a proof once, however often and by however many at once it is asked for. */
export const createBuildProof = (needs: BuildProofNeeds) => {
  const { histories, tombstones, proofs, archives, archiveKeys, intake, signer, keyring, masterKey, now, log } = needs;
  const patienceMs = needs.historyPatienceMs ?? 3000;

  /** Waits until the history has caught up with what the gateway knows. */
  const caughtUp = async (request: ProofRequest, claims: CallClaims): Promise<History> => {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const records = await histories.of(claims.tenantId, claims.identityId);
      const gaps = gapsOf(request, gather(records));
      if (gaps.length === 0) {
        const key = await keyring.unwrap(claims.key!, claims.identityId);
        return gather(openHistory(records, { key, tenantId: claims.tenantId, identityId: claims.identityId }));
      }
      if (Date.now() >= deadline) {
        log.warn({ msg: 'proof.not-ready', proofId: request.proofId, identityId: claims.identityId, gaps });
        throw notReady();
      }
      await pause(POLL_MS);
    }
  };

  /** What evidence-intake keeps of every attached evidence that has media. A crop that an evaluation names has to be there. */
  const storedMedia = async (request: ProofRequest, history: History, claims: CallClaims) => {
    const withMedia = [...history.submissions.values()].filter(
      ({ evidenceId, media }) => media.length > 0 && !history.deletions.has(evidenceId),
    );
    const stored = new Map<string, readonly MediaReference[]>();
    for (const { evidenceId, media } of withMedia) {
      const kept = await intake.mediaOf(evidenceId, claims);
      const crops = evaluationAt(history, evidenceId, request.caseRevision)?.evidence.proof.crops ?? [];
      const there = new Set(kept.map(({ mediaId }) => mediaId));
      if (![...media, ...crops].every(({ mediaId }) => there.has(mediaId))) throw notReady();
      stored.set(evidenceId, kept);
    }
    return stored;
  };

  const build = async (
    request: ProofRequest,
    claims: CallClaims,
    proof: ProofDocument,
    fileId: string,
  ): Promise<void> => {
    const startedAt = performance.now();
    const history = await caughtUp(request, claims);
    const plan = planArchive({
      request,
      tenantId: claims.tenantId,
      history,
      stored: await storedMedia(request, history, claims),
      componentVersion: needs.componentVersion,
      endedAt: proof.endedAt,
    });
    const { jws } = await signer.sign(signedContent(plan.proof));
    const zip = zipOf(plan, jws, proof.endedAt, (mediaId) => intake.open(mediaId, claims));
    const bytes = await storeArchive(zip, { archives, archiveKeys, fileId, proofId: proof._id, masterKey });
    const kept = await proofs.finish(proof._id, { bytes, fileId, filename: `${plan.root}.zip` });
    if (!kept) throw notReady();
    const seconds = (performance.now() - startedAt) / 1000;
    built.observe(seconds);
    const { proofId } = request;
    log.info({ msg: 'proof.built', proofId, identityId: claims.identityId, bytes, seconds });
  };

  /** Holds the lease while the work goes on, and gives it back with what was written when the work fails. */
  const leased = async (proofId: string, fileId: string, work: () => Promise<void>): Promise<void> => {
    const renewal = setInterval(() => {
      proofs
        .prolong(proofId, fileId, new Date(Date.now() + LEASE_MS))
        .catch((error: unknown) => log.warn({ msg: 'proof.lease-not-renewed', proofId, error }));
    }, LEASE_MS / 3);
    const done = await work()
      .then(
        () => undefined,
        (error: unknown) => ({ error }),
      )
      .finally(() => clearInterval(renewal));
    if (!done) return;
    await archiveKeys.destroy(fileId);
    await archives.remove([fileId]);
    await proofs.release(proofId, fileId);
    throw done.error;
  };

  return async (request: ProofRequest, claims: CallClaims): Promise<ProofReady> => {
    const { proofId, graceSeconds } = request;
    const { tenantId, identityId } = claims;
    if (await tombstones.has(identityId)) throw new ApiError('CLOSED');
    const proof = await proofs.begin({ proofId, tenantId, identityId, graceSeconds, now: now() });
    if (proof.tenantId !== tenantId || proof.identityId !== identityId) throw new ApiError('NOT_FOUND');
    const deadline = Date.now() + BUILD_PATIENCE_MS;
    for (;;) {
      const current = await proofs.find(proofId);
      if (current?.ready) return answer(current);
      const fileId = newId();
      const mine = await proofs.lease(proofId, fileId, new Date(), new Date(Date.now() + LEASE_MS));
      if (mine) await leased(proofId, fileId, () => build(request, claims, mine, fileId));
      else if (!current || Date.now() >= deadline) throw notReady();
      else await pause(POLL_MS);
    }
  };
};

export type BuildProof = ReturnType<typeof createBuildProof>;
