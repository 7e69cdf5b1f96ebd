import { useState } from 'preact/hooks';
import { Button } from '../design/controls.tsx';
import { Empty, Note, Table } from '../design/display.tsx';
import { get, type Page, withQuery } from './api.ts';
import { Loaded, Outcome, useAct, useLoaded } from './loaded.tsx';
import { timeInWords } from './words.ts';

interface Entry {
  seq: number;
  at: string;
  content?: {
    act: string;
    actor: { keyId: string; role: string };
    subject: Record<string, string>;
    details?: Record<string, string | number>;
  };
}
interface Verification {
  entries: number;
  ok: boolean;
  fault?: { seq: number; fault: string };
}

const pairs = (details: Record<string, string | number> | undefined): string =>
  Object.entries(details ?? {})
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

/** A chain of the audit log, oldest first, and whether it holds. */
export const Audit = ({ path }: { path: string }) => {
  const [cursors, setCursors] = useState<string[]>([]);
  const [verified, setVerified] = useState<Verification>();
  const entries = useLoaded(() => get<Page<Entry>>(withQuery(path, { cursor: cursors.at(-1) })), [path, cursors]);
  const { running, message, done, act } = useAct();
  const verify = (): void =>
    act(async () => {
      setVerified(await get<Verification>(`${path}/verification`));
      return '';
    });
  return (
    <>
      <Button disabled={running} onClick={verify}>
        Verify the whole chain
      </Button>
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
      <Loaded state={entries}>
        {({ items, cursor }) => (
          <>
            {items.length === 0 && <Empty>No entry.</Empty>}
            {items.length > 0 && (
              <Table
                caption="Audit log, oldest first"
                columns={['Entry', 'At', 'Act', 'By', 'Upon']}
                rows={items.map(({ seq, at, content }) => [
                  String(seq),
                  timeInWords(at),
                  `${content?.act ?? 'erased'} ${pairs(content?.details)}`,
                  content ? `${content.actor.role} ${content.actor.keyId}` : '–',
                  pairs(content?.subject),
                ])}
              />
            )}
            <p class="bar">
              {cursors.length > 0 && <Button onClick={() => setCursors(cursors.slice(0, -1))}>Older</Button>}
              {cursor && <Button onClick={() => setCursors([...cursors, cursor])}>Newer</Button>}
            </p>
          </>
        )}
      </Loaded>
    </>
  );
};
