/**
 * How often work that stood too long is issued again before the evidence is ended (invariant 5).
 */
export const REISSUES = 5;

/**
 * The action of the reconciler for an evidence that was re-issued `reissues` times, and when it
 * checks again if there is no answer.
 */
export const nextReissue = (
  reissues: number,
  now: Date,
  reconcileAfterMs: number,
): { endWith?: 'PROCESSING_FAILED'; lookAgainAt: Date } => {
  const gap = reconcileAfterMs * 2 ** Math.min(reissues, REISSUES - 1);
  const lookAgainAt = new Date(now.getTime() + gap);
  return reissues < REISSUES ? { lookAgainAt } : { endWith: 'PROCESSING_FAILED', lookAgainAt };
};
