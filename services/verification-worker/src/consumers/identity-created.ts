import type { DataOf, Envelope, identityCreated } from '@assay/contracts';
import type { CaseChanger } from '../change-case.ts';

/** identity.created: the identity keeps the policy, its version and the settings it began with. */
export const onIdentityCreated =
  ({ changer }: { changer: CaseChanger }) =>
  (event: Envelope<DataOf<typeof identityCreated>>): Promise<void> =>
    changer.change(event, (before) =>
      before.createdUnder ? undefined : { after: { ...before, createdUnder: event.data.settings } },
    );
