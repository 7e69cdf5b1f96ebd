import { setTimeout as pause } from 'node:timers/promises';
import { RetryLater } from '@assay/bus';
import type { DataOf, Envelope, evidenceSubmitted } from '@assay/contracts';
import type { Clock } from '@assay/runtime';
import { takeIn } from '../domain/submissions.ts';
import { isReserved, whyNotReadable } from '../domain/transaction.ts';
import type { Identities } from '../store/identities.ts';
import { ofKnownIdentity } from './known-identity.ts';

type Event = Envelope<DataOf<typeof evidenceSubmitted>>;
type Outcome = 'done' | 'reserved' | 'proving';

/** Pauses while the request that submitted the evidence still runs, in milliseconds. */
const PAUSES_MS = [50, 100, 350];

/**
 * evidence.submitted: adds the evidence to the read model if the request that submitted it died
 * before it did, and lets a live capture session that has ended replace the former portrait. A
 * request that still runs is waited for: two changes at once would cost a second read and write.
 * While a proof is built nothing is added: the event is retried, in case the proof fails.
 */
export const onEvidenceSubmitted = ({ identities, now }: { identities: Identities; now: Clock }) => {
  const enter = async ({ identityId, data }: Event, isPatient: boolean): Promise<Outcome> => {
    const at = now();
    let outcome: Outcome = 'done';
    await ofKnownIdentity(
      identities.change(
        identityId,
        (identity) => {
          outcome = isPatient && isReserved(identity, data.evidenceId, at) ? 'reserved' : 'done';
          if (outcome === 'reserved' || whyNotReadable(identity)) return undefined;
          const change = takeIn(identity, data, at);
          if (change && identity.state === 'PROVING') outcome = 'proving';
          return outcome === 'proving' ? undefined : change;
        },
        // An evidence that was added or deleted, and an identity that was closed, stay so.
        { now: at, acceptsRecent: true },
      ),
    );
    return outcome;
  };

  const enterInTime = async (event: Event): Promise<Outcome> => {
    for (const ms of PAUSES_MS) {
      const outcome = await enter(event, true);
      if (outcome !== 'reserved') return outcome;
      await pause(ms);
    }
    return enter(event, false);
  };

  return async (event: Event): Promise<void> => {
    if ((await enterInTime(event)) === 'proving') throw new RetryLater('a proof is being built');
  };
};
