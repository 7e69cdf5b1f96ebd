import { Tabs } from '../design/controls.tsx';
import { Badge } from '../design/display.tsx';
import { addressOf } from './address.ts';
import { get, own } from './api.ts';
import { Audit } from './audit.tsx';
import { Identities } from './identities.tsx';
import { Identity } from './identity.tsx';
import { Keys } from './keys.tsx';
import { Loaded, useLoaded } from './loaded.tsx';
import { TenantPolicy } from './policy.tsx';
import { type Tenant as Found, TenantSettings } from './settings.tsx';
import { Webhook } from './webhook.tsx';

const TABS = [
  ['identities', 'Identities'],
  ['settings', 'Settings'],
  ['policy', 'Policy'],
  ['webhook', 'Webhook'],
  ['keys', 'Keys'],
  ['audit', 'Audit log'],
] as const;
type Tab = (typeof TABS)[number][0];
/** The part of a tenant that an address names, and its words; the first where it names none. */
export const tabOf = (named: string | undefined): (typeof TABS)[number] =>
  TABS.find(([name]) => name === named) ?? TABS[0];

interface ViewProps {
  tab: Tab;
  tenant: Found;
  identityId: string | undefined;
  onSaved: (tenant: Found) => void;
}

const View = ({ tab, tenant, identityId, onSaved }: ViewProps) => {
  const { tenantId } = tenant;
  switch (tab) {
    case 'settings':
      return <TenantSettings tenant={tenant} only={(path) => !path.startsWith('webhook.')} onSaved={onSaved} />;
    case 'policy':
      return <TenantPolicy tenant={tenant} onSaved={onSaved} />;
    case 'webhook':
      return <Webhook tenant={tenant} onSaved={onSaved} />;
    case 'keys':
      return <Keys path={`/tenants/${tenantId}/keys`} ofTenant />;
    case 'audit':
      return <Audit path={`/tenants/${tenantId}/audit`} ofTenant />;
    default:
      return identityId ? (
        <Identity key={identityId} tenantId={tenantId} identityId={identityId} />
      ) : (
        <Identities tenantId={tenantId} />
      );
  }
};

interface TenantProps {
  tenantId: string;
  tab: string | undefined;
  identityId: string | undefined;
}

/** One tenant: its identities, settings, policy, webhook, keys and audit log. */
export const Tenant = ({ tenantId, tab, identityId }: TenantProps) => {
  const tenant = useLoaded(() => get<Found>(`/tenants/${tenantId}`), [tenantId]);
  const [open] = tabOf(tab);
  const go = (name: Tab): void => {
    location.hash = addressOf('tenants', tenantId, name);
  };
  return (
    <Loaded state={tenant}>
      {(found) => (
        <>
          {!own()?.tenantId && (
            <p class="path">
              <a href={addressOf()}>Tenants</a>
            </p>
          )}
          <h1>
            {found.name} {found.settings.sandbox && <Badge tone="warn">sandbox</Badge>}
          </h1>
          <p class="help">
            Tenant <code>{tenantId}</code>
          </p>
          <Tabs label="Parts of the tenant" value={open} options={TABS} onSelect={go} />
          <View tab={open} tenant={found} identityId={identityId} onSaved={tenant.replace} />
        </>
      )}
    </Loaded>
  );
};
