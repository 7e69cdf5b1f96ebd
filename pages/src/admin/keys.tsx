import { useState } from 'preact/hooks';
import { Button, Copy, Select } from '../design/controls.tsx';
import { ACTS, Empty, Note, Table } from '../design/display.tsx';
import { get, type Page, post, remove } from './api.ts';
import { Loaded, Outcome, useAct, useLoaded } from './loaded.tsx';
import { roleInWords, timeInWords } from './words.ts';

interface Key {
  keyId: string;
  role: string;
  createdAt?: string;
  lastUsedAt?: string;
  expiresAt?: string;
  /** Of the person whose key it is. */
  name?: string;
}
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

interface TableOfKeysProps {
  items: readonly Key[];
  running: boolean;
  onRevoke: (keyId: string) => void;
}

const TableOfKeys = ({ items, running, onRevoke }: TableOfKeysProps) => {
  const named = items.some(({ name }) => name !== undefined);
  return (
    <Table
      caption="Keys"
      columns={['Role', ...(named ? ['Person'] : []), 'Key id', 'Made', 'Last used', 'Expires', ACTS]}
      rows={items.map((key) => [
        roleInWords(key.role),
        ...(named ? [key.name ?? '–'] : []),
        <code key="id">{key.keyId}</code>,
        timeInWords(key.createdAt),
        key.lastUsedAt ? timeInWords(key.lastUsedAt) : 'never',
        key.expiresAt ? timeInWords(key.expiresAt) : 'never',
        <Button key="act" tone="bad" disabled={running} onClick={() => onRevoke(key.keyId)}>
          Revoke
        </Button>,
      ])}
    />
  );
};

/** Keys of a tenant, or of administrators: made, shown once, revoked. */
export const Keys = ({ path, ofTenant }: { path: string; ofTenant: boolean }) => {
  const keys = useLoaded(() => get<Page<Key>>(path), [path]);
  const [role, setRole] = useState<Role>('RELYING_SERVICE');
  const [made, setMade] = useState('');
  const { running, message, done, act } = useAct();
  const make = (): void =>
    act(async () => {
      const { apiKey } = await post<{ apiKey: string }>(path, ofTenant ? { role } : {});
      setMade(apiKey);
      keys.again();
      return 'The key was made.';
    });
  const revoke = (keyId: string): void => {
    if (!confirm('Revoke this key? Whoever uses it is locked out at once.')) return;
    act(async () => {
      await remove(`${path}/${keyId}`);
      keys.again();
      return 'The key was revoked.';
    });
  };
  return (
    <>
      <div class="bar">
        {ofTenant && <Select label="Role of a new key" value={role} options={ROLES} onSelect={setRole} />}
        <Button tone="primary" disabled={running} onClick={make}>
          Make a key
        </Button>
      </div>
      {ofTenant && <p class="help">{MAY[role]}</p>}
      <Outcome message={message} done={done} />
      {made && (
        <Note tone="warn">
          <p>
            <strong>Copy the new key now.</strong> It is stored only as a hash and cannot be shown again.
          </p>
          <p>
            <span class="shown-once">{made}</span> <Copy text={made} what="the new key" />
          </p>
        </Note>
      )}
      <Loaded state={keys}>
        {({ items }) =>
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
