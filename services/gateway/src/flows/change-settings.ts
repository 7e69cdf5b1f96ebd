import type { TenantSettings } from '@assay/contracts';
import { isRefusal, unavailable } from '@assay/http';
import type { Notifier } from '../clients/notifier.ts';
import { effectiveSettings } from '../domain/settings.ts';
import type { Tenant, Tenants } from '../store/tenants.ts';

/** Tells the notifier the webhook of these settings, as that of a change. */
export type Tell = (settings: TenantSettings, changeNumber: number) => Promise<unknown>;

interface Hearing {
  tenantId: string;
  requestId: string;
  /** Nobody spoke of the webhook: one that was disabled stays so. */
  staysAsItGoes?: boolean;
}

export const createTell =
  (notifier: Pick<Notifier, 'setEndpoint'>, { tenantId, requestId, staysAsItGoes = false }: Hearing): Tell =>
  (settings, changeNumber) => {
    const { deliveryLogSeconds } = effectiveSettings(settings).retention;
    const more = { deliveryLogSeconds, sandbox: settings.sandbox === true, changeNumber, staysAsItGoes };
    return notifier.setEndpoint(tenantId, requestId, settings.webhook ?? null, more);
  };

type Next = (before: TenantSettings) => TenantSettings;
type Begun = Awaited<ReturnType<Tenants['beginChange']>>;

/** So many others may begin a change between what is told and what is stored. */
const MOST_ROUNDS = 5;

/**
 * Tells the notifier before the settings are stored, and what is stored once more where another
 * change was begun in between: it may have told its own, or what was stored before it.
 */
const untilAlone = async (
  tenants: Tenants,
  tenantId: string,
  next: Next,
  tell: (settings: TenantSettings, begun: Begun) => Promise<unknown>,
): Promise<Tenant | undefined> => {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    let last = 0;
    const tenant = await tenants.changeSettings(tenantId, async (before) => {
      const after = round === 0 ? next(before) : before;
      const begun = await tenants.beginChange(tenantId);
      last = begun.changeNumber;
      await tell(after, begun);
      return after;
    });
    if (!tenant || (await tenants.endChange(tenantId, last))) return tenant;
  }
  throw unavailable();
};

/** Tells the notifier the webhook that is stored. */
export const tellStored = (tenants: Tenants, tenantId: string, tell: Tell): Promise<Tenant | undefined> =>
  untilAlone(
    tenants,
    tenantId,
    (stored) => stored,
    (settings, { changeNumber }) => tell(settings, changeNumber),
  );

/**
 * Changes the settings, and tells the notifier before they are stored. Where that fails and the
 * notifier was or may have been told, it is told what is stored; where this fails, too, or the
 * process ends, a sweep does it (`repeat-webhook-changes.ts`).
 */
export const changeAndTell = async (
  tenants: Tenants,
  tenantId: string,
  next: Next,
  tell: Tell,
): Promise<Tenant | undefined> => {
  let mayHaveHeard = false;
  let last: Begun | undefined;
  const noting = async (settings: TenantSettings, begun: Begun): Promise<void> => {
    last = begun;
    await tell(settings, begun.changeNumber).catch((error: unknown) => {
      mayHaveHeard ||= !isRefusal(error);
      throw error;
    });
    mayHaveHeard = true;
  };
  return untilAlone(tenants, tenantId, next, noting).catch(async (error: unknown) => {
    if (mayHaveHeard) await tellStored(tenants, tenantId, tell);
    // Told anew, an endpoint that was disabled would be enabled.
    else if (last?.isAlone) await tenants.endChange(tenantId, last.changeNumber);
    throw error;
  });
};
