import type { WebhookEvent } from '@assay/contracts';
import { type Connection, type Model, Schema } from 'mongoose';
import type { DeliveryAttempt, DeliveryState } from '../domain/delivery.ts';
import type { Notification } from '../domain/notification.ts';

/**
 * One notification on its way. Its id is the id of the message that caused it, and the webhook-id
 * the receiver sees.
 */
export interface Delivery {
  _id: string;
  tenantId: string;
  identityId: string;
  event: WebhookEvent;
  /** Sent to try the endpoint out: about no identity. */
  isTest?: boolean;
  /** What is sent; the body is made of it for each attempt. */
  notification: Notification;
  /**
   * The client's own name for the identity, under the identity's notice key: the body has it for as
   * long as that key exists.
   */
  sealedBusinessId?: string;
  state: DeliveryState;
  attempts: DeliveryAttempt[];
  /** Attempts of the present round: a resend begins another. */
  round: number;
  /** First attempts that fail without being made: a sandbox tenant wished it so. */
  simulatedFailures?: number;
  createdAt: Date;
  /** The trace of what is notified; every attempt is part of it. */
  traceparent?: string;
  nextAttemptAt?: Date;
  /** End of the lease: after it any process may lease the delivery. */
  leaseUntil: Date;
  leaseOwner?: string;
  /** When the log may forget it; absent while it is PENDING. */
  forgetAt?: Date;
}

const attemptSchema = new Schema<DeliveryAttempt>(
  { at: Date, statusCode: Number, error: String, durationMs: Number, retryAfterSeconds: Number, bodySha256: String },
  { _id: false },
);
const deliverySchema = new Schema<Delivery>(
  {
    _id: { type: String, required: true },
    tenantId: { type: String, required: true },
    identityId: { type: String, required: true },
    event: { type: String, required: true },
    isTest: Boolean,
    notification: { type: Schema.Types.Mixed, required: true },
    sealedBusinessId: String,
    state: { type: String, required: true },
    attempts: { type: [attemptSchema], default: [] },
    round: { type: Number, default: 0 },
    simulatedFailures: Number,
    createdAt: { type: Date, required: true },
    traceparent: String,
    nextAttemptAt: Date,
    leaseUntil: { type: Date, required: true },
    leaseOwner: String,
    forgetAt: Date,
  },
  { versionKey: false },
);
const pending = { partialFilterExpression: { state: 'PENDING' } };
deliverySchema.index({ nextAttemptAt: 1, tenantId: 1, leaseUntil: 1 }, pending);
deliverySchema.index({ tenantId: 1, nextAttemptAt: 1, leaseUntil: 1 }, pending);
deliverySchema.index({ tenantId: 1, createdAt: -1, _id: -1 });
deliverySchema.index({ tenantId: 1, identityId: 1, createdAt: -1 });
deliverySchema.index({ forgetAt: 1 }, { expireAfterSeconds: 0 });

export const deliveryModel = (connection: Connection): Model<Delivery> =>
  connection.model<Delivery>('deliveries', deliverySchema, 'deliveries');
