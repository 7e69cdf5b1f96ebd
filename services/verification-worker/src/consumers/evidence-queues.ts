import type { Bus, ConsumeOptions, Subscription } from '@assay/bus';
import type { DataOf, Envelope, evidenceSubmitted } from '@assay/contracts';
import type { Clock, Closable } from '@assay/runtime';
import { createSurplusOrder } from '../flows/surplus-order.ts';
import { createTenantShares } from '../flows/tenant-shares.ts';

type Submitted = Envelope<DataOf<typeof evidenceSubmitted>>;

const QUEUE = 'verification-worker.evidence';
const SURPLUS_QUEUE = 'verification-worker.surplus';

export interface Deps {
  rabbitmq: Pick<Bus, 'consume'>;
  /** Verifies submitted evidence. */
  evidence: Subscription;
  /** Ends the evidence of an event that goes to the dead letters (invariant 5). */
  giveUp: (event: Submitted) => Promise<void>;
  /** How many evidences are verified at once. */
  prefetch: number;
  now: Clock;
}

/**
 * Consumes the two queues of submitted evidence with the same handler (decision 40). New events
 * come by the first queue. One that exceeds its tenant's share is moved to the end of the surplus
 * queue, and to its end again while its tenant has had many more turns than another one that waits
 * behind it.
 */
export const consumeEvidence = async ({ rabbitmq, evidence, giveUp, prefetch, now }: Deps): Promise<Closable[]> => {
  const shares = createTenantShares(now, prefetch);
  const order = createSurplusOrder(shares);
  const counted: Subscription = {
    ...evidence,
    handle: (event) => {
      const end = shares.begin(event);
      return evidence.handle(event).finally(end);
    },
  };
  const optionsWith = (exceeds: (event: Envelope<unknown>) => boolean): ConsumeOptions => ({
    prefetch,
    onGivenUp: (event) => giveUp(event as Submitted),
    surplus: { queue: SURPLUS_QUEUE, exceeds, beforeMove: order.put },
  });
  return [
    await rabbitmq.consume(QUEUE, [counted], optionsWith(shares.exceeds)),
    await rabbitmq.consume(SURPLUS_QUEUE, [counted], optionsWith(order.letsPass)),
  ];
};
