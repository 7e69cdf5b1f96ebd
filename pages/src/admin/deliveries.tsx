import type { Deliveries, Delivery, Recovered } from '@assay/contracts/administration';
import { useState } from 'preact/hooks';
import { Button, Field, Select } from '../design/controls.tsx';
import { ACTS, Badge, Empty, Table } from '../design/display.tsx';
import { addressOf } from './address.ts';
import { get, post, withQuery } from './api.ts';
import { Loaded, Outcome, Pages, useAct, useLoaded, usePages } from './loaded.tsx';
import { TimeField, timeOnWire } from './time-field.tsx';
import { timeInWords } from './words.ts';

const TONES = { PENDING: 'warn', DELIVERED: 'good', FAILED: 'bad' } as const;
const STATES = [
  ['', 'any'],
  ['PENDING', 'pending'],
  ['DELIVERED', 'delivered'],
  ['FAILED', 'failed'],
] as const;

const attemptInWords = ({ at, statusCode, error }: Delivery['attempts'][number]): string =>
  `${timeInWords(at)}: ${statusCode ?? ''} ${error ?? ''}`.trim();

/** Each attempt of a delivery, folded away. */
export const Attempts = ({ attempts }: Pick<Delivery, 'attempts'>) =>
  attempts.length === 0 ? (
    <span>none yet</span>
  ) : (
    <details>
      <summary>{attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`}</summary>
      <ol class="changes">
        {attempts.map((attempt) => (
          <li key={attempt.at}>
            {attemptInWords(attempt)}
            {attempt.bodySha256 && (
              <>
                {', body SHA-256 '}
                <code class="digest path">{attempt.bodySha256}</code>
              </>
            )}
          </li>
        ))}
      </ol>
    </details>
  );

export const DeliveryState = ({ state }: Pick<Delivery, 'state'>) => (
  <Badge tone={TONES[state]}>{state.toLowerCase()}</Badge>
);

/** Sends a delivery again: the same bytes under the same webhook-id. */
export const resend = async (tenantId: string, deliveryId: string): Promise<string> => {
  await post(`/tenants/${tenantId}/deliveries/${deliveryId}/resend`);
  return 'Queued: the same bytes are sent again.';
};

const recoveredInWords = (count: number): string => {
  if (count === 0) return 'Nothing has failed since then.';
  return `${count === 1 ? '1 notification is' : `${count} notifications are`} sent again: the same bytes, the oldest first.`;
};

/** Sends everything again that failed since a time, for a receiver that was away. */
const Recover = ({ tenantId, onDone }: { tenantId: string; onDone: () => void }) => {
  const [since, setSince] = useState('');
  const { running, message, done, act } = useAct();
  const recover = (event: SubmitEvent): void => {
    event.preventDefault();
    act(async () => {
      const body = { since: timeOnWire(since) };
      const { recovered } = await post<Recovered>(`/tenants/${tenantId}/deliveries/recover`, body);
      onDone();
      return recoveredInWords(recovered);
    });
  };
  return (
    <form onSubmit={recover}>
      <div class="bar">
        <TimeField label="Failed since" required value={since} onTime={setSince} />
        <Button type="submit" disabled={running}>
          Send all again
        </Button>
      </div>
      <Outcome message={message} done={done} />
    </form>
  );
};

const OfIdentity = ({ tenantId, delivery }: { tenantId: string; delivery: Delivery }) =>
  delivery.test ? (
    <>none: a test</>
  ) : (
    <a href={addressOf('tenants', tenantId, 'identities', delivery.identityId)}>
      <code class="id">{delivery.identityId}</code>
    </a>
  );

interface DeliveryTableProps {
  tenantId: string;
  items: readonly Delivery[];
  running: boolean;
  onAgain: (deliveryId: string) => void;
}

const DeliveryTable = ({ tenantId, items, running, onAgain }: DeliveryTableProps) => (
  <Table
    caption="Deliveries, the newest first"
    columns={['Notification', 'Identity', 'State', 'Made', 'Attempts', ACTS]}
    rows={items.map((each) => [
      each.event,
      <OfIdentity key="identity" tenantId={tenantId} delivery={each} />,
      <DeliveryState key="state" state={each.state} />,
      timeInWords(each.createdAt),
      <Attempts key="attempts" attempts={each.attempts} />,
      <Button key="act" disabled={running} onClick={() => onAgain(each.deliveryId)}>
        Resend
      </Button>,
    ])}
  />
);

interface DeliveryLogProps {
  tenantId: string;
  tests: number;
  /** Called when the log is read again: how sending has been going may be another by now. */
  onRead: () => void;
}

/** The delivery log of a tenant's webhook; it is read again after each test. */
export const DeliveryLog = ({ tenantId, tests, onRead }: DeliveryLogProps) => {
  const [state, setState] = useState('');
  const [identityId, setIdentityId] = useState('');
  const pages = usePages();
  const path = `/tenants/${tenantId}/deliveries`;
  const log = useLoaded(
    () => get<Deliveries>(withQuery(path, { state, identityId, cursor: pages.cursor, limit: '50' })),
    [path, state, identityId, tests, pages.cursor],
  );
  const { running, message, done, act } = useAct();
  /** Another choice begins at the newest. */
  const newest =
    (choose: (value: string) => void) =>
    (value: string): void => {
      pages.first();
      choose(value);
    };
  const read = (): void => {
    log.again();
    onRead();
  };
  const again = (deliveryId: string): void =>
    act(async () => {
      const words = await resend(tenantId, deliveryId);
      read();
      return words;
    });
  return (
    <>
      <h2>Deliveries</h2>
      <div class="bar">
        <Select label="State" value={state} options={STATES} onSelect={newest(setState)} />
        <Field label="Identity">
          <input
            value={identityId}
            onChange={({ currentTarget }) => newest(setIdentityId)(currentTarget.value.trim())}
          />
        </Field>
        <Button onClick={read}>Refresh</Button>
      </div>
      <details class="more">
        <summary>Send everything that failed again</summary>
        <Recover tenantId={tenantId} onDone={read} />
      </details>
      <Outcome message={message} done={done} />
      <Loaded state={log}>
        {({ items, cursor }) =>
          items.length === 0 ? (
            <Empty>{state || identityId ? 'No notification is like that.' : 'Nothing was sent yet.'}</Empty>
          ) : (
            <>
              <DeliveryTable tenantId={tenantId} items={items} running={running} onAgain={again} />
              <Pages pages={pages} next={cursor} />
            </>
          )
        }
      </Loaded>
    </>
  );
};
