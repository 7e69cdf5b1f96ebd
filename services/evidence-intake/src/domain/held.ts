import type { MediaReference } from '@assay/contracts';

/** A medium whose time to be claimed is over is held by its evidence, or it was left behind by a request that never ended. */
export const isHeld = (
  medium: { mediaId: string; state: 'ARRIVING' | 'STORED'; role: MediaReference['role'] },
  evidence: { media: readonly MediaReference[]; session?: { state: string } } | undefined,
): boolean => {
  if (!evidence || medium.state !== 'STORED') return false;
  if (medium.role === 'CROP' || evidence.session?.state === 'OPEN') return true;
  return evidence.media.some(({ mediaId }) => mediaId === medium.mediaId);
};
