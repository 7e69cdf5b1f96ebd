import type { SigningKeysReply } from '@assay/contracts/signing-keys';
import { serviceNow } from '../design/clock.ts';
import { Button } from '../design/controls.tsx';
import { Badge, Empty, Table } from '../design/display.tsx';
import { get, post } from './api.ts';
import { Loaded, Outcome, useAct, useLoaded } from './loaded.tsx';
import { timeInWords } from './words.ts';

type Key = SigningKeysReply['keys'][number];

const StateOf = ({ signs, signsFrom }: Key) => {
  if (signs) return <Badge tone="good">signs now</Badge>;
  const isNext = signsFrom !== undefined && Date.parse(`${signsFrom}Z`) > serviceNow();
  return isNext ? <>signs from {timeInWords(signsFrom)}</> : <>verifies what it signed</>;
};

const LEAKED =
  'Has the private key leaked? The new key signs at once, and the private halves of all others are destroyed. ' +
  'Whoever verifies must load the published keys again.';

/** The keys that sign proofs and receipts: the next one is made here. */
export const SigningKeys = () => {
  const keys = useLoaded(() => get<SigningKeysReply>('/signing-keys'), []);
  const { running, message, done, act } = useAct();
  const rotate = (atOnce: boolean): void => {
    if (atOnce && !confirm(LEAKED)) return;
    act(async () => {
      await post('/signing-keys/rotations', { atOnce });
      keys.again();
      return atOnce ? 'A new key signs.' : 'The next key is published; it signs once verifiers had time to load it.';
    });
  };
  return (
    <>
      <p class="help">
        They sign proofs, deletion receipts and the heads of the audit log. The public halves are at{' '}
        <a href="/.well-known/jwks.json">/.well-known/jwks.json</a>; a key that no longer signs stays there.
      </p>
      <p class="bar">
        <Button tone="primary" disabled={running} onClick={() => rotate(false)}>
          Make the next key
        </Button>
        <Button tone="bad" disabled={running} onClick={() => rotate(true)}>
          Replace a leaked key at once
        </Button>
      </p>
      <Outcome message={message} done={done} />
      <Loaded state={keys}>
        {({ keys: items }) =>
          items.length === 0 ? (
            <Empty>No key yet.</Empty>
          ) : (
            <Table
              caption="Signing keys, the newest first"
              columns={['Key id', 'State', 'Made']}
              rows={items.map((key) => [
                <code key="kid" class="id">
                  {key.kid}
                </code>,
                <StateOf key="state" {...key} />,
                timeInWords(key.createdAt),
              ])}
            />
          )
        }
      </Loaded>
    </>
  );
};
