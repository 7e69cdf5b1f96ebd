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
type Due = 'reissueAt' | 'session.expiresAt';

interface Timed {
  reissueAt?: Date;
  session?: { expiresAt?: Date };
}

/** What the sweeps look for. */
export interface DueEvidences<D> {
  overdue(now: Date, round: Round): Promise<D[]>;
  expiredSessions(now: Date, round: Round): Promise<D[]>;
  /** When the first evidence, or session, of all but these is due. */
  firstDue(what: Due, except: readonly string[]): Promise<Date | undefined>;
}

export const dueEvidences = <D extends Timed>(model: Model<D>): DueEvidences<D> => {
  const due = (what: Due, now: Date, { limit, except }: Round): Promise<D[]> =>
    model
      .find({ _id: trusted({ $nin: [...except] }), [what]: trusted({ $lte: now }) })
      .sort({ [what]: 1 })
      .limit(limit)
      .lean<D[]>()
      .exec();
  return {
    overdue: (now, round) => due('reissueAt', now, round),
    expiredSessions: (now, round) => due('session.expiresAt', now, round),
    firstDue: async (what, except) => {
      const first = await model
        .findOne({ _id: trusted({ $nin: [...except] }), [what]: trusted({ $gte: new Date(0) }) }, { [what]: 1 })
        .sort({ [what]: 1 })
        .lean<Timed>();
      return what === 'reissueAt' ? first?.reissueAt : first?.session?.expiresAt;
    },
  };
};
