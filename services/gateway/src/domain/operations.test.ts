import { type DataOf, operationRecorded, violationsOf } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import { anIdentity, NOW } from '../testing/builders.ts';
import { businessReference } from './business-reference.ts';
import { type OperationCall, recordingOperation, withOperation } from './operations.ts';

const call: OperationCall = {
  operationId: 'operation-00000000000001',
  requestId: 'request-000000000000001',
  role: 'RELYING_SERVICE',
  method: 'POST',
  uri: '/svc/v1/identities/i/resume',
  startedAt: new Date(NOW.getTime() - 250),
};
const kind = { type: 'ADD' as const, contextIds: [] };

describe('the record of a call that changes an identity', () => {
  test('follows the events of the change, and its id those that the proof waits for', () => {
    const before = { ...anIdentity(), operationIds: ['an-earlier-one'] };
    const first = withOperation(before, { set: { state: 'OPEN' }, events: [] }, call, kind, NOW);
    const both = withOperation(before, first, { ...call, operationId: 'another' }, kind, NOW);
    expect(first.set).toEqual({ state: 'OPEN', operationIds: ['an-earlier-one', call.operationId] });
    expect(both.events.map(({ data }) => (data as { operationId: string }).operationId)).toEqual([
      call.operationId,
      'another',
    ]);
  });

  test('has the shape of its event, with the duration of the call and no field without a value', () => {
    const { events } = withOperation(anIdentity(), { set: {}, events: [] }, call, kind, NOW);
    const [{ event, data } = { event: undefined, data: {} }] = events;
    expect(event).toBe(operationRecorded);
    expect(violationsOf(operationRecorded.schema, data)).toEqual([]);
    const { rest } = data as DataOf<typeof operationRecorded>;
    expect(Date.parse(`${rest.endDateTime}Z`) - Date.parse(`${rest.startDateTime}Z`)).toBe(250);
    expect(Object.keys(data ?? {})).not.toContain('sealedCaller');
    expect(Object.keys(data ?? {})).not.toContain('name');
  });

  test('is made neither for a refusal nor for a call that changes nothing', () => {
    const record = recordingOperation(call, kind, NOW);
    expect(record(anIdentity(), undefined)).toBeUndefined();
    expect(record(anIdentity(), { refused: 'CLOSED' })).toEqual({ refused: 'CLOSED' });
  });
});

test('a person has one pseudonym within a tenant, another in another tenant, and none reveals the person', () => {
  const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const name = businessReference(key, 'tenant', 'Jane Doe');
  expect(businessReference(key, 'tenant', 'Jane Doe')).toBe(name);
  expect(name).not.toContain('Jane');
  const others = [
    businessReference(key, 'tenant-2', 'Jane Doe'),
    businessReference(key, 'tenant', 'John Doe'),
    businessReference(other, 'tenant', 'Jane Doe'),
  ];
  expect(new Set([name, ...others]).size).toBe(4);
});
