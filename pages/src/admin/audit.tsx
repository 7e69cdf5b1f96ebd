import { AUDIT_ACTS, type AuditAct } from '@assay/contracts/audit-acts';
import { useState } from 'preact/hooks';
import { Button, Field, Select } from '../design/controls.tsx';
import { Empty, Note, Table } from '../design/display.tsx';
import { useCriteria } from './address.ts';
import { get, type Page, withQuery } from './api.ts';
import { actInWords, memberInWords } from './audit-words.ts';
import { Loaded, Outcome, Pages, useAct, useLoaded, usePages } from './loaded.tsx';
import { roleInWords, timeInWords } from './words.ts';

interface Entry {
  seq: number;
  at: string;
  content?: {
    act: string;
    actor: { keyId: string; role: string; personId?: string };
    subject: Record<string, string>;
    details?: Record<string, string | number>;
  };
}
interface Verification {
  entries: number;
  ok: boolean;
  fault?: { seq: number; fault: string };
}

type Values = Readonly<Record<string, string | number>>;

/** Names and values, but not the tenant whose log it is. */
const Pairs = ({ values }: { values: Values | undefined }) => (
  <>
    {Object.entries(values ?? {})
      .filter(([name]) => name !== 'tenantId')
      .map(([name, value]) => (
        <div key={name}>
          <small>{memberInWords(name)}</small> {/Id$|^made$/.test(name) ? <code>{value}</code> : value}
        </div>
      ))}
  </>
);

const Actor = ({ actor }: { actor: NonNullable<Entry['content']>['actor'] }) => (
  <>
    {roleInWords(actor.role)}
    {actor.role !== 'SUITE' && (
      <div>
        <small>
          key <code>{actor.keyId}</code>
        </small>
      </div>
    )}
    {actor.personId && (
      <div>
        <small>
          person <code>{actor.personId}</code>
        </small>
      </div>
    )}
  </>
);

const Entries = ({ items }: { items: readonly Entry[] }) => (
  <Table
    caption="Audit log, the newest first"
    columns={['Entry', 'When', 'What', 'Upon', 'Who']}
    rows={items.map(({ seq, at, content }) => [
      String(seq),
      timeInWords(at),
      content ? (
        <>
          <span title={content.act}>{actInWords(content.act)}</span>
          <Pairs values={content.details} />
        </>
      ) : (
        'erased'
      ),
      <Pairs key="subject" values={content?.subject} />,
      content ? <Actor actor={content.actor} /> : '–',
    ])}
  />
);

const ACTS: readonly (readonly [AuditAct | '', string])[] = [
  ['', 'any'],
  ...AUDIT_ACTS.map((act) => [act, actInWords(act)] as const).sort(([, a], [, b]) => a.localeCompare(b)),
];
const CRITERIA = ['act', 'identityId'] as const;
type Criteria = Record<(typeof CRITERIA)[number], string>;

interface FinderProps {
  ofTenant: boolean;
  criteria: Criteria;
  onFind: (criteria: Criteria) => void;
}

const Finder = ({ ofTenant, criteria, onFind }: FinderProps) => {
  const [act, setAct] = useState(ACTS.find(([name]) => name === criteria.act)?.[0] ?? '');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    onFind({ act, identityId: String(form.get('identityId') ?? '').trim() });
  };
  return (
    <form class="bar" onSubmit={submit}>
      <Select label="What was done" value={act} options={ACTS} onSelect={setAct} />
      {ofTenant && (
        <Field label="Identity id">
          <input name="identityId" defaultValue={criteria.identityId} autoComplete="off" />
        </Field>
      )}
      <Button type="submit" tone="primary">
        Find
      </Button>
    </form>
  );
};

/** A chain of the audit log, the newest first, and whether it holds. */
export const Audit = ({ path, ofTenant }: { path: string; ofTenant: boolean }) => {
  const { criteria, show, visit } = useCriteria(CRITERIA);
  const pages = usePages();
  const [verified, setVerified] = useState<Verification>();
  const entries = useLoaded(
    () => get<Page<Entry>>(withQuery(path, { ...criteria, order: 'desc', cursor: pages.cursor })),
    [path, criteria, pages.cursor],
  );
  const { running, message, done, act } = useAct();
  const find = (next: Criteria): void => {
    pages.first();
    show(next);
  };
  const verify = (): void =>
    act(async () => {
      setVerified(undefined);
      setVerified(await get<Verification>(`${path}/verification`));
      return '';
    });
  return (
    <>
      <p class="bar beside">
        <Button disabled={running} onClick={verify}>
          Verify the whole chain
        </Button>
        <span class="help">Each entry seals the one before it: a change, a gap or an insertion shows.</span>
      </p>
      <Outcome message={message} done={done} />
      {verified && (
        <div role="status">
          <Note tone={verified.ok ? 'good' : 'bad'}>
            {verified.ok
              ? `The chain holds: ${verified.entries} entries, none changed, left out or inserted.`
              : `The chain breaks at entry ${verified.fault?.seq} (${verified.fault?.fault}).`}
          </Note>
        </div>
      )}
      <Finder key={visit} ofTenant={ofTenant} criteria={criteria} onFind={find} />
      <Loaded state={entries}>
        {({ items, cursor }) => (
          <>
            {items.length === 0 && (
              <Empty>
                {Object.values(criteria).some(Boolean)
                  ? 'Nothing like that was done. Take out a criterion, and find again.'
                  : 'Nothing was done here yet.'}
              </Empty>
            )}
            {items.length > 0 && <Entries items={items} />}
            <Pages pages={pages} next={cursor} />
          </>
        )}
      </Loaded>
    </>
  );
};
