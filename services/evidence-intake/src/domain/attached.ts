import type { MediaReference } from '@assay/contracts';

/**
 * Whether an evidence has this medium attached, or the files of this reading; one that is attached
 * to none was left by a request that never ended.
 */
export const isAttached = (
  medium: { mediaIds: readonly string[]; state: 'ARRIVING' | 'STORED'; role: MediaReference['role'] },
  evidence: { media: readonly MediaReference[]; session?: { state: string } } | undefined,
): boolean => {
  if (!evidence || medium.state !== 'STORED') return false;
  // What a chip's session has counts from its end on.
  const isFrame = medium.role !== 'CHIP' && evidence.session?.state === 'OPEN';
  if (medium.role === 'CROP' || isFrame) return true;
  return evidence.media.some(({ mediaId }) => medium.mediaIds.includes(mediaId));
};
