import { adjudicationWaiting, oneTimeCodeRequested } from '@assay/contracts';
import { outboxEntry } from '@assay/mongo';
import { on } from '../index.ts';

export const id = (n: string | number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** An event of the queue `notifier.codes`. */
export const entry = (n: number) =>
  outboxEntry(oneTimeCodeRequested, {
    tenantId: id('tenant'),
    identityId: id('identity'),
    id: id(n),
    at: new Date(),
    data: {
      codeId: id(n),
      evidenceId: id(n),
      channel: 'EMAIL',
      expiresAt: '2030-01-01T00:00:00.000',
      sealedMessage: 'x',
    },
  });

/** The other event of the queue, which no test publishes. */
export const neverSent = on(adjudicationWaiting, async () => undefined);
