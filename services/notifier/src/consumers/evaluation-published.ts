import type { DataOf, Envelope, evaluationPublished } from '@assay/contracts';
import { evaluationNotification } from '../domain/notification.ts';
import type { Enqueue } from '../flows/enqueue.ts';

/**
 * evaluation.published: what GET answers shows the evaluation already, so the client may be
 * notified (invariant 4).
 */
export const onEvaluationPublished =
  (enqueue: Enqueue) =>
  (event: Envelope<DataOf<typeof evaluationPublished>>): Promise<void> =>
    enqueue(event, evaluationNotification(event.identityId, event.data), {
      sealedBusinessId: event.data.sealedBusinessId,
      simulatedFailures: event.data.simulatedFailures,
    });
