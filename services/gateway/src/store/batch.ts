import { trusted } from '@assay/mongo';

/**
 * How many documents a round of a sweep takes, and those it leaves out because they failed
 * recently.
 */
export interface Batch {
  limit: number;
  except: readonly string[];
}

/** Filter for `_id`. */
export const without = (ids: readonly string[]) => trusted({ $nin: [...ids] });
