import { useState } from 'preact/hooks';
import { Button } from '../design/controls.tsx';
import { Note } from '../design/display.tsx';
import { get, post } from './api.ts';
import { DeliveryLog } from './deliveries.tsx';
import { Loaded, Outcome, useAct, useLoaded } from './loaded.tsx';
import { type Tenant, TenantSettings } from './settings.tsx';
import { timeInWords } from './words.ts';

interface Health {
  enabled: boolean;
  goneAt?: string;
  disabledAt?: string;
  consecutiveFailures: number;
  lastSuccessAt?: string;
  lastFailureAt?: string;
  lastError?: string;
}
interface Tried {
  statusCode?: number;
  error?: string;
  durationMs: number;
}

/** How sending has been going, in a sentence, and what to do. */
const Going = ({ health }: { health: Health }) => {
  const {
    enabled,
    consecutiveFailures: failures,
    lastSuccessAt,
    lastFailureAt,
    lastError,
    goneAt,
    disabledAt,
  } = health;
  if (goneAt)
    return (
      <Note tone="bad">
        <strong>Nothing is sent.</strong> The receiver answered 410 at {timeInWords(goneAt)}: it wants no more. Set
        Enabled to yes and save to go on.
      </Note>
    );
  if (!enabled && !disabledAt)
    return (
      <Note tone="bad">
        <strong>Nothing is sent: an administrator turned this webhook off.</strong> What is evaluated meanwhile is not
        sent later either. Set Enabled to yes and save to go on.
      </Note>
    );
  if (!enabled)
    return (
      <Note tone="bad">
        <strong>Nothing is sent: this webhook is off.</strong> Mend the receiver, set Enabled to yes and save; then send
        what failed again.
      </Note>
    );
  if (failures > 0)
    return (
      <Note tone="bad">
        <strong>Notifications do not arrive.</strong>{' '}
        {failures === 1 ? 'The last attempt' : `The last ${failures} attempts`} failed, the newest at{' '}
        {timeInWords(lastFailureAt)}
        {lastError && (
          <>
            {' '}
            (<code>{lastError}</code>)
          </>
        )}
        . {lastSuccessAt ? `The last success was at ${timeInWords(lastSuccessAt)}.` : 'None has succeeded yet.'} Mend
        the receiver or its address, test it, then send what failed again.
      </Note>
    );
  return lastSuccessAt ? (
    <Note tone="good">
      <strong>Notifications arrive.</strong> The last at {timeInWords(lastSuccessAt)}.
    </Note>
  ) : (
    <Note>No notification was sent yet. Send a test to see whether the receiver answers.</Note>
  );
};

const HealthOf = ({ tenantId, reads, onTested }: { tenantId: string; reads: number; onTested: () => void }) => {
  const health = useLoaded(() => get<Health>(`/tenants/${tenantId}/endpoint`), [tenantId, reads]);
  const { running, message, done, act } = useAct();
  const test = (): void =>
    act(async () => {
      const { statusCode, error, durationMs } = await post<Tried>(`/tenants/${tenantId}/endpoint/test`);
      health.again();
      onTested();
      return `The receiver ${statusCode ? `answered ${statusCode}` : `was not reached (${error})`} after ${durationMs} ms.`;
    });
  return (
    <>
      <Loaded state={health}>{(found) => <Going health={found} />}</Loaded>
      <p class="bar">
        <Button disabled={running} onClick={test}>
          Send a test notification
        </Button>
      </p>
      <Outcome message={message} done={done} />
    </>
  );
};

const isOfWebhook = (path: string): boolean => path.startsWith('webhook.');

/** Where a tenant's notifications go, how that has been going, and each of them. */
export const Webhook = ({ tenant, onSaved }: { tenant: Tenant; onSaved: (tenant: Tenant) => void }) => {
  const [tests, setTests] = useState(0);
  const [reads, setReads] = useState(0);
  const { tenantId, settings } = tenant;
  return (
    <>
      {settings.webhook ? (
        <HealthOf
          key={JSON.stringify(settings.webhook)}
          tenantId={tenantId}
          reads={reads}
          onTested={() => setTests((count) => count + 1)}
        />
      ) : (
        <Note>This tenant has no webhook. Give an address below, and it gets every result.</Note>
      )}
      <TenantSettings tenant={tenant} only={isOfWebhook} onSaved={onSaved} />
      <DeliveryLog tenantId={tenantId} tests={tests} onRead={() => setReads((count) => count + 1)} />
    </>
  );
};
