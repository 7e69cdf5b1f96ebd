import { useState } from 'preact/hooks';
import { Button, Dialog, Field } from '../design/controls.tsx';
import { Badge, Empty, Table, Title } from '../design/display.tsx';
import { addressOf } from './address.ts';
import { get, type Page, post, withQuery } from './api.ts';
import { Loaded, Outcome, useAct, useLoaded } from './loaded.tsx';
import type { Tenant } from './settings.tsx';

const all = async (cursor?: string): Promise<Tenant[]> => {
  const { items, cursor: next } = await get<Page<Tenant>>(withQuery('/tenants', { limit: '200', cursor }));
  return next ? [...items, ...(await all(next))] : items;
};

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

const webhookInWords = (webhook: unknown): 'on' | 'off' | 'none' => {
  if (typeof webhook !== 'object' || webhook === null) return 'none';
  return 'enabled' in webhook && webhook.enabled === false ? 'off' : 'on';
};
const WEBHOOKS = {
  on: <Badge tone="good">on</Badge>,
  off: <Badge tone="bad">off</Badge>,
  none: <small>none</small>,
} as const;

const List = ({ items }: { items: readonly Tenant[] }) => (
  <Table
    caption="Tenants"
    columns={['Name', 'Policy', 'Webhook', 'Id']}
    rows={items.map(({ tenantId, name, settings }) => [
      <>
        <a href={addressOf('tenants', tenantId)}>{name}</a> {settings.sandbox && <Badge tone="warn">sandbox</Badge>}
      </>,
      String(settings.policy ?? 'default'),
      WEBHOOKS[webhookInWords(settings.webhook)],
      <code key="id" class="id">
        {tenantId}
      </code>,
    ])}
  />
);

/** Every tenant, and making one. */
export const Tenants = () => {
  const tenants = useLoaded(all, []);
  const [search, setSearch] = useState('');
  const [making, setMaking] = useState(false);
  const isSought = ({ tenantId, name }: Tenant): boolean =>
    `${name} ${tenantId}`.toLowerCase().includes(search.trim().toLowerCase());
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
          <input type="search" value={search} onInput={({ currentTarget }) => setSearch(currentTarget.value)} />
        </Field>
      </div>
      <Loaded state={tenants}>
        {(items) => {
          if (items.length === 0) return <Empty>There is no tenant yet. Make the first with “New tenant”.</Empty>;
          const found = items.filter(isSought);
          return found.length === 0 ? (
            <Empty>No tenant’s name or id has “{search}” in it.</Empty>
          ) : (
            <List items={found} />
          );
        }}
      </Loaded>
    </>
  );
};
