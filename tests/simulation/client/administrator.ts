import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../faults/random.ts';
import { HOOKS, type Outsiders } from '../suite/outsiders.ts';
import type { createCall } from './call.ts';

/**
 * What happens to a tenant's webhook: it moves to another address, or its receiver answers 410
 * until the administrator sets it anew.
 */
export interface HookChange {
  afterMs: number;
  how: 'MOVES' | 'ANSWERS_410';
}

export const hookChangesOf = (random: Random): HookChange[] =>
  Array.from({ length: random.between(1, 3) }, () => ({
    afterMs: random.next() * 8000,
    how: random.pick(['MOVES', 'ANSWERS_410'] as const),
  }));

interface Administrator {
  call: ReturnType<typeof createCall>;
  outsiders: Outsiders;
  tenantId: string;
  now(): number;
}

const LOOKS_EVERY_MS = 2000;
/** An administrator who found nothing to do looks less often. */
const LONGEST_PAUSE_MS = 16_000;
/** After so many looks the receiver answers again, also where no webhook has met a 410. */
const LOOKS_WHILE_410 = 10;
const LONG_AGO = '2000-01-01T00:00:00.000';

const isEnabled = async ({ call, tenantId }: Administrator): Promise<boolean> =>
  (await call('GET', `/admin/v1/tenants/${tenantId}`))?.body.settings.webhook.enabled !== false;

const setHook = ({ call, tenantId }: Administrator, webhook: object) =>
  call('PATCH', `/admin/v1/tenants/${tenantId}`, { json: { settings: { webhook } } });

const change = async (administrator: Administrator, how: HookChange['how']): Promise<void> => {
  const { outsiders } = administrator;
  if (how === 'ANSWERS_410') {
    outsiders.answers410 = true;
    for (let looks = 0; looks < LOOKS_WHILE_410 && (await isEnabled(administrator)); looks += 1)
      await pause(LOOKS_EVERY_MS);
    outsiders.answers410 = false;
    await setHook(administrator, { enabled: true });
    return;
  }
  const url = HOOKS.find((one) => one !== outsiders.hook.url) ?? HOOKS[0];
  // Until it is answered, either address is right.
  outsiders.hook = { url, since: Number.POSITIVE_INFINITY };
  await setHook(administrator, { url });
  outsiders.hook = { url, since: administrator.now() };
};

/**
 * Makes the changes of a webhook. Then watches it without end: sets it anew where it is disabled,
 * and has what failed sent again.
 */
export const administrate = async (administrator: Administrator, changes: readonly HookChange[]): Promise<never> => {
  const { call, tenantId } = administrator;
  for (const { afterMs, how } of changes) {
    await pause(afterMs);
    await change(administrator, how);
  }
  for (let pauseMs = LOOKS_EVERY_MS; ; ) {
    const mustSet = !(await isEnabled(administrator));
    if (mustSet) await setHook(administrator, { enabled: true });
    const sent = await call('POST', `/admin/v1/tenants/${tenantId}/deliveries/recover`, { json: { since: LONG_AGO } });
    const isIdle = !mustSet && sent?.body.recovered === 0;
    pauseMs = isIdle ? Math.min(LONGEST_PAUSE_MS, pauseMs * 2) : LOOKS_EVERY_MS;
    await pause(pauseMs);
  }
};
