import { RetryLater } from '@assay/bus';
import { createInternalClient } from '@assay/http';
import { createKeyring } from '@assay/sealing';
import { quietLog, testKeys } from '@assay/testing';
import { expect, test } from '@jest/globals';
import { createIntakeClient } from './intake.ts';

test('an identity that was closed meanwhile makes its message wait for the closing, and nothing is asked', async () => {
  const keys = testKeys('verification-worker');
  // Nobody listens there: a request would end with 503.
  const client = createInternalClient({ baseUrl: 'http://127.0.0.1:9', keys, to: 'evidence-intake', log: quietLog });
  const intake = createIntakeClient(
    client,
    createKeyring(async () => undefined),
  );
  const caller = { id: 'message', tenantId: 'tenant', identityId: 'closed' };
  const crop = { evidenceId: 'e', mediaId: 'c', originalMediaId: 'o', jpeg: Buffer.from('jpeg') };
  const calls = [intake.medium(caller, 'o'), intake.chipFiles(caller, 'e'), intake.storeCrop(caller, crop)];
  expect(
    (await Promise.allSettled(calls)).map((call) => 'reason' in call && call.reason instanceof RetryLater),
  ).toEqual([true, true, true]);
});
