import type { IdentitySummary } from '@assay/contracts/administration';
import { capital, plainWords } from '@assay/contracts/words';
import { useState } from 'preact/hooks';
import { Button, Field, Select } from '../design/controls.tsx';
import { Badge, Empty, Table } from '../design/display.tsx';
import { addressOf, useCriteria } from './address.ts';
import { get, type Page, withQuery } from './api.ts';
import { Loaded, Pages, useLoaded, usePages } from './loaded.tsx';
import { reasonInWords, statusInWords, timeInWords } from './words.ts';

const STATUSES = [
  ['', 'any'],
  ['EXPECTING_INPUT', 'expecting input'],
  ['PROCESSING', 'processing'],
  ['PAUSED', 'paused'],
  ['ERROR', 'error'],
  ['CLOSED', 'closed'],
] as const;
const TONES = { EXPECTING_INPUT: 'info', PROCESSING: 'warn', PAUSED: 'warn', ERROR: 'bad', CLOSED: undefined } as const;

interface IdentityStatusProps {
  status: IdentitySummary['status'];
  reason: string | undefined;
}

export const IdentityStatus = ({ status, reason }: IdentityStatusProps) => (
  <>
    <Badge tone={TONES[status]}>{STATUSES.find(([name]) => name === status)?.[1] ?? status}</Badge>{' '}
    <small>{reasonInWords(reason)}</small>
  </>
);

/** The business id is not among them: it may tell who somebody is. */
const IN_ADDRESS = ['identityId', 'status', 'createdFrom', 'createdBefore'] as const;
type Criteria = Record<(typeof IN_ADDRESS)[number] | 'businessId', string>;
const NAMES = [
  ['businessId', 'Business id', 'text'],
  ['identityId', 'Identity id', 'text'],
  ['createdFrom', 'Begun from', 'date'],
  ['createdBefore', 'Begun before', 'date'],
] as const;

interface FinderProps {
  criteria: Criteria;
  onFind: (criteria: Criteria) => void;
}

const Finder = ({ criteria, onFind }: FinderProps) => {
  const [status, setStatus] = useState(STATUSES.find(([name]) => name === criteria.status)?.[0] ?? '');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const given = NAMES.map(([name]) => [name, String(form.get(name) ?? '').trim()]);
    onFind({ ...criteria, ...Object.fromEntries(given), status });
  };
  return (
    <form class="bar" onSubmit={submit}>
      {NAMES.map(([name, label, type]) => (
        <Field key={name} label={label}>
          {type === 'date' ? (
            <input name={name} type="date" defaultValue={criteria[name]} />
          ) : (
            <input name={name} defaultValue={criteria[name]} autoComplete="off" />
          )}
        </Field>
      ))}
      <Select label="Status" value={status} options={STATUSES} onSelect={setStatus} />
      <Button type="submit" tone="primary">
        Find
      </Button>
    </form>
  );
};

const evidenceInWords = ({ evidences }: IdentitySummary): string =>
  capital(
    evidences.map(({ type, status }) => `${plainWords(type).toLowerCase()} ${statusInWords(status)}`).join(', '),
  ) || 'none yet';

const NothingFound = ({ criteria }: { criteria: Criteria }) =>
  Object.values(criteria).some(Boolean) ? (
    <Empty>No identity is like that. Take out a criterion, and find again.</Empty>
  ) : (
    <Empty>
      No identity yet. A relying service begins one with its key; <a href="/docs">the guide</a> shows how.
    </Empty>
  );

/**
 * Identities of a tenant: found by id, by what the tenant calls the person, by status and date;
 * nothing personal.
 */
export const Identities = ({ tenantId }: { tenantId: string }) => {
  const { criteria: inAddress, show, visit } = useCriteria(IN_ADDRESS);
  const [businessId, setBusinessId] = useState('');
  const criteria: Criteria = { ...inAddress, businessId };
  const pages = usePages();
  const found = useLoaded(
    () =>
      get<Page<IdentitySummary>>(withQuery(`/tenants/${tenantId}/identities`, { ...criteria, cursor: pages.cursor })),
    [tenantId, inAddress, businessId, pages.cursor],
  );
  const find = (next: Criteria): void => {
    pages.first();
    show(next);
    setBusinessId(next.businessId);
  };
  const link = ({ identityId }: IdentitySummary) => (
    <a href={addressOf('tenants', tenantId, 'identities', identityId)}>
      <code class="id">{identityId}</code>
    </a>
  );
  return (
    <>
      <Finder key={visit} criteria={criteria} onFind={find} />
      <Loaded state={found}>
        {({ items, cursor }) => (
          <>
            {items.length === 0 && <NothingFound criteria={criteria} />}
            {items.length > 0 && (
              <Table
                caption="Identities, the newest first"
                columns={['Identity', 'Status', 'Level', 'Evidence', 'Begun']}
                rows={items.map((each) => [
                  link(each),
                  <IdentityStatus key="status" status={each.status} reason={each.reason} />,
                  each.levelOfAssurance,
                  evidenceInWords(each),
                  timeInWords(each.createdAt),
                ])}
              />
            )}
            <Pages pages={pages} next={cursor} />
          </>
        )}
      </Loaded>
    </>
  );
};
