import type { Delivery, Timeline, TimelineItem } from '@assay/contracts/administration';
import { plainWords } from '@assay/contracts/words';
import { useState } from 'preact/hooks';
import { Button } from '../design/controls.tsx';
import { Card, Facts } from '../design/display.tsx';
import { addressOf } from './address.ts';
import { download, get, remove } from './api.ts';
import { Attempts, DeliveryState, resend } from './deliveries.tsx';
import { IdentityStatus } from './identities.tsx';
import { Loaded, Outcome, useAct, useLoaded } from './loaded.tsx';
import { isCall, nameOf, saidBy } from './timeline-words.ts';
import { statusInWords, timeInWords } from './words.ts';

interface ItemProps {
  item: TimelineItem;
  busy: boolean;
  onResend: (deliveryId: string) => void;
}

const Item = ({ item, busy, onResend }: ItemProps) => {
  const delivery = item.details as unknown as Pick<Delivery, 'deliveryId' | 'state' | 'attempts'>;
  const isDelivery = item.kind === 'DELIVERY';
  return (
    <li>
      <time dateTime={`${item.at}Z`}>{timeInWords(item.at)}</time>
      <div>
        <strong>{nameOf(item)}</strong>{' '}
        {isDelivery ? (
          <>
            <DeliveryState state={delivery.state} />
            <Attempts attempts={delivery.attempts} />
          </>
        ) : (
          <span class="help">{saidBy(item)}</span>
        )}
      </div>
      {isDelivery && (
        <Button disabled={busy} onClick={() => onResend(delivery.deliveryId)}>
          Resend
        </Button>
      )}
    </li>
  );
};

const FactsOf = ({ identity }: Pick<Timeline, 'identity'>) => (
  <Card>
    <Facts
      items={[
        ['Status', <IdentityStatus key="status" status={identity.status} reason={identity.reason} />],
        ['Level of assurance', <strong key="level">{identity.levelOfAssurance}</strong>],
        ['Policy', identity.policy],
        ['Begun', timeInWords(identity.createdAt)],
        identity.closedAt ? ['Closed', timeInWords(identity.closedAt)] : ['Ends', timeInWords(identity.expiresAt)],
        [
          'Evidence',
          <ul key="evidence" class="plain-list">
            {identity.evidences.length === 0 && <li>none yet</li>}
            {identity.evidences.map(({ evidenceId, type, status }) => (
              <li key={evidenceId}>
                {plainWords(type)}: {statusInWords(status)}
              </li>
            ))}
          </ul>,
        ],
      ]}
    />
  </Card>
);

interface HappenedProps {
  items: Timeline['items'];
  busy: boolean;
  onResend: (deliveryId: string) => void;
}

/** The timeline; calls only when asked for, as events tell of most of them. */
const Happened = ({ items, busy, onResend }: HappenedProps) => {
  const [calls, setCalls] = useState(false);
  return (
    <>
      <div class="title">
        <h2>What happened</h2>
        <label class="check">
          <input type="checkbox" checked={calls} onChange={({ currentTarget }) => setCalls(currentTarget.checked)} />
          <span>Show API calls</span>
        </label>
      </div>
      <ol class="timeline">
        {items
          .filter((item) => calls || !isCall(item))
          .map((item, at) => (
            <Item key={at} item={item} busy={busy} onResend={onResend} />
          ))}
      </ol>
    </>
  );
};

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
      <p class="path">
        <a href={addressOf('tenants', tenantId)}>All identities</a>
      </p>
      <h2>
        Identity <code>{identityId}</code>
      </h2>
      <Loaded state={timeline}>
        {({ identity, items }) => (
          <>
            <FactsOf identity={identity} />
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
            <Happened items={items} busy={running} onResend={again} />
          </>
        )}
      </Loaded>
    </>
  );
};
