import type { DataOf, Envelope, identityStatusChanged } from '@assay/contracts';
import { statusNotification } from '../domain/notification.ts';
import type { Enqueue } from '../flows/enqueue.ts';

/** identity.status-changed: the client gets a webhook for PAUSED, TIMEOUT and ERROR. */
export const onIdentityStatusChanged =
  (enqueue: Enqueue) =>
  async (event: Envelope<DataOf<typeof identityStatusChanged>>): Promise<void> => {
    const notification = statusNotification(event.identityId, event.data);
    if (notification) await enqueue(event, notification, { sealedBusinessId: event.data.sealedBusinessId });
  };
