import { type DataOf, type Envelope, type identityClosed, parseDateTime } from '@assay/contracts';
import type { Checks } from '../store/checks.ts';
import type { Tombstones } from '../store/tombstones.ts';

/** identity.closed: its checks go, with everything sent and answered; a tombstone keeps a late message from bringing one back. */
export const onIdentityClosed =
  ({ checks, tombstones }: { checks: Checks; tombstones: Tombstones }) =>
  async ({ identityId, data }: Envelope<DataOf<typeof identityClosed>>): Promise<void> => {
    await tombstones.put(identityId, parseDateTime(data.forgetAt));
    await checks.removeAll(identityId);
  };
