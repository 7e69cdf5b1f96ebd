import type { DataOf, Envelope, evidenceSubmitted } from '@assay/contracts';
import type { Clock } from '@assay/runtime';
import { takeIn } from '../domain/submissions.ts';
import { whyNotReadable } from '../domain/transaction.ts';
import type { Identities } from '../store/identities.ts';
import { ofKnownIdentity } from './known-identity.ts';

/** evidence.submitted: the evidence enters the read model if the request that submitted it did not live to see to that. */
export const onEvidenceSubmitted =
  ({ identities, clock }: { identities: Identities; clock: Clock }) =>
  async ({ identityId, data, key }: Envelope<DataOf<typeof evidenceSubmitted>>): Promise<void> => {
    const now = clock();
    await ofKnownIdentity(
      identities.change(
        identityId,
        (identity) =>
          whyNotReadable(identity) || identity.state === 'PROVING' ? undefined : takeIn(identity, data, now),
        { now, key },
      ),
    );
  };
