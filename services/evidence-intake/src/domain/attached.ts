import type { MediaReference } from '@assay/contracts';

/**
 * Whether an evidence refers to this medium, or to the files of this reading. If none does, the
 * request that stored it never ended.
 */
export const isAttached = (
  medium: { mediaIds: readonly string[]; state: 'ARRIVING' | 'STORED' | 'WITHDRAWN'; role: MediaReference['role'] },
  evidence: { media: readonly MediaReference[]; session?: { state: string } } | undefined,
): boolean => {
  if (!evidence || medium.state !== 'STORED') return false;
  // What a chip's session has counts from its end on.
  const isFrame = medium.role !== 'CHIP' && evidence.session?.state === 'OPEN';
  if (medium.role === 'CROP' || isFrame) return true;
  return evidence.media.some(({ mediaId }) => medium.mediaIds.includes(mediaId));
};

/**
 * Whether this is the portrait of a chip that stays only until its hash is checked, and no worker
 * has checked it yet.
 */
export const isToBeChecked = (
  { _id }: { _id: string },
  evidence: { reissueAt?: Date; session?: { unattached?: string[] } } | undefined,
): boolean => evidence?.reissueAt !== undefined && (evidence.session?.unattached?.includes(_id) ?? false);
