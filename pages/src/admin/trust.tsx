import { Button, Field, Tabs } from '../design/controls.tsx';
import { ACTS, Badge, Empty } from '../design/display.tsx';
import { addressOf, useCriteria } from './address.ts';
import { get, type Page, remove, upload, withQuery } from './api.ts';
import { Loaded, LongTable, Outcome, useAct, useLoaded } from './loaded.tsx';
import { TrustReport } from './trust-report.tsx';
import { dayInWords } from './words.ts';

interface Entry {
  id: string;
  country: string;
  subject: string;
  notBefore: string;
  notAfter?: string;
  source: string;
  level: 'MASTER_LIST' | 'SINGLE';
}
interface Imported {
  added: number;
  known: number;
  refused: { subject: string; reason: string }[];
}
type Collection = 'csca' | 'crl';
const VIEWS = [
  ['csca', 'Countries’ authorities'],
  ['signers', 'Document signers'],
  ['crl', 'Revocation lists'],
  ['report', 'Report'],
] as const;
const CRITERIA = ['country'] as const;
const FILES: Readonly<Record<Collection, string>> = {
  csca: 'a master list, an LDIF of the PKD, or a certificate',
  crl: 'a revocation list, or an LDIF of the PKD',
};

const inWords = ({ added, known, refused }: Imported): string =>
  [`${added} added, ${known} known already, ${refused.length} refused.`]
    .concat(refused.slice(0, 5).map(({ subject, reason }) => `${subject}: ${reason}.`))
    .join(' ');

interface ImportProps {
  collection: Collection;
  onImported: () => void;
}

const Import = ({ collection, onImported }: ImportProps) => {
  const { running, message, done, act } = useAct();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const { file, source } = Object.fromEntries(new FormData(form)) as { file: File; source: string };
    act(async () => {
      const words = inWords(await upload<Imported>(`/trust/${collection}`, file, source));
      form.reset();
      onImported();
      return words;
    });
  };
  return (
    <form onSubmit={submit}>
      <div class="bar">
        <Field label={`File: ${FILES[collection]}`}>
          <input name="file" type="file" required />
        </Field>
        <Field label="Where it is from">
          <input name="source" autoComplete="off" maxLength={256} />
        </Field>
        <Button type="submit" tone="primary" disabled={running}>
          Import
        </Button>
      </div>
      <Outcome message={message} done={done} />
    </form>
  );
};

interface EntriesProps {
  items: readonly Entry[];
  /** Absent where nothing is removed by itself. */
  onRemove?: (entry: Entry) => void;
}

const Entries = ({ items, onRemove }: EntriesProps) =>
  items.length === 0 ? (
    <Empty>Nothing is listed. Import a country’s master list to verify the chips of its passports.</Empty>
  ) : (
    <LongTable
      caption="Whom the suite trusts for chips"
      columns={['Subject', 'Country', 'Valid', 'Source', ...(onRemove ? [ACTS] : [])]}
      rows={items.map((entry) => [
        entry.subject,
        entry.country,
        `${dayInWords(entry.notBefore)} to ${dayInWords(entry.notAfter)}`,
        <span key="source">
          {entry.source} {entry.level === 'MASTER_LIST' && <Badge>master list</Badge>}
        </span>,
        ...(onRemove
          ? [
              <Button key="act" tone="bad" onClick={() => onRemove(entry)}>
                Remove
              </Button>,
            ]
          : []),
      ])}
    />
  );

/** What is listed of one kind, all of it or of one country; signers come with directories alone. */
const Listed = ({ list }: { list: Collection | 'signers' }) => {
  const { criteria, show } = useCriteria(CRITERIA);
  const { country } = criteria;
  const listed = useLoaded(() => get<Page<Entry>>(withQuery(`/trust/${list}`, { country })), [list, country]);
  const { message, done, act } = useAct();
  const take = ({ id, subject }: Entry): void => {
    if (!confirm(`Remove ${subject}? No chip rests on it any more.`)) return;
    act(async () => {
      await remove(`/trust/${list}/${id}`);
      listed.again();
      return 'Removed.';
    });
  };
  return (
    <>
      {list !== 'signers' && <Import collection={list} onImported={listed.again} />}
      <div class="bar">
        <Field label="Country, two letters">
          <input
            value={country}
            maxLength={2}
            onChange={({ currentTarget }) => show({ country: currentTarget.value.trim().toUpperCase() })}
          />
        </Field>
      </div>
      <Outcome message={message} done={done} />
      <Loaded state={listed}>
        {({ items }) => <Entries key={country} items={items} {...(list === 'signers' ? {} : { onRemove: take })} />}
      </Loaded>
    </>
  );
};

/** The trust store for passport chips: what it has, and whether it is up to date. */
export const Trust = ({ tab }: { tab: string | undefined }) => {
  const view = VIEWS.find(([name]) => name === tab)?.[0] ?? 'csca';
  return (
    <>
      <h1>Trust store</h1>
      <p class="lead">A passport’s chip is genuine when its signature leads to an authority that is listed here.</p>
      <Tabs
        label="Trust store"
        value={view}
        options={VIEWS}
        onSelect={(name) => {
          location.hash = addressOf('trust', name);
        }}
      />
      {view === 'report' ? <TrustReport /> : <Listed key={view} list={view} />}
    </>
  );
};
