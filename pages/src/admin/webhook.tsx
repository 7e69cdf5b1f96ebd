import { Button } from '../design/controls.tsx';
import { Badge, Note } from '../design/display.tsx';
import { get, post } from './api.ts';
import { DeliveryLog } from './deliveries.tsx';
import { Loaded, Outcome, useAct, useLoaded } from './loaded.tsx';
import { type Tenant, TenantSettings } from './settings.tsx';
import { timeInWords } from './words.ts';

interface Health {
  enabled: boolean;
  goneAt?: string;
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

const HealthOf = ({ tenantId }: { tenantId: string }) => {
  const health = useLoaded(() => get<Health>(`/tenants/${tenantId}/endpoint`), [tenantId]);
  const { running, message, done, act } = useAct();
  const test = (): void =>
    act(async () => {
      const { statusCode, error, durationMs } = await post<Tried>(`/tenants/${tenantId}/endpoint/test`);
      health.again();
      return `The receiver ${statusCode ? `answered ${statusCode}` : `was not reached (${error})`} after ${durationMs} ms.`;
    });
  return (
    <>
      <Loaded state={health}>
        {({ enabled, consecutiveFailures: failures, lastSuccessAt, lastFailureAt, lastError, goneAt }) => (
          <>
            <p>
              <Badge tone={enabled ? 'good' : 'bad'}>{enabled ? 'enabled' : 'disabled'}</Badge>{' '}
              {failures > 0 && <Badge tone="warn">{failures} failures in a row</Badge>}
            </p>
            {goneAt && (
              <Note tone="bad">The receiver answered 410 at {timeInWords(goneAt)}. Save it again to go on.</Note>
            )}
            <p class="help">
              Last success {timeInWords(lastSuccessAt)}; last failure {timeInWords(lastFailureAt)}
              {lastError && ` (${lastError})`}.
            </p>
          </>
        )}
      </Loaded>
      <Button disabled={running} onClick={test}>
        Send a test notification
      </Button>
      <Outcome message={message} done={done} />
    </>
  );
};

/** Where a tenant's notifications go, how that has been going, and each of them. */
export const Webhook = ({ tenant, onSaved }: { tenant: Tenant; onSaved: () => void }) => (
  <>
    {tenant.settings.webhook ? <HealthOf tenantId={tenant.tenantId} /> : <Note>This tenant has no webhook.</Note>}
    <h2>Where notifications go</h2>
    <TenantSettings tenant={tenant} only={(path) => path.startsWith('webhook.')} onSaved={onSaved} />
    <DeliveryLog tenantId={tenant.tenantId} />
  </>
);
