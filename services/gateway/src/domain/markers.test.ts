import { expect, test } from '@jest/globals';
import { anIdentity, outcome } from '../testing/builders.ts';
import { refuse } from './change.ts';
import { BOUNDS } from './identity.ts';
import { markedWith, markerOf } from './markers.ts';

const reply = () => ({ status: 200, body: 'done' });
const change = { set: {}, events: [] };

test('the reply of an idempotent request is in the write that is its effect', () => {
  const { identity } = outcome(anIdentity(), markedWith('lock')(anIdentity(), change, reply));
  expect(markerOf(identity, 'lock')).toEqual({ lockId: 'lock', status: 200, body: 'done' });
  expect(markerOf(identity, 'another')).toBeUndefined();
});

test('nothing is marked without a lock, without an effect, or for a refusal', () => {
  expect(markedWith(undefined)(anIdentity(), change, reply)).toBe(change);
  expect(markedWith('lock')(anIdentity(), undefined, reply)).toBeUndefined();
  expect(markedWith('lock')(anIdentity(), refuse('CLOSED'), reply)).toEqual({ refused: 'CLOSED' });
});

test('the newest are stored, up to a bound', () => {
  let identity = anIdentity();
  for (let nth = 0; nth <= BOUNDS.markers; nth += 1)
    ({ identity } = outcome(identity, markedWith(`lock-${nth}`)(identity, change, reply)));
  expect(identity.markers).toHaveLength(BOUNDS.markers);
  expect(markerOf(identity, 'lock-0')).toBeUndefined();
  expect(markerOf(identity, `lock-${BOUNDS.markers}`)).toBeDefined();
});

test('a marker of an earlier release is found by the name it had', () => {
  const former = { claimId: 'lock', status: 200, body: 'done' } as never;
  expect(markerOf({ markers: [former] }, 'lock')).toMatchObject({ body: 'done' });
});
