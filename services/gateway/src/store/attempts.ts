import { trusted, unlessDuplicate } from '@assay/mongo';
import type { Model } from 'mongoose';

/** The attempt at a request that made a document: 0 for the first, more for each repeat. */
export interface OfAttempt {
  attempt: number;
}

/**
 * Stores what a request makes in place of what an earlier attempt at the same request stored. False
 * where a later attempt came first, because that one is answered: an attempt that was suspended, or
 * whose command arrives late, must not replace the secret in that answer.
 */
export const storeMade = (
  // biome-ignore lint/suspicious/noExplicitAny: the models of keys and sessions
  model: Model<any>,
  owner: object,
  made: OfAttempt & { _id: string },
): Promise<boolean> => {
  const { _id, attempt } = made;
  const isEarlier = [{ attempt: trusted({ $exists: false }) }, { attempt: trusted({ $lt: attempt }) }];
  return unlessDuplicate(model.replaceOne({ ...owner, _id, $or: isEarlier }, made, { upsert: true }));
};
