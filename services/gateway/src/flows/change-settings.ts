import type { TenantSettings } from '@assay/contracts';
import type { Tenant, Tenants } from '../store/tenants.ts';

/**
 * Changes the settings, and tells the notifier before they are stored. Where it was told for
 * nothing, because another change came first and this one is then refused or fails, it is told what
 * is stored, under the revision of a change as well.
 */
export const changeAndTell = async (
  tenants: Tenants,
  tenantId: string,
  next: (before: TenantSettings) => TenantSettings,
  tell: (settings: TenantSettings) => Promise<void>,
): Promise<Tenant | undefined> => {
  let isSent = false;
  const changed = tenants.changeSettings(tenantId, async (before) => {
    const after = next(before);
    await tell(after);
    isSent = true;
    return after;
  });
  return changed.catch(async (error: unknown) => {
    if (isSent) await tenants.changeSettings(tenantId, async (stored) => tell(stored).then(() => stored));
    throw error;
  });
};
