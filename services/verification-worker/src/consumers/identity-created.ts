import type { DataOf, Envelope, identityCreated } from '@assay/contracts';
import type { CaseChanger } from '../flows/change-case.ts';
import { beginCase } from '../store/cases.ts';

/**
 * identity.created: the policy, its version and the settings an identity begins with apply until it
 * closes.
 */
export const onIdentityCreated =
  ({ changer }: { changer: CaseChanger }) =>
  (event: Envelope<DataOf<typeof identityCreated>>): Promise<void> =>
    changer.change(
      event,
      (before) => (before.createdUnder ? undefined : { after: { ...before, createdUnder: event.data.settings } }),
      // Nearly always the first event of the identity.
      { known: beginCase(event.identityId, event.tenantId) },
    );
