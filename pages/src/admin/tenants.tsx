import { useState } from 'preact/hooks';
import { Button, Field } from '../design/controls.tsx';
import { Empty, Table } from '../design/display.tsx';
import { addressOf } from './address.ts';
import { get, type Page, post, withQuery } from './api.ts';
import { Loaded, Outcome, useAct, useLoaded } from './loaded.tsx';
import type { Tenant } from './settings.tsx';

const all = async (cursor?: string): Promise<Tenant[]> => {
  const { items, cursor: next } = await get<Page<Tenant>>(withQuery('/tenants', { limit: '200', cursor }));
  return next ? [...items, ...(await all(next))] : items;
};

/** Every tenant, and making one. */
export const Tenants = () => {
  const tenants = useLoaded(all, []);
  const [search, setSearch] = useState('');
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
  const isSought = ({ tenantId, name }: Tenant): boolean =>
    `${name} ${tenantId}`.toLowerCase().includes(search.trim().toLowerCase());
  return (
    <>
      <h1>Tenants</h1>
      <form class="bar" onSubmit={create}>
        <Field label="Name of a new tenant">
          <input name="name" required maxLength={200} autoComplete="off" />
        </Field>
        <label class="check">
          <input name="sandbox" type="checkbox" /> <span>Sandbox, for ever: outcomes can be played</span>
        </label>
        <Button type="submit" tone="primary" disabled={running}>
          Create
        </Button>
        <Field label="Search">
          <input type="search" value={search} onInput={({ currentTarget }) => setSearch(currentTarget.value)} />
        </Field>
      </form>
      <Outcome message={message} done={done} />
      <Loaded state={tenants}>
        {(items) =>
          items.filter(isSought).length === 0 ? (
            <Empty>No tenant.</Empty>
          ) : (
            <Table
              caption="Tenants"
              columns={['Name', 'Id', 'Policy', 'Webhook']}
              rows={items.filter(isSought).map(({ tenantId, name, settings }) => [
                <a key="name" href={addressOf('tenants', tenantId)}>
                  {name}
                </a>,
                <code key="id" class="id">
                  {tenantId}
                </code>,
                String(settings.policy ?? 'default'),
                settings.webhook ? 'yes' : 'no',
              ])}
            />
          )
        }
      </Loaded>
    </>
  );
};
