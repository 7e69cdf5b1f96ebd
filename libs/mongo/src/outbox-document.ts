import type { Envelope } from '@assay/contracts';
import type { RepublishedEvent } from './republish.ts';

/** A document with an outbox. */
export interface OutboxDocument {
  _id: string;
  outbox?: Envelope<unknown>[];
  outboxLease?: Date;
  outboxRound?: string;
  outboxFailures?: number;
  said?: RepublishedEvent[];
  saidDueAt?: Date;
}

/** A document without the fields of its relay, which change no revision. */
export const withoutOutbox = <D extends object>(document: D): D => {
  const {
    outbox: _o,
    outboxLease: _l,
    outboxRound: _r,
    outboxFailures: _f,
    said: _s,
    saidDueAt: _d,
    ...rest
  } = document as Partial<OutboxDocument>;
  return rest as D;
};
