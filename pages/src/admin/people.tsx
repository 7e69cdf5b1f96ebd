import { Button } from '../design/controls.tsx';
import { ACTS, Empty, Table } from '../design/display.tsx';
import { all, remove } from './api.ts';
import { Loaded, Outcome, useAct, useLoaded } from './loaded.tsx';
import { timeInWords } from './words.ts';

interface Person {
  personId: string;
  name: string;
  issuer?: string;
  subject: string;
  signedInAt?: string;
}

const FORGET = 'Their sessions end, name and subject are erased. Cases and the audit log keep the id.';

/** Operators and administrators who signed in or have a key: their sessions are ended here. */
export const People = () => {
  const people = useLoaded(() => all<Person>('/people'), []);
  const { running, message, done, act } = useAct();
  const end = (path: string, words: string): void =>
    act(async () => {
      const { ended } = await remove<{ ended: number }>(path);
      people.again();
      return `${words} ${ended === 1 ? '1 session was' : `${ended} sessions were`} ended.`;
    });
  const forget = ({ personId, name }: Person): void => {
    if (confirm(`Forget ${name}? ${FORGET}`)) end(`/people/${personId}`, 'Forgotten.');
  };
  return (
    <>
      <p class="help">
        Block a person at your issuer of OpenID Connect first: who can sign in there can sign in here again.
      </p>
      <Outcome message={message} done={done} />
      <Loaded state={people}>
        {(items) =>
          items.length === 0 ? (
            <Empty>Nobody has signed in, and no key names a person.</Empty>
          ) : (
            <Table
              caption="People"
              columns={['Name', 'Subject', 'Last signed in', 'Person id', ACTS]}
              rows={items.map((person) => [
                person.name,
                <>
                  {person.subject} {person.issuer && <small>{person.issuer}</small>}
                </>,
                person.signedInAt ? timeInWords(person.signedInAt) : 'never: named for a key',
                <code key="id" class="id">
                  {person.personId}
                </code>,
                <>
                  <Button disabled={running} onClick={() => end(`/people/${person.personId}/sessions`, '')}>
                    End sessions
                  </Button>
                  <Button tone="bad" disabled={running} onClick={() => forget(person)}>
                    Forget
                  </Button>
                </>,
              ])}
            />
          )
        }
      </Loaded>
    </>
  );
};
