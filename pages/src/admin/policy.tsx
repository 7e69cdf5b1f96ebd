import type { IdentitySummary } from '@assay/contracts/administration';
import { useState } from 'preact/hooks';
import { Button, Select } from '../design/controls.tsx';
import { Badge, Note, Table } from '../design/display.tsx';
import { addressOf } from './address.ts';
import { get, type Page, patch, post, Refused, withQuery } from './api.ts';
import { changeInWords } from './change-words.ts';
import { Loaded, Outcome, useAct, useLoaded } from './loaded.tsx';
import type { Tenant } from './settings.tsx';

interface Policy {
  name: string;
  version: string;
  description: string;
}
interface Compared {
  identityId: string;
  changes: readonly string[];
}

const LOOKED_AT = '50';

/** An identity that ended meanwhile is passed over. */
const unlessOver = (error: unknown): undefined => {
  if (!(error instanceof Refused && [404, 409, 410].includes(error.status))) throw error;
};

/**
 * What another policy would make of the newest running identities that have evidence. Nothing is
 * stored.
 */
const compare = async (tenantId: string, policy: string): Promise<Compared[]> => {
  const path = withQuery(`/tenants/${tenantId}/identities`, { limit: LOOKED_AT });
  const { items } = await get<Page<IdentitySummary>>(path);
  const running = items.filter(({ status, evidences }) => status !== 'CLOSED' && evidences.length > 0);
  const compared: Compared[] = [];
  for (const { identityId } of running) {
    const found = await post<{ changes: string[] }>(`/identities/${identityId}/evaluation`, { policy }).catch(
      unlessOver,
    );
    if (found) compared.push({ identityId, changes: found.changes });
  }
  return compared;
};

const Differences = ({ tenantId, compared }: { tenantId: string; compared: readonly Compared[] }) => {
  const changed = compared.filter(({ changes }) => changes.length > 0);
  return (
    <>
      <p role="status">
        {compared.length === 1 ? '1 running identity was' : `${compared.length} running identities were`} looked at;{' '}
        {changed.length} would change.
      </p>
      {changed.length > 0 && (
        <Table
          caption="What would change"
          columns={['Identity', 'Would change']}
          rows={changed.map(({ identityId, changes }) => [
            <a key="id" href={addressOf('tenants', tenantId, 'identities', identityId)}>
              <code class="id">{identityId}</code>
            </a>,
            <ul key="changes" class="changes">
              {changes.map((change) => (
                <li key={change}>{changeInWords(change)}</li>
              ))}
            </ul>,
          ])}
        />
      )}
    </>
  );
};

interface ChooserProps {
  tenant: Tenant;
  policies: readonly Policy[];
  onSaved: (tenant: Tenant) => void;
}

const Chooser = ({ tenant, policies, onSaved }: ChooserProps) => {
  const own = String(tenant.settings.policy ?? 'default');
  const [chosen, setChosen] = useState(own);
  /** It takes seconds, and another policy may be chosen meanwhile. */
  const [compared, setCompared] = useState<{ policy: string; found: Compared[] }>();
  const { running, message, done, act } = useAct();
  const choose = (name: string): void => {
    setChosen(name);
    setCompared(undefined);
  };
  const tryOut = (): void =>
    act(async () => {
      setCompared({ policy: chosen, found: await compare(tenant.tenantId, chosen) });
      return '';
    });
  const use = (): void =>
    act(async () => {
      onSaved(await patch<Tenant>(`/tenants/${tenant.tenantId}`, { settings: { policy: chosen } }));
      return `New identities of this tenant are judged under ${chosen}.`;
    });
  const { version, description } = policies.find(({ name }) => name === chosen) ?? {};
  return (
    <>
      <p>
        In force: <Badge tone="info">{own}</Badge>. Identities keep the policy they begin with.
      </p>
      <div class="bar">
        <Select
          label="Policy"
          value={chosen}
          options={policies.map(({ name }) => [name, name] as const)}
          onSelect={choose}
        />
        <Button disabled={running} onClick={tryOut}>
          What would change?
        </Button>
        <Button tone="primary" disabled={running || chosen === own} onClick={use}>
          Use this policy
        </Button>
      </div>
      <Note>
        <strong>{chosen}</strong> version {version}. {description}
      </Note>
      <Outcome message={message} done={done} />
      {compared?.policy === chosen && <Differences tenantId={tenant.tenantId} compared={compared.found} />}
    </>
  );
};

/** The policy of a tenant, and what another would make of what is stored. */
export const TenantPolicy = ({ tenant, onSaved }: { tenant: Tenant; onSaved: (tenant: Tenant) => void }) => {
  const policies = useLoaded(() => get<Page<Policy>>('/policies'), []);
  return (
    <Loaded state={policies}>{({ items }) => <Chooser tenant={tenant} policies={items} onSaved={onSaved} />}</Loaded>
  );
};
