import { todayAt } from '@assay/contracts';
import type { Tombstones } from '@assay/mongo';
import type { Clock } from '@assay/runtime';
import { type Permission, permissionOf } from '../domain/permission.ts';
import type { Check } from '../store/check.ts';
import type { Checks } from '../store/checks.ts';
import type { WithdrawalStore } from '../store/withdrawals.ts';
import type { CompleteCheck } from './complete-check.ts';

export interface Deps {
  checks: Checks;
  tombstones: Tombstones;
  withdrawals: WithdrawalStore;
  complete: Pick<CompleteCheck, 'endUnasked'>;
  now: Clock;
}

export interface Permissions {
  /**
   * Whether the source may be asked for a stored check. Called after the check was stored:
   * something that is taken back at the same moment either finds the check, or is found here.
   */
  find(check: Check): Promise<Permission>;
  /** Has a check never asked again, and removes what it holds of the question. */
  drop(check: Check, why: Exclude<Permission, 'GIVEN'>): Promise<void>;
  /** Ends the pending checks of an identity that may not be asked any more. */
  review(identityId: string): Promise<void>;
}

/**
 * Which checks may still be asked after evidence was deleted, a consent was withdrawn or an
 * identity ended.
 */
export const createPermissions = ({ checks, tombstones, withdrawals, complete, now }: Deps): Permissions => {
  const drop: Permissions['drop'] = async (check, why) => {
    if (why === 'GONE') return checks.remove(check._id);
    if (!(await complete.endUnasked(check))) await checks.dropRecheck(check._id);
  };
  return {
    find: async (check) => {
      const [isClosed, withdrawn] = await Promise.all([
        tombstones.has(check.identityId),
        withdrawals.find(check.identityId),
      ]);
      return isClosed ? 'GONE' : permissionOf(check, withdrawn, todayAt(now()));
    },
    drop,
    review: async (identityId) => {
      const withdrawn = await withdrawals.find(identityId);
      const today = todayAt(now());
      for (const check of await checks.pending(identityId)) {
        const permission = permissionOf(check, withdrawn, today);
        if (permission !== 'GIVEN') await drop(check, permission);
      }
    },
  };
};
