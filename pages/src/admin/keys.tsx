import { useState } from 'preact/hooks';
import { Button, Copy, Field, Select } from '../design/controls.tsx';
import { ACTS, Empty, Note, Table } from '../design/display.tsx';
import { all, post, remove } from './api.ts';
import { Loaded, Outcome, useAct, useLoaded } from './loaded.tsx';
import { TimeField, timeOnWire } from './time-field.tsx';
import { roleInWords, timeInWords } from './words.ts';

interface Key {
  keyId: string;
  role: string;
  createdAt?: string;
  lastUsedAt?: string;
  expiresAt?: string;
  /** Of the person whose key it is. */
  personId?: string;
  name?: string;
}
interface Person {
  subject: string;
  name: string;
}
/** A key as it is answered once, when it is made. */
interface MadeKey {
  keyId: string;
  apiKey: string;
}
const NOBODY: Person = { subject: '', name: '' };
const ROLES = [
  ['RELYING_SERVICE', 'Relying service'],
  ['USER_AGENT', 'User agent'],
  ['OPERATOR', 'Operator'],
  ['TENANT_ADMINISTRATOR', 'Administrator of this tenant'],
] as const;
type Role = (typeof ROLES)[number][0];
const MAY: Readonly<Record<Role, string>> = {
  RELYING_SERVICE: 'Your own servers: everything about your identities, and their proofs.',
  USER_AGENT: 'What submits evidence on behalf of a person; it cannot read results.',
  OPERATOR: 'A person who decides cases in the console.',
  TENANT_ADMINISTRATOR: 'These pages, for this tenant alone.',
};

/** A key that a person holds, not a program. */
const isPersons = (role: Role): boolean => role === 'OPERATOR' || role === 'TENANT_ADMINISTRATOR';

const Whose = ({ personId, name }: Key) => (
  <>
    {name ?? 'nobody named'}
    {personId && (
      <div>
        <small>
          <code>{personId}</code>
        </small>
      </div>
    )}
  </>
);

interface TableOfKeysProps {
  items: readonly Key[];
  running: boolean;
  onRevoke: (key: Key) => void;
}

const TableOfKeys = ({ items, running, onRevoke }: TableOfKeysProps) => {
  const named = items.some(({ personId }) => personId !== undefined);
  return (
    <Table
      caption="Keys"
      columns={['Role', ...(named ? ['Person'] : []), 'Key id', 'Made', 'Last used', 'Expires', ACTS]}
      rows={items.map((key) => [
        roleInWords(key.role),
        ...(named ? [key.personId ? <Whose key="whose" {...key} /> : '–'] : []),
        <code key="id">{key.keyId}</code>,
        timeInWords(key.createdAt),
        key.lastUsedAt ? timeInWords(key.lastUsedAt) : 'never',
        key.expiresAt ? timeInWords(key.expiresAt) : 'never',
        <Button key="act" tone="bad" disabled={running} onClick={() => onRevoke(key)}>
          Revoke
        </Button>,
      ])}
    />
  );
};

/** Whose a new key is. Both fields or neither: a name alone tells no person from another. */
const PersonFields = ({ person, onPerson }: { person: Person; onPerson: (person: Person) => void }) => {
  const isGiven = person.subject !== '' || person.name !== '';
  return (
    <>
      <Field label="Person (subject)">
        <input
          value={person.subject}
          required={isGiven}
          maxLength={255}
          autoComplete="off"
          onInput={({ currentTarget }) => onPerson({ ...person, subject: currentTarget.value })}
        />
      </Field>
      <Field label="Name of the person">
        <input
          value={person.name}
          required={isGiven}
          maxLength={120}
          autoComplete="off"
          onInput={({ currentTarget }) => onPerson({ ...person, name: currentTarget.value })}
        />
      </Field>
    </>
  );
};

const HELP_ON_PERSON = (
  <p class="help">
    The subject is what your issuer of OpenID Connect calls the person, or an id of yours; the name is what colleagues
    see. Keys of one person count as one operator. Both may be left out.
  </p>
);

/** Keys that are shown once: one that is made next takes none of them away. */
const MadeKeys = ({ made }: { made: readonly MadeKey[] }) => (
  <Note tone="warn">
    <p>
      <strong>Copy {made.length === 1 ? 'the new key' : 'the new keys'} now.</strong> A key is stored only as a hash and
      cannot be shown again.
    </p>
    {made.map(({ keyId, apiKey }) => (
      <p key={keyId}>
        <span class="shown-once">{apiKey}</span> <Copy text={apiKey} what={`the new key ${keyId}`} />
        <br />
        <small>
          key id <code>{keyId}</code>
        </small>
      </p>
    ))}
  </Note>
);

const revoking = ({ keyId, role, name }: Key): string =>
  `Revoke the key ${keyId} (${[roleInWords(role), name].filter(Boolean).join(', ')})? Whoever uses it is locked out at once.`;

/** Keys of a tenant, or of administrators: made, shown once, revoked. */
export const Keys = ({ path, ofTenant }: { path: string; ofTenant: boolean }) => {
  const keys = useLoaded(() => all<Key>(path), [path]);
  const [role, setRole] = useState<Role>('RELYING_SERVICE');
  const [person, setPerson] = useState(NOBODY);
  const [end, setEnd] = useState('');
  const [made, setMade] = useState<readonly MadeKey[]>([]);
  const { running, message, done, act } = useAct();
  const hasPerson = !ofTenant || isPersons(role);
  const make = (event: SubmitEvent): void => {
    event.preventDefault();
    act(async () => {
      const subject = person.subject.trim();
      const whose = hasPerson && subject !== '' ? { person: { ...person, subject } } : {};
      const until = end === '' ? {} : { expiresAt: timeOnWire(end) };
      const key = await post<MadeKey>(path, { ...(ofTenant ? { role } : {}), ...whose, ...until });
      setMade((before) => [key, ...before]);
      setPerson(NOBODY);
      setEnd('');
      keys.again();
      return 'The key was made.';
    });
  };
  const revoke = (key: Key): void => {
    if (!confirm(revoking(key))) return;
    act(async () => {
      await remove(`${path}/${key.keyId}`);
      keys.again();
      return 'The key was revoked.';
    });
  };
  return (
    <>
      <form class="bar" onSubmit={make}>
        {ofTenant && <Select label="Role of a new key" value={role} options={ROLES} onSelect={setRole} />}
        {hasPerson && <PersonFields person={person} onPerson={setPerson} />}
        <TimeField label="Expires, if ever" value={end} onTime={setEnd} />
        <Button type="submit" tone="primary" disabled={running}>
          Make a key
        </Button>
      </form>
      {ofTenant && <p class="help">{MAY[role]}</p>}
      {hasPerson && HELP_ON_PERSON}
      <Outcome message={message} done={done} />
      {made.length > 0 && <MadeKeys made={made} />}
      <Loaded state={keys}>
        {(items) =>
          items.length === 0 ? (
            <Empty>No key yet. Whoever calls the API of this tenant needs one.</Empty>
          ) : (
            <TableOfKeys items={items} running={running} onRevoke={revoke} />
          )
        }
      </Loaded>
    </>
  );
};
