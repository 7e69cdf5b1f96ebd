import { RetryLater } from '@assay/bus';
import type { DataOf, Envelope, evidenceSubmitted } from '@assay/contracts';
import type { Clock } from '@assay/runtime';
import { takeIn } from '../domain/submissions.ts';
import { whyNotReadable } from '../domain/transaction.ts';
import type { Identities } from '../store/identities.ts';
import { ofKnownIdentity } from './known-identity.ts';

/**
 * evidence.submitted: the evidence enters the read model if the request that submitted it did not
 * live to see to that, and a live capture session that has ended replaces the former portrait.
 * While a proof is built nothing enters: if it comes to nothing, the event is there again.
 */
export const onEvidenceSubmitted =
  ({ identities, now }: { identities: Identities; now: Clock }) =>
  async ({ identityId, data }: Envelope<DataOf<typeof evidenceSubmitted>>): Promise<void> => {
    const at = now();
    let waits = false;
    await ofKnownIdentity(
      identities.change(
        identityId,
        (identity) => {
          const change = whyNotReadable(identity) ? undefined : takeIn(identity, data, at);
          waits = change !== undefined && identity.state === 'PROVING';
          return waits ? undefined : change;
        },
        // What has entered, was deleted, or is closed stays so.
        { now: at, acceptsRecent: true },
      ),
    );
    if (waits) throw new RetryLater('a proof is being built');
  };
