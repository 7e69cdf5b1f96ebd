import type { TenantSettings } from '@assay/contracts';
import { isRefusal } from '@assay/http';
import type { Tenant, Tenants } from '../store/tenants.ts';

/**
 * Changes the settings, and tells the notifier before they are stored. Where it was or may have
 * been told for nothing, it is told what is stored, under the revision of a change as well: another
 * change came first and this one is then refused or fails, or the notifier's answer did not come.
 */
export const changeAndTell = async (
  tenants: Tenants,
  tenantId: string,
  next: (before: TenantSettings) => TenantSettings,
  tell: (settings: TenantSettings) => Promise<void>,
): Promise<Tenant | undefined> => {
  let mayHaveHeard = false;
  const changed = tenants.changeSettings(tenantId, async (before) => {
    const after = next(before);
    await tell(after).catch((error: unknown) => {
      mayHaveHeard ||= !isRefusal(error);
      throw error;
    });
    mayHaveHeard = true;
    return after;
  });
  return changed.catch(async (error: unknown) => {
    if (mayHaveHeard) await tenants.changeSettings(tenantId, async (stored) => tell(stored).then(() => stored));
    throw error;
  });
};
