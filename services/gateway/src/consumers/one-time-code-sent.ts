import type { DataOf, Envelope, oneTimeCodeSent } from '@assay/contracts';
import type { Clock } from '@assay/runtime';
import { codeSent } from '../domain/contacts.ts';
import { whyNotReadable } from '../domain/transaction.ts';
import type { Identities } from '../store/identities.ts';
import { ofKnownIdentity } from './known-identity.ts';

/** one-time-code.sent: the code is with the provider, or was refused for good. */
export const onOneTimeCodeSent =
  ({ identities, now }: { identities: Identities; now: Clock }) =>
  async ({ identityId, data }: Envelope<DataOf<typeof oneTimeCodeSent>>): Promise<void> => {
    const at = now();
    await ofKnownIdentity(
      identities.change(
        identityId,
        (identity) => (whyNotReadable(identity) ? undefined : codeSent(identity, data.codeId, data.accepted)),
        { now: at },
      ),
    );
  };
