import type { ProofReady, ProofRequest } from '@assay/contracts';
import { ApiError, type CallClaims } from '@assay/http';
import { type Clock, histogram, type Log, newId } from '@assay/runtime';
import { type Keyring, mediaContext, unwrapKey } from '@assay/sealing';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import { layoutOf, planArchive, signedContent } from '../domain/archive.ts';
import { evaluationAt, gather, type History } from '../domain/history.ts';
import { gapsOf } from '../domain/readiness.ts';
import type { Signer } from '../signing/signer.ts';
import type { Histories } from '../store/histories.ts';
import type { ProofDocument, Proofs } from '../store/proofs.ts';
import type { Tombstones } from '../store/tombstones.ts';
import type { Layouts } from './layouts.ts';
import { openHistory } from './open-history.ts';
import { sizeOf } from './zip.ts';

export interface BuildProofNeeds {
  histories: Histories;
  tombstones: Tombstones;
  proofs: Proofs;
  layouts: Layouts;
  intake: EvidenceIntake;
  signer: Signer;
  keyring: Keyring;
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
  'Time to plan, sign and store a proof; its media are read when it is sent',
  [],
  [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
);

const notReady = (): ApiError => new ApiError('PROOF_NOT_READY', { headers: { 'Retry-After': '1' } });
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const answer = ({ _id, ready }: ProofDocument): ProofReady => {
  const { bytes, filename } = ready!;
  return { proofId: _id, bytes, filename };
};

/** Builds a proof once, however often and by however many at once it is asked for. */
export const createBuildProof = (needs: BuildProofNeeds) => {
  const { histories, tombstones, proofs, layouts, intake, signer, keyring, now, log } = needs;
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
    const stored = await Promise.all(
      withMedia.map(async ({ evidenceId, media }) => {
        const kept = await intake.mediaOf(evidenceId, claims);
        const crops = evaluationAt(history, evidenceId, request.caseRevision)?.evidence.proof.crops ?? [];
        const there = new Set(kept.map(({ mediaId }) => mediaId));
        if (![...media, ...crops].every(({ mediaId }) => there.has(mediaId))) throw notReady();
        return [evidenceId, kept] as const;
      }),
    );
    return new Map(stored);
  };

  /** Has the media stay for the archive, and gives it their keys: it is to outlive the identity's. */
  const keysOfMedia = async (archiveId: string, mediaIds: readonly string[], claims: CallClaims) => {
    if (mediaIds.length === 0) return {};
    const { tenantId, identityId } = claims;
    const key = await keyring.unwrap(claims.key!, identityId);
    const held = await intake.hold(archiveId, mediaIds, claims);
    return Object.fromEntries(
      held.map(({ mediaId, wrappedKey }) => [
        mediaId,
        unwrapKey(key, wrappedKey, mediaContext(tenantId, identityId, mediaId)).toString('base64'),
      ]),
    );
  };

  const build = async (
    request: ProofRequest,
    claims: CallClaims,
    proof: ProofDocument,
    archiveId: string,
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
    const layout = layoutOf(plan, jws, proof.endedAt);
    const mediaKeys = await keysOfMedia(
      archiveId,
      layout.media.map(({ mediaId }) => mediaId),
      claims,
    );
    await layouts.keep(archiveId, proof._id, { layout, mediaKeys });
    const bytes = await sizeOf(layout);
    const kept = await proofs.finish(proof._id, { bytes, archiveId, filename: `${plan.root}.zip` });
    if (!kept) throw notReady();
    const seconds = (performance.now() - startedAt) / 1000;
    built.observe(seconds);
    const { proofId } = request;
    log.info({ msg: 'proof.built', proofId, identityId: claims.identityId, bytes, seconds });
  };

  /** Holds the lease while the work goes on, and gives it back with what was written when the work fails. */
  const leased = async (
    proofId: string,
    archiveId: string,
    claims: CallClaims,
    work: () => Promise<void>,
  ): Promise<void> => {
    const renewal = setInterval(() => {
      proofs
        .prolong(proofId, archiveId, new Date(Date.now() + LEASE_MS))
        .catch((error: unknown) => log.warn({ msg: 'proof.lease-not-renewed', proofId, error }));
    }, LEASE_MS / 3);
    const done = await work()
      .then(
        () => undefined,
        (error: unknown) => ({ error }),
      )
      .finally(() => clearInterval(renewal));
    if (!done) return;
    await layouts.destroyKey(archiveId);
    await layouts.remove([archiveId]);
    const hasLetGo = await intake.letGo(archiveId, claims).then(
      () => true,
      () => false,
    );
    await proofs.release(proofId, archiveId, hasLetGo);
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
      const archiveId = newId();
      const mine = await proofs.lease(proofId, archiveId, new Date(), new Date(Date.now() + LEASE_MS));
      if (mine) await leased(proofId, archiveId, claims, () => build(request, claims, mine, archiveId));
      else if (!current || Date.now() >= deadline) throw notReady();
      else await pause(POLL_MS);
    }
  };
};

export type BuildProof = ReturnType<typeof createBuildProof>;
