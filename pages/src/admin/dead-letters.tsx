import { useState } from 'preact/hooks';
import { Button } from '../design/controls.tsx';
import { ACTS, Empty, Table, Title } from '../design/display.tsx';
import { get, type Page, post, remove } from './api.ts';
import { Loaded, Outcome, useAct, useLoaded } from './loaded.tsx';
import { timeInWords } from './words.ts';

interface Letter {
  messageId?: string;
  type?: string;
  identityId?: string;
  reason: string;
  firstFailedAt?: string;
}

const Letters = ({ queue, round }: { queue: string; round: number }) => {
  const letters = useLoaded(() => get<Page<Letter>>(`/dead-letters/${queue}`), [queue, round]);
  return (
    <>
      <h2>{queue}</h2>
      <Loaded state={letters}>
        {({ items }) => (
          <Table
            caption={`The oldest dead letters of ${queue}`}
            columns={['Message', 'Event', 'Identity', 'Reason', 'Failed first']}
            rows={items.map(({ messageId, type, identityId, reason, firstFailedAt }) => [
              messageId ?? '–',
              type ?? '–',
              identityId ?? '–',
              reason,
              timeInWords(firstFailedAt),
            ])}
          />
        )}
      </Loaded>
    </>
  );
};

/** Messages that were given up: looked at, handed out again, or removed. */
export const DeadLetters = () => {
  const queues = useLoaded(() => get<Page<{ queue: string; count: number }>>('/dead-letters'), []);
  const [open, setOpen] = useState('');
  const [round, setRound] = useState(0);
  const { running, message, done, act } = useAct();
  const then = async (words: string): Promise<string> => {
    queues.again();
    setRound((now) => now + 1);
    return words;
  };
  const replay = (queue: string): void =>
    act(async () =>
      then(`${(await post<{ replayed: number }>(`/dead-letters/${queue}/replay`)).replayed} handed out again.`),
    );
  const drop = (queue: string): void => {
    if (!confirm(`Remove the dead letters of ${queue}? They are lost for good.`)) return;
    act(async () => then(`${(await remove<{ removed: number }>(`/dead-letters/${queue}`)).removed} removed.`));
  };
  return (
    <>
      <Title acts={<Button onClick={queues.again}>Refresh</Button>}>Dead letters</Title>
      <p class="lead">
        Messages between the services that failed every attempt. Mend the cause, then replay them; nothing is done
        twice.
      </p>
      <Outcome message={message} done={done} />
      <Loaded state={queues}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty>No message was given up: there is nothing to do here.</Empty>
          ) : (
            <Table
              caption="Queues with dead letters"
              columns={['Queue', 'Messages', ACTS]}
              rows={items.map(({ queue, count }) => [
                queue,
                String(count),
                <>
                  <Button onClick={() => setOpen(queue)}>Show</Button>
                  <Button disabled={running} onClick={() => replay(queue)}>
                    Replay
                  </Button>
                  <Button tone="bad" disabled={running} onClick={() => drop(queue)}>
                    Remove
                  </Button>
                </>,
              ])}
            />
          )
        }
      </Loaded>
      {queues.value?.items.some(({ queue }) => queue === open) && <Letters key={open} queue={open} round={round} />}
    </>
  );
};
