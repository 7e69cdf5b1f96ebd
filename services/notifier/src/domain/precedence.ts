/** What a delivery has to wait for. */
export type Precedence = 'older' | 'leased';

/** Other deliveries about the identity, as far as they may come first: when the oldest was made. */
export interface Others {
  /** Of those that are due. */
  due?: Date | null;
  /** Of those that another process has leased. */
  theirs?: Date | null;
}

/**
 * What is sent before a delivery: an older one about the same identity that is due, or one that
 * another process has leased.
 */
export const precedenceOver = (createdAt: Date, { due, theirs }: Others): Precedence | undefined => {
  if ([due, theirs].some((at) => at && at < createdAt)) return 'older';
  return theirs ? 'leased' : undefined;
};
