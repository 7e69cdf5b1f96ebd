import type { Deliveries, Delivery, Recovered } from '@assay/contracts/administration';
import { useState } from 'preact/hooks';
import { Button, Field, Select } from '../design/controls.tsx';
import { ACTS, Badge, Empty, Table } from '../design/display.tsx';
import { addressOf } from './address.ts';
import { get, post, withQuery } from './api.ts';
import { Loaded, Outcome, useAct, useLoaded } from './loaded.tsx';
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
      // The field has no zone, the wire is in UTC and says none.
      const body = { since: new Date(`${since}Z`).toISOString().slice(0, -1) };
      const { recovered } = await post<Recovered>(`/tenants/${tenantId}/deliveries/recover`, body);
      onDone();
      return recoveredInWords(recovered);
    });
  };
  return (
    <form onSubmit={recover}>
      <div class="bar">
        <Field label="Failed since (UTC)">
          <input
            type="datetime-local"
            required
            value={since}
            onInput={({ currentTarget }) => setSince(currentTarget.value)}
          />
        </Field>
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

/** The delivery log of a tenant's webhook; it is read again after each test. */
export const DeliveryLog = ({ tenantId, tests }: { tenantId: string; tests: number }) => {
  const [state, setState] = useState('');
  const [identityId, setIdentityId] = useState('');
  const log = useLoaded(
    () => get<Deliveries>(withQuery(`/tenants/${tenantId}/deliveries`, { state, identityId, limit: '50' })),
    [tenantId, state, identityId, tests],
  );
  const { running, message, done, act } = useAct();
  const again = (deliveryId: string): void =>
    act(async () => {
      const words = await resend(tenantId, deliveryId);
      log.again();
      return words;
    });
  return (
    <>
      <h2>Deliveries</h2>
      <div class="bar">
        <Select label="State" value={state} options={STATES} onSelect={setState} />
        <Field label="Identity">
          <input value={identityId} onChange={({ currentTarget }) => setIdentityId(currentTarget.value.trim())} />
        </Field>
        <Button onClick={log.again}>Refresh</Button>
      </div>
      <details class="more">
        <summary>Send everything that failed again</summary>
        <Recover tenantId={tenantId} onDone={log.again} />
      </details>
      <Outcome message={message} done={done} />
      <Loaded state={log}>
        {({ items, cursor }) =>
          items.length === 0 ? (
            <Empty>{state || identityId ? 'No notification is like that.' : 'Nothing was sent yet.'}</Empty>
          ) : (
            <>
              <Table
                caption="Deliveries, the newest first"
                columns={['Notification', 'Identity', 'State', 'Made', 'Attempts', ACTS]}
                rows={items.map((each) => [
                  each.event,
                  <OfIdentity key="identity" tenantId={tenantId} delivery={each} />,
                  <DeliveryState key="state" state={each.state} />,
                  timeInWords(each.createdAt),
                  <Attempts key="attempts" attempts={each.attempts} />,
                  <Button key="act" disabled={running} onClick={() => again(each.deliveryId)}>
                    Resend
                  </Button>,
                ])}
              />
              {cursor && <p class="help">Only the newest 50 are shown; name an identity for older ones.</p>}
            </>
          )
        }
      </Loaded>
    </>
  );
};
