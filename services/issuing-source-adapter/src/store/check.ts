import type { Consent, DataOf, issuingCheckRequested, VerificationService } from '@assay/contracts';
import { type OutboxDocument, outboxFields, outboxIndex } from '@assay/mongo';
import { Schema } from 'mongoose';
import type { CheckResult } from '../domain/check-result.ts';

type Requested = DataOf<typeof issuingCheckRequested>;

/**
 * One check of one document; `_id` is its checkId. Its personal data are sealed. It is deleted with
 * the evidence and with the identity.
 */
export interface Check extends OutboxDocument {
  _id: string;
  tenantId: string;
  identityId: string;
  evidenceId: string;
  type: Requested['type'];
  mode: Requested['mode'];
  userCategory: Requested['userCategory'];
  /** What the source is asked; gone when it is not asked again. */
  sealedDocument?: string;
  /** The consents it was requested under; absent where a former version stored it. */
  consents?: Consent[];
  recheckAfterSeconds?: number;
  state: 'OPEN' | 'ENDED';
  startedAt: Date;
  endedAt?: Date;
  /** Questions sent so far, and when the next one may be sent. */
  attempts: number;
  nextAttemptAt: Date;
  /**
   * Only the holder of the lease may send a question, until it ends: at most one question is in
   * flight.
   */
  leaseId?: string;
  leaseUntil: Date;
  outcome?: CheckResult;
  source?: string;
  services: VerificationService[];
  /** What was sent and received at the last question, sealed. */
  sealedExchange?: string;
  /** When an inconclusive check is asked again. */
  recheckAt?: Date;
  inbox: string[];
}

export const checkSchema = new Schema<Check>(
  {
    _id: { type: String, required: true },
    tenantId: { type: String, required: true },
    identityId: { type: String, required: true },
    evidenceId: { type: String, required: true },
    type: { type: String, required: true },
    mode: { type: String, required: true },
    userCategory: { type: String, required: true },
    sealedDocument: String,
    // `undefined`: a check of a former version has none, not an empty list.
    consents: { type: Schema.Types.Mixed, default: undefined },
    recheckAfterSeconds: Number,
    state: { type: String, required: true },
    startedAt: { type: Date, required: true },
    endedAt: Date,
    attempts: { type: Number, default: 0 },
    nextAttemptAt: { type: Date, required: true },
    leaseId: String,
    leaseUntil: { type: Date, required: true },
    outcome: { type: Schema.Types.Mixed },
    source: String,
    services: { type: Schema.Types.Mixed, default: [] },
    sealedExchange: String,
    recheckAt: Date,
    ...outboxFields,
    inbox: { type: [String], default: [] },
  },
  { versionKey: false, minimize: false },
);
checkSchema.index({ identityId: 1 });
checkSchema.index({ recheckAt: 1 }, { sparse: true });
outboxIndex(checkSchema);
