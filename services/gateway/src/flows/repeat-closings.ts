import type { Bus } from '@assay/bus';
import { formatDateTime, identityClosed, present } from '@assay/contracts';
import { createRepeat, outboxEntry } from '@assay/mongo';
import { type Clock, type Log, newId } from '@assay/runtime';
import type { Identity } from '../domain/identity.ts';
import type { Identities } from '../store/identities.ts';
import type { IdentityKeys } from '../store/identity-keys.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Until the tombstone is forgotten, or for so long. */
const GAPS_MS = [10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS, 3 * DAY_MS, 7 * DAY_MS, 7 * DAY_MS, 7 * DAY_MS];

export interface Deps {
  identities: Identities;
  keys: Pick<IdentityKeys, 'destroy'>;
  rabbitmq: Pick<Bus, 'publish'>;
  now: Clock;
  log: Log;
}

/** What tells every service once more that an identity is closed. */
const closingOf = ({ _id, tenantId, closing, closedAt, forgetAt, proof }: Identity, now: Date) =>
  closing && closedAt && forgetAt
    ? [
        outboxEntry(identityClosed, {
          id: newId(),
          tenantId,
          identityId: _id,
          at: now,
          data: {
            reason: closing.reason,
            closedAt: formatDateTime(closedAt),
            forgetAt: formatDateTime(forgetAt),
            ...present({ proofId: proof?.proofId }),
          },
        }),
      ]
    : [];

/**
 * Announces closings again, with growing gaps: no service may hold anything of a closed identity
 * because its queue lost the event. Its key is destroyed again as well: a creation that its own
 * repetition overtook may have stored one while the identity was being closed.
 */
export const createRepeatClosings = ({ identities, keys, rabbitmq, now, log }: Deps) =>
  createRepeat<Identity>({
    model: identities.model,
    bus: rabbitmq,
    eventsOf: (identity) => closingOf(identity, now()),
    again: ({ _id: identityId, tenantId }) => keys.destroy({ tenantId, identityId }),
    gapsMs: GAPS_MS,
    now,
    log,
  });
