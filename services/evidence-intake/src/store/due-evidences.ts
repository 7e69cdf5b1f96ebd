import { trusted } from '@assay/mongo';
import type { Model } from 'mongoose';

/**
 * How many documents a round of a sweep takes, and those it leaves out because they failed
 * recently.
 */
interface Round {
  limit: number;
  except: readonly string[];
}

/** What becomes due: work to re-issue, and sessions to end. */
export type Due = 'reissueAt' | 'session.expiresAt';

interface Timed {
  reissueAt?: Date;
  session?: { expiresAt?: Date };
}

/** What the sweeps look for. */
export interface DueEvidences<D> {
  /** The evidences that are due by then, the longest due first. */
  due(what: Due, now: Date, round: Round): Promise<D[]>;
  /** When the first evidence of all but these is due; undefined if none ever is. */
  firstDue(what: Due, except: readonly string[]): Promise<Date | undefined>;
}

export const dueEvidences = <D extends Timed>(model: Model<D>): DueEvidences<D> => ({
  due: (what, now, { limit, except }) =>
    model
      .find({ _id: trusted({ $nin: [...except] }), [what]: trusted({ $lte: now }) })
      .sort({ [what]: 1 })
      .limit(limit)
      .lean<D[]>()
      .exec(),
  firstDue: async (what, except) => {
    const first = await model
      .findOne({ _id: trusted({ $nin: [...except] }), [what]: trusted({ $gte: new Date(0) }) }, { [what]: 1 })
      .sort({ [what]: 1 })
      .lean<Timed>();
    return what === 'reissueAt' ? first?.reissueAt : first?.session?.expiresAt;
  },
});
