import { useState } from 'preact/hooks';
import { Button, Select } from '../design/controls.tsx';
import { Empty, Note, Table } from '../design/display.tsx';
import { get, type Page, post, remove } from './api.ts';
import { Loaded, Outcome, useAct, useLoaded } from './loaded.tsx';
import { timeInWords } from './words.ts';

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
const roleInWords = (role: string): string => ROLES.find(([name]) => name === role)?.[1] ?? 'Administrator';

/** Keys of a tenant, or of administrators: made, shown once, revoked. */
export const Keys = ({ path, ofTenant }: { path: string; ofTenant: boolean }) => {
  const keys = useLoaded(() => get<Page<Key>>(path), [path]);
  const [role, setRole] = useState<(typeof ROLES)[number][0]>('RELYING_SERVICE');
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
      <Outcome message={message} done={done} />
      {made && (
        <Note tone="warn">
          Shown this once: <span class="shown-once">{made}</span>
        </Note>
      )}
      <Loaded state={keys}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty>No key.</Empty>
          ) : (
            <Table
              caption="Keys"
              columns={['Key', 'Role', 'Whose', 'Made', 'Last used', 'Expires', 'Act']}
              rows={items.map((key) => [
                <code key="id">{key.keyId}</code>,
                roleInWords(key.role),
                key.name ?? '',
                timeInWords(key.createdAt),
                timeInWords(key.lastUsedAt),
                timeInWords(key.expiresAt),
                <Button key="act" tone="bad" disabled={running} onClick={() => revoke(key.keyId)}>
                  Revoke
                </Button>,
              ])}
            />
          )
        }
      </Loaded>
    </>
  );
};
