import type { Outage, SourceAnswer } from '../domain/answer.ts';
import type { Question } from '../domain/question.ts';

/** What a connector needs to put one question once. */
export interface Asking {
  /**
   * The source's idempotency key: the same for every attempt of one check, so that a question asked
   * again is not counted again.
   */
  checkId: string;
  tenantId: string;
  question: Question;
  timeoutMs: number;
}

/**
 * What one attempt came to. `sent` and `received` are the bodies on the wire; they are kept only
 * sealed.
 */
export type SourceReply = { sent?: string; received?: string; reference?: string } & (
  | { kind: 'ANSWER'; answer: SourceAnswer }
  | { kind: 'OUTAGE'; outage: Outage; code?: string }
);

/** One source behind its protocol. Never throws for what the source does: an outage is a reply. */
export interface Connector {
  ask(asking: Asking): Promise<SourceReply>;
}
