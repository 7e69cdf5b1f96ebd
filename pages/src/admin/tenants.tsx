import type { EndpointHealth } from '@assay/contracts/administration';
import { useEffect, useState } from 'preact/hooks';
import { Button, Dialog, Field, Select } from '../design/controls.tsx';
import { Badge, Empty, Table, Title } from '../design/display.tsx';
import { addressOf, useCriteria } from './address.ts';
import { all, post } from './api.ts';
import { Loaded, Outcome, useAct, useLoaded } from './loaded.tsx';
import type { Tenant } from './settings.tsx';
import { timeInWords } from './words.ts';

/** Asks for the name of a new tenant; what comes next is its keys. */
const NewTenant = ({ onClose }: { onClose: () => void }) => {
  const { running, message, done, act } = useAct();
  const create = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const name = String(form.get('name') ?? '').trim();
    const settings = form.has('sandbox') ? { sandbox: true } : {};
    act(async () => {
      const { tenantId } = await post<Tenant>('/tenants', { name, settings });
      location.hash = addressOf('tenants', tenantId, 'keys');
      return '';
    });
  };
  return (
    <form onSubmit={create}>
      <h2>New tenant</h2>
      <Field label="Name">
        <input name="name" required maxLength={200} autoComplete="off" />
      </Field>
      <label class="check">
        <input name="sandbox" type="checkbox" />
        <span>
          Sandbox, for testing: every outcome can be played on purpose.
          <br />
          <small>This cannot be changed later.</small>
        </span>
      </label>
      <Outcome message={message} done={done} />
      <p class="bar">
        <Button type="submit" tone="primary" disabled={running}>
          Create
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </p>
    </form>
  );
};

type Listed = Tenant & { endpoint?: EndpointHealth };
type Sending = 'none' | 'off' | 'failing' | 'on';

/** How sending goes; where the service cannot say it, what is set. */
const sendingOf = ({ settings: { webhook }, endpoint }: Listed): Sending => {
  if (typeof webhook !== 'object' || webhook === null) return 'none';
  if (endpoint ? !endpoint.enabled : 'enabled' in webhook && webhook.enabled === false) return 'off';
  return endpoint && endpoint.consecutiveFailures > 0 ? 'failing' : 'on';
};
const BADGES = {
  on: <Badge tone="good">on</Badge>,
  failing: <Badge tone="bad">failing</Badge>,
  off: <Badge tone="bad">off</Badge>,
  none: <small>none</small>,
} as const;

const WebhookOf = ({ tenant }: { tenant: Listed }) => {
  const sending = sendingOf(tenant);
  if (sending === 'none') return BADGES.none;
  const { failingSince, lastError } = tenant.endpoint ?? {};
  return (
    <>
      <a href={addressOf('tenants', tenant.tenantId, 'webhook')}>{BADGES[sending]}</a>
      {failingSince && (
        <div>
          <small>
            since {timeInWords(failingSince)} {lastError && <code>{lastError}</code>}
          </small>
        </div>
      )}
    </>
  );
};

const WEBHOOKS = [
  ['', 'any'],
  ['bad', 'failing or off'],
] as const;
const isBad = (tenant: Listed): boolean => ['failing', 'off'].includes(sendingOf(tenant));
const byName = (a: Listed, b: Listed): number =>
  a.name.localeCompare(b.name, undefined, { numeric: true }) || a.tenantId.localeCompare(b.tenantId);

const List = ({ items }: { items: readonly Listed[] }) => (
  <Table
    caption="Tenants by name"
    columns={['Name', 'Policy', 'Webhook', 'Id']}
    rows={items.map((tenant) => [
      <>
        <a href={addressOf('tenants', tenant.tenantId)}>{tenant.name}</a>{' '}
        {tenant.settings.sandbox && <Badge tone="warn">sandbox</Badge>}
      </>,
      String(tenant.settings.policy ?? 'default'),
      <WebhookOf key="webhook" tenant={tenant} />,
      <code key="id" class="id">
        {tenant.tenantId}
      </code>,
    ])}
  />
);

const CRITERIA = ['search', 'webhook'] as const;

/** Every tenant, and making one. */
export const Tenants = () => {
  const tenants = useLoaded(() => all<Listed>('/tenants'), []);
  const { criteria, show, visit } = useCriteria(CRITERIA);
  const [search, setSearch] = useState(criteria.search);
  useEffect(() => setSearch(criteria.search), [visit]);
  const webhook = WEBHOOKS.find(([name]) => name === criteria.webhook)?.[0] ?? '';
  const [making, setMaking] = useState(false);
  const isSought = (tenant: Listed): boolean =>
    `${tenant.name} ${tenant.tenantId}`.toLowerCase().includes(search.trim().toLowerCase()) &&
    (webhook === '' || isBad(tenant));
  return (
    <>
      <Title
        acts={
          <Button tone="primary" onClick={() => setMaking(true)}>
            New tenant
          </Button>
        }
      >
        Tenants
      </Title>
      <Dialog open={making} label="New tenant" onClose={() => setMaking(false)}>
        <NewTenant onClose={() => setMaking(false)} />
      </Dialog>
      <div class="bar">
        <Field label="Search by name or id">
          <input
            type="search"
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
            onChange={({ currentTarget }) => show({ ...criteria, search: currentTarget.value.trim() })}
          />
        </Field>
        <Select
          label="Webhook"
          value={webhook}
          options={WEBHOOKS}
          onSelect={(chosen) => show({ ...criteria, webhook: chosen })}
        />
      </div>
      <Loaded state={tenants}>
        {(items) => {
          if (items.length === 0) return <Empty>There is no tenant yet. Make the first with “New tenant”.</Empty>;
          const found = items.filter(isSought).sort(byName);
          return found.length === 0 ? (
            <Empty>No tenant is like that. Take out a criterion.</Empty>
          ) : (
            <List items={found} />
          );
        }}
      </Loaded>
    </>
  );
};
