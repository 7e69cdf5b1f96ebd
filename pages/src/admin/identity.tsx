import type { Delivery, Timeline, TimelineItem } from '@assay/contracts/administration';
import { plainWords } from '@assay/contracts/words';
import { Button } from '../design/controls.tsx';
import { Card } from '../design/display.tsx';
import { addressOf } from './address.ts';
import { download, get, remove } from './api.ts';
import { Attempts, DeliveryState, resend } from './deliveries.tsx';
import { Standing } from './identities.tsx';
import { Loaded, Outcome, useAct, useLoaded } from './loaded.tsx';
import { timeInWords } from './words.ts';

const KINDS = { EVENT: 'event', EVALUATION: 'evaluation', DELIVERY: 'notification', ACT: 'act of a person' } as const;

const valueInWords = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(valueInWords).join('; ');
  if (typeof value === 'object' && value !== null)
    return Object.values(value)
      .filter((inner) => inner !== undefined && !/^[\w-]{20,}$/.test(String(inner)) && String(inner) !== '')
      .map(valueInWords)
      .join(' ');
  return String(value);
};

/** What an item says, as name and value, in one line. */
const Details = ({ details }: Pick<TimelineItem, 'details'>) => (
  <small>
    {Object.entries(details)
      .map(([name, value]) => `${name} ${valueInWords(value)}`)
      .join(', ')}
  </small>
);

const nameOf = ({ kind, type }: TimelineItem): string =>
  kind === 'DELIVERY' ? type : plainWords(type.replaceAll(/[.-]/g, '_'));

interface ItemProps {
  item: TimelineItem;
  busy: boolean;
  onResend: (deliveryId: string) => void;
}

const Item = ({ item, busy, onResend }: ItemProps) => {
  const delivery = item.details as unknown as Pick<Delivery, 'deliveryId' | 'state' | 'attempts'>;
  return (
    <li class={item.kind.toLowerCase()}>
      <strong>{nameOf(item)}</strong> <small>{KINDS[item.kind]}</small>
      <br />
      <time dateTime={`${item.at}Z`}>{timeInWords(item.at)}</time>{' '}
      {item.kind === 'DELIVERY' ? (
        <>
          <DeliveryState state={delivery.state} /> <Attempts attempts={delivery.attempts} />
          <Button disabled={busy} onClick={() => onResend(delivery.deliveryId)}>
            Resend
          </Button>
        </>
      ) : (
        <Details details={item.details} />
      )}
    </li>
  );
};

const Facts = ({ identity }: Pick<Timeline, 'identity'>) => (
  <Card>
    <p>
      <Standing status={identity.status} reason={identity.reason} /> <strong>{identity.levelOfAssurance}</strong> under
      policy {identity.policy}
    </p>
    <p class="help">
      Created {timeInWords(identity.createdAt)},{' '}
      {identity.closedAt ? `closed ${timeInWords(identity.closedAt)}` : `ends ${timeInWords(identity.expiresAt)}`}.
    </p>
    <ul class="changes">
      {identity.evidences.map(({ evidenceId, type, status }) => (
        <li key={evidenceId}>
          {plainWords(type)}: {plainWords(status).toLowerCase()}
        </li>
      ))}
    </ul>
  </Card>
);

interface Named {
  tenantId: string;
  identityId: string;
}

/** What can be done to an identity; `changed` is called once it was. */
const useActs = ({ tenantId, identityId }: Named, changed: () => void) => {
  const path = `/tenants/${tenantId}/identities/${identityId}`;
  const { running, message, done, act } = useAct();
  const then = (work: () => Promise<unknown>, words: string): void =>
    act(async () => {
      await work();
      changed();
      return words;
    });
  return {
    running,
    message,
    done,
    again: (deliveryId: string): void =>
      then(() => resend(tenantId, deliveryId), 'Queued: the same bytes are sent again.'),
    purge: (): void => {
      if (!confirm('Purge this identity? Everything gathered for it is erased, for good.')) return;
      then(() => remove(path), 'The identity is closed and its key destroyed.');
    },
    save: (): void =>
      then(
        () => download(`${path}/export`, `${identityId}.json`),
        'The export was saved; the audit log has a line of it.',
      ),
  };
};

/** One identity: what happened to it, its notifications to send again, its export and its end. */
export const Identity = ({ tenantId, identityId }: Named) => {
  const path = `/tenants/${tenantId}/identities/${identityId}/timeline`;
  const timeline = useLoaded(() => get<Timeline>(path), [path]);
  const { running, message, done, again, purge, save } = useActs({ tenantId, identityId }, timeline.again);
  return (
    <>
      <p>
        <a href={addressOf('tenants', tenantId)}>All identities</a>
      </p>
      <h2>
        Identity <code>{identityId}</code>
      </h2>
      <Loaded state={timeline}>
        {({ identity, items }) => (
          <>
            <Facts identity={identity} />
            <p class="bar">
              <Button onClick={timeline.again}>Refresh</Button>
              {identity.status !== 'CLOSED' && (
                <>
                  <Button disabled={running} onClick={save}>
                    Export what is stored of the person
                  </Button>
                  <Button tone="bad" disabled={running} onClick={purge}>
                    Purge
                  </Button>
                </>
              )}
            </p>
            <Outcome message={message} done={done} />
            <h2>What happened</h2>
            <ol class="timeline">
              {items.map((item, at) => (
                <Item key={at} item={item} busy={running} onResend={again} />
              ))}
            </ol>
          </>
        )}
      </Loaded>
    </>
  );
};
