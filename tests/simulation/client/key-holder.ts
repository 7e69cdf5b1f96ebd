import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../faults/random.ts';
import { createCall } from './call.ts';
import { createIdentity } from './identity-calls.ts';
import { SUBMITTED, submit } from './journeys.ts';
import type { Travelling } from './travelling.ts';

/** The work of a client whose key is made for it, and revoked when it has submitted. */
export interface KeyHolder {
  afterMs: number;
  submissions: (typeof SUBMITTED)[number][];
}

export const keyHolderOf = (random: Random): KeyHolder => ({
  afterMs: random.next() * 10_000,
  submissions: Array.from({ length: random.between(1, 3) }, () => random.pick(SUBMITTED)),
});

/** A gateway that did not hear of the revocation forgets a key after a second. */
const REMEMBERED_MS = 1000;
/** So often the client tries the revoked key. */
const TRIES = 4;

/** Has a key made, submits with it, has it revoked, and tries it again. */
export const travelWithOwnKey = async (
  travelling: Travelling,
  tenantId: string,
  { submissions }: KeyHolder,
): Promise<void> => {
  const { asAdministrator, ledger } = travelling;
  const at = `/admin/v1/tenants/${tenantId}/keys`;
  const made = await asAdministrator('POST', at, { json: { role: 'RELYING_SERVICE' } });
  if (!made) return;
  const { keyId, apiKey } = made.body;
  const credentials = { apikey: apiKey };
  const onForbidden = (what: string): void => void ledger.forbidden.push(`a new key: ${what}`);
  const own = { ...travelling, call: createCall({ credentials, onForbidden }) };
  const identityId = await createIdentity(own);
  if (identityId === undefined) return;
  await own.call('POST', `/svc/v1/identities/${identityId}/consents`, { json: [{ approved: true, type: 'GIV' }] });
  for (const one of submissions) await submit(own, identityId, one);
  await asAdministrator('DELETE', `${at}/${keyId}`);
  ledger.acts.push({ act: 'key.delete', id: keyId });
  const refused = createCall({ credentials, onForbidden, refusals: [401] });
  for (let tries = 0; tries < TRIES; tries += 1) {
    await pause(REMEMBERED_MS);
    if (await refused('GET', `/svc/v1/identities/${identityId}`)) ledger.forbidden.push('a revoked key is accepted');
  }
};
