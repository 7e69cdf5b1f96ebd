import { expect, test } from '@jest/globals';
import type { Reading } from '../domain/medium.ts';
import { createRecentReadings } from './recent-readings.ts';

const reading = (_id: string, evidenceId = 'evidence'): Reading => ({
  ...{ _id, tenantId: 'tenant', identityId: 'identity', evidenceId },
  ...{ state: 'STORED', role: 'CHIP', createdAt: new Date(0), files: [], content: Buffer.alloc(0) },
});

test('the readings of one submission are given once, and to their identity alone', () => {
  const recent = createRecentReadings();
  recent.add([reading('a'), reading('b')]);
  expect(recent.take('another', 'evidence')).toBeUndefined();
  expect(recent.take('identity', 'evidence')).toMatchObject([{ _id: 'a' }, { _id: 'b' }]);
  expect(recent.take('identity', 'evidence')).toBeUndefined();
});

test('of several submissions of one session none is given, however many come and whenever', () => {
  const recent = createRecentReadings();
  for (const id of ['a', 'b', 'c']) recent.add([reading(id)]);
  expect(recent.take('identity', 'evidence')).toBeUndefined();
  recent.forget('b');
  recent.add([reading('d')]);
  expect(recent.take('identity', 'evidence')).toBeUndefined();
});

test('nor is one that comes after another was given or removed', () => {
  const recent = createRecentReadings();
  recent.add([reading('a', 'given')]);
  recent.add([reading('b', 'removed')]);
  expect(recent.take('identity', 'given')).toHaveLength(1);
  recent.forget('b');
  for (const evidenceId of ['given', 'removed']) {
    recent.add([reading(`late-${evidenceId}`, evidenceId)]);
    expect(recent.take('identity', evidenceId)).toBeUndefined();
  }
});
