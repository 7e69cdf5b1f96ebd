import type { MediaReference, ProofRequest } from '@assay/contracts';
import type { CallClaims } from '@assay/http';
import { mediaContext, unwrapKey } from '@assay/sealing';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import { layoutOf, planArchive, signedContent } from '../domain/archive.ts';
import { evaluationAt, type History } from '../domain/history.ts';
import type { Signer } from '../domain/signer.ts';
import type { Layouts } from '../store/layouts.ts';
import type { ProofDocument, ReadyArchive } from '../store/proofs.ts';
import { type Deps as AwaitDeps, awaitHistory, notReady } from './await-history.ts';
import { sizeOf } from './zip.ts';

export interface Deps extends AwaitDeps {
  layouts: Layouts;
  intake: EvidenceIntake;
  signer: Signer;
  componentVersion: string;
}

/** One attempt to build a proof: the request, its caller, and the id of the archive. */
export interface Attempt {
  request: ProofRequest;
  claims: CallClaims;
  proof: ProofDocument;
  archiveId: string;
}

type StoredMedia = ReadonlyMap<string, readonly MediaReference[]>;

/** The media of every attached evidence. A crop that an evaluation names must be among them. */
const storedMedia = async (
  intake: EvidenceIntake,
  { request, claims }: Attempt,
  history: History,
): Promise<StoredMedia> => {
  const withMedia = [...history.submissions.values()].filter(
    ({ evidenceId, media }) => media.length > 0 && !history.deletions.has(evidenceId),
  );
  const stored = await Promise.all(
    withMedia.map(async ({ evidenceId, media }) => {
      const references = await intake.mediaOf(evidenceId, claims);
      const crops = evaluationAt(history, evidenceId, request.caseRevision)?.evidence.proof.crops ?? [];
      const ids = new Set(references.map(({ mediaId }) => mediaId));
      if (![...media, ...crops].every(({ mediaId }) => ids.has(mediaId))) throw notReady();
      return [evidenceId, references] as const;
    }),
  );
  return new Map(stored);
};

/**
 * Retains the media for the archive, and returns their keys (base64, by media id), because they
 * must outlive the key of the identity.
 */
const retainedKeys = async (
  { intake }: Deps,
  { archiveId, claims }: Attempt,
  mediaIds: readonly string[],
): Promise<Record<string, string>> => {
  if (mediaIds.length === 0) return {};
  const { tenantId, identityId } = claims;
  const key = claims.key!;
  const retained = await intake.retain(archiveId, mediaIds, claims);
  return Object.fromEntries(
    retained.map(({ mediaId, wrappedKey }) => [
      mediaId,
      unwrapKey(key, wrappedKey, mediaContext(tenantId, identityId, mediaId)).toString('base64'),
    ]),
  );
};

/**
 * Plans, signs and stores the archive. Nothing refers to it until the proof is recorded as built.
 */
export const makeArchive = async (deps: Deps, attempt: Attempt): Promise<ReadyArchive> => {
  const { request, claims, proof, archiveId } = attempt;
  const history = await awaitHistory(deps, request, claims);
  const plan = planArchive({
    request,
    tenantId: claims.tenantId,
    history,
    stored: await storedMedia(deps.intake, attempt, history),
    componentVersion: deps.componentVersion,
    endedAt: proof.endedAt,
  });
  const { jws } = await deps.signer.sign(signedContent(plan.proof));
  const layout = layoutOf(plan, jws, proof.endedAt);
  const mediaIds = layout.media.map(({ mediaId }) => mediaId);
  const mediaKeys = await retainedKeys(deps, attempt, mediaIds);
  await deps.layouts.add(archiveId, proof._id, { layout, mediaKeys });
  return { bytes: sizeOf(layout), archiveId, filename: `${plan.root}.zip` };
};

/**
 * Removes what an attempt stored if no proof refers to it. False if its media may still be
 * retained.
 */
export const discardArchive = async ({ layouts, intake }: Deps, { archiveId, claims }: Attempt): Promise<boolean> => {
  await layouts.destroyKey(archiveId);
  await layouts.remove([archiveId]);
  return intake.release(archiveId, claims).then(
    () => true,
    () => false,
  );
};
