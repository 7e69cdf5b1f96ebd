import type { Clock, Log } from '@assay/runtime';
import type { Identities } from '../store/identities.ts';
import type { IdentityKeys } from '../store/identity-keys.ts';

const BATCH = 500;
/** A creation makes the key first; one that is not done after so long has failed. */
const PATIENCE_MS = 3_600_000;

export interface Deps {
  identities: Pick<Identities, 'notClosed'>;
  keys: Pick<IdentityKeys, 'madeBetween' | 'destroy'> & { isRestoring(): Promise<boolean> };
  now: Clock;
  log: Log;
}

/**
 * One round that destroys the keys of creations that broke off, and those that a late request
 * stored for an identity which has been closed. Each process looks at each key once, from the
 * oldest on.
 */
export const createStrayKeys = ({ identities, keys, now, log }: Deps) => {
  let last = { _id: '', createdAt: new Date(0) };
  return async (): Promise<'more' | undefined> => {
    const found = await keys.madeBetween(last, new Date(now().getTime() - PATIENCE_MS), BATCH);
    const used = await identities.notClosed(found.map(({ _id }) => _id));
    const strays = found.filter(({ _id }) => !used.has(_id));
    // Asked last: identities that a restore drops may be gone from `used`.
    if (strays.length > 0 && (await keys.isRestoring())) return undefined;
    for (const { _id: identityId, tenantId } of strays) {
      await keys.destroy({ tenantId, identityId });
      log.info({ msg: 'identity-key.stray', identityId });
    }
    last = found.at(-1) ?? last;
    return found.length === BATCH ? 'more' : undefined;
  };
};
