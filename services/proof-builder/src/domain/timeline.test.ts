import { EVENTS, identityClosed, QUEUES } from '@assay/contracts';
import { expect, test } from '@jest/globals';
import { longestFlow } from '../testing/longest-flow.ts';
import { timelineOf } from './timeline.ts';

const heard = QUEUES['proof-builder.history']!.filter((type) => type !== identityClosed.type);

test.each(heard)('the timeline shows more of %s than its name', (type) => {
  const records = longestFlow('timeline').events.filter((event) => event.type === type);
  expect(records.length).toBeGreaterThan(0);
  for (const { details } of timelineOf(records)) expect(details).not.toEqual({});
});

test('an event of a later release has only its name', () => {
  const unknown = 'identity.moved';
  expect(EVENTS.map(({ type }) => type)).not.toContain(unknown);
  const record = { type: unknown, at: '2026-01-01T00:00:00.000Z', data: { to: 'elsewhere' } };
  expect(timelineOf([record])).toEqual([{ type: unknown, at: record.at, kind: 'EVENT', details: {} }]);
});
