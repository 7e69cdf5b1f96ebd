import type { MediaReference } from '@assay/contracts';

/** Whether an evidence has this medium attached; one that is attached to none was left by a request that never ended. */
export const isAttached = (
  medium: { mediaId: string; state: 'ARRIVING' | 'STORED'; role: MediaReference['role'] },
  evidence: { media: readonly MediaReference[]; session?: { state: string } } | undefined,
): boolean => {
  if (!evidence || medium.state !== 'STORED') return false;
  if (medium.role === 'CROP' || evidence.session?.state === 'OPEN') return true;
  return evidence.media.some(({ mediaId }) => mediaId === medium.mediaId);
};
