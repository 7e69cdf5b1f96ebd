import { expect, jest, test } from '@jest/globals';
import { anIdentity, outcome } from '../testing/builders.ts';
import { type ChangeResult, refuse } from './change.ts';
import { BOUNDS, type Identity } from './identity.ts';
import { markerOf, once } from './markers.ts';

const reply = () => ({ status: 200, body: 'done' });
const change = { set: {}, events: [] };
const decideOnce = (lockId: string | undefined, identity: Identity, decision: ChangeResult = change) =>
  once(lockId).decide(identity, () => decision, reply);

test('the reply of an idempotent request is stored in the same write as its effect', () => {
  const { identity } = outcome(anIdentity(), decideOnce('lock', anIdentity()));
  expect(markerOf(identity, 'lock')).toEqual({ lockId: 'lock', status: 200, body: 'done' });
  expect(once('lock').replyOf(identity)).toMatchObject({ status: 200, body: 'done' });
  expect(markerOf(identity, 'another')).toBeUndefined();
});

test('a second request under the same lock has no effect and no refusal', () => {
  const { identity } = outcome(anIdentity(), decideOnce('lock', anIdentity()));
  const decide = jest.fn<() => ChangeResult>(() => refuse('CLOSED'));
  expect(once('lock').decide(identity, decide, reply)).toBeUndefined();
  expect(decide).not.toHaveBeenCalled();
  expect(decideOnce('another', identity)).toBeDefined();
});

test('nothing is marked without a lock, without an effect, or for a refusal', () => {
  expect(decideOnce(undefined, anIdentity())).toBe(change);
  expect(once(undefined).replyOf(anIdentity())).toBeUndefined();
  expect(once('lock').decide(anIdentity(), () => undefined, reply)).toBeUndefined();
  expect(decideOnce('lock', anIdentity(), refuse('CLOSED'))).toEqual({ refused: 'CLOSED' });
});

test('the newest are stored, up to a bound', () => {
  let identity = anIdentity();
  for (let nth = 0; nth <= BOUNDS.markers; nth += 1)
    ({ identity } = outcome(identity, decideOnce(`lock-${nth}`, identity)));
  expect(identity.markers).toHaveLength(BOUNDS.markers);
  expect(markerOf(identity, 'lock-0')).toBeUndefined();
  expect(markerOf(identity, `lock-${BOUNDS.markers}`)).toBeDefined();
});

test('a marker of an earlier release is found by its former name', () => {
  const former = { claimId: 'lock', status: 200, body: 'done' } as never;
  expect(markerOf({ markers: [former] }, 'lock')).toMatchObject({ body: 'done' });
});
