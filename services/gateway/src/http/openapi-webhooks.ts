import {
  type EvaluationNotification,
  EvaluationNotificationSchema,
  type StatusNotification,
  StatusNotificationSchema,
  type WaitingNotification,
  WaitingNotificationSchema,
} from '@assay/contracts';

const EVALUATION: EvaluationNotification = {
  event: 'Evaluation',
  identityId: '0d7f3c52-6b1e-4a0f-9c58-2f7a1be0c9d4',
  businessId: 'customer-42',
  identityStatus: 'EXPECTING_INPUT',
  completedAt: '2026-03-01T10:00:02.318',
  evidence: {
    evidenceId: '7b0e6a1d-95c4-4b7e-8f1a-3d2c5e6f7081',
    evidenceType: 'PASSPORT',
    evidenceOperation: 'CREATED',
  },
};
const STATUS: StatusNotification = {
  event: 'IdentityStatusUpdate',
  identityId: EVALUATION.identityId,
  identityStatus: 'TIMEOUT',
  completedAt: '2026-03-01T10:30:00.000',
};

const WAITING: WaitingNotification = {
  event: 'AdjudicationWaiting',
  identityId: EVALUATION.identityId,
  businessId: 'customer-42',
  identityStatus: 'PROCESSING',
  evidence: { evidenceId: EVALUATION.evidence.evidenceId, evidenceType: 'PASSPORT' },
  caseId: '3c1f0a52-7d84-4e0b-9b1e-5a6c2d9e8f10',
  waitingSince: '2026-03-01T06:00:02.318',
};

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const webhook = (summary: string, schema: object, example: object) => ({
  post: {
    summary,
    tags: ['Webhooks'],
    description:
      "Sent to the tenant's settings.webhook.url. Check the signature over the raw bytes, answer 2xx at once, and expect repeats under the same webhook-id.",
    parameters: [
      header('webhook-id', 'the same on every attempt and on a resend'),
      header('webhook-timestamp', "seconds since 1970, of this attempt; another attempt's differs"),
    ],
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: { '2XX': { description: 'Taken; everything else is a failed attempt' } },
  },
});

/** What the service sends, as OpenAPI 3.1 describes it. */
export const WEBHOOKS = {
  Evaluation: webhook('An evidence was evaluated, or deleted', EvaluationNotificationSchema, EVALUATION),
  AdjudicationWaiting: webhook(
    'An evidence has waited for operators for longer than the tenant wants; only where it asks for this',
    WaitingNotificationSchema,
    WAITING,
  ),
  IdentityStatusUpdate: webhook('The identity is PAUSED, TIMEOUT or ERROR', StatusNotificationSchema, STATUS),
};
