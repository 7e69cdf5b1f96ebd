import { type Clock, createApart, type Log, newId } from '@assay/runtime';
import type { Notifier } from '../clients/notifier.ts';
import type { Tenants } from '../store/tenants.ts';
import { createTell, tellStored } from './change-settings.ts';

const BATCH = 20;
/** A change that has begun and not ended within this time has failed, or its process has. */
const PATIENCE_MS = 10_000;

export interface Deps {
  tenants: Tenants;
  notifier: Pick<Notifier, 'setEndpoint'>;
  now: Clock;
  log: Log;
}

/**
 * One round that tells the notifier the webhook of each tenant of which a change was begun and not
 * ended: the notifier may have one that was never stored. A restore of a backup that was read in
 * turn marks every tenant so.
 */
export const createRepeatWebhookChanges = ({ tenants, notifier, now, log }: Deps) => {
  const apart = createApart({ sweeper: 'repeat webhook changes', log });
  const tellOf = (tenantId: string) => createTell(notifier, { tenantId, requestId: newId(), staysAsItGoes: true });
  return async (): Promise<'more' | 'nothing' | undefined> => {
    const before = new Date(now().getTime() - PATIENCE_MS);
    const due = await tenants.changing(before, { limit: BATCH, except: apart.resting() });
    await apart.each(
      due,
      (tenantId) => tenantId,
      async (tenantId) => {
        await tellStored(tenants, tenantId, tellOf(tenantId));
        log.info({ msg: 'webhook.set-again', tenantId });
      },
    );
    if (due.length === 0) return 'nothing';
    return due.length === BATCH ? 'more' : undefined;
  };
};
