import { EvaluationNotificationSchema, StatusNotificationSchema, violationsOf } from '@assay/contracts';
import { expect, test } from '@jest/globals';
import { evaluationNotification, statusNotification } from './notification.ts';

const ID = '0d7f3c52-6b1e-4a0f-9c58-2f7a1be0c9d4';
const at = '2026-03-01T10:00:00.000';

test('what is sent has the shapes that the OpenAPI document shows', () => {
  const evidence = { evidenceId: ID, evidenceType: 'PASSPORT', evidenceOperation: 'CREATED' } as const;
  const notification = evaluationNotification(ID, { identityStatus: 'EXPECTING_INPUT', completedAt: at, evidence });
  expect(violationsOf(EvaluationNotificationSchema, notification)).toEqual([]);
  const status = { identityStatus: 'PAUSED', completedAt: at, expireAt: at, notify: true } as const;
  expect(violationsOf(StatusNotificationSchema, statusNotification(ID, status))).toEqual([]);
});
