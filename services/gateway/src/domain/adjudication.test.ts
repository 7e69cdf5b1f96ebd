import { CLAIM_SECONDS } from '@assay/contracts/claim';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aWaitingCase, changedCase } from '../testing/builders.ts';
import { claim, decide, withChips } from './adjudication.ts';
import type { AdjudicationCase } from './adjudication-case.ts';
import { closeCase, endedBefore, expireCase, withdrawCase } from './case-endings.ts';
import { isRefusal } from './change.ts';
import { type Identity, secondsAfter } from './identity.ts';
import { personIdOf } from './person.ts';

const now = new Date('2026-05-01T12:00:00Z');
const waiting = aWaitingCase({
  submitDateTime: '2026-05-01T11:59:00.000',
  requestedAt: '2026-05-01T11:59:30.000',
  expiresAt: secondsAfter(now, 3600),
});
const given = (
  adjudication: AdjudicationCase,
  ...steps: ((adjudication: AdjudicationCase) => ReturnType<typeof claim>)[]
) =>
  steps.reduce((current, step) => {
    const change = step(current);
    if (isRefusal(change)) throw new Error(change.refused);
    return changedCase(current, change);
  }, adjudication);
const claimedBy = (operatorId: string) => (adjudication: AdjudicationCase) => claim(adjudication, operatorId, now);
const accepted = (operatorId: string) => (adjudication: AdjudicationCase) =>
  decide(adjudication, { operatorId, decision: 'ACCEPT', reasons: [] }, now);
const rejected = (operatorId: string) => (adjudication: AdjudicationCase) =>
  decide(adjudication, { operatorId, decision: 'REJECT', reasons: ['PAPER_COPY'] }, now);
const conflict = (message: string) => ({ refused: 'STATE_CONFLICT', message });

describe('a case', () => {
  test('is decided only by the operator who claimed it', () => {
    const claimed = given(waiting, claimedBy('a'));
    expect(accepted('b')(claimed)).toEqual(conflict('another operator has claimed the case'));
    expect(accepted('a')(waiting)).toEqual(conflict('claim the case first'));
    expect(claim(claimed, 'b', now)).toEqual(conflict('another operator has claimed the case'));
    expect(accepted('a')(claimed)).toMatchObject({
      set: { state: 'DECIDED', outcome: 'ACCEPT' },
      decided: { decision: 'ACCEPT' },
    });
  });

  test('is not rejected without a known reason', () => {
    const claimed = given(waiting, claimedBy('a'));
    for (const reasons of [[], ['BAD_MOOD'], ['DOCUMENT_ADJUDICATION']])
      expect(decide(claimed, { operatorId: 'a', decision: 'REJECT', reasons }, now)).toMatchObject({
        refused: 'BAD_FIELD',
        field: 'reasons',
      });
  });

  test('can be claimed by another when a claim lapsed', () => {
    const claimed = given(waiting, claimedBy('a'));
    const lapsed = secondsAfter(now, CLAIM_SECONDS);
    const early = decide(claimed, { operatorId: 'b', decision: 'ACCEPT', reasons: [] }, lapsed);
    expect(early).toEqual(conflict('claim the case first'));
    expect(claim(claimed, 'b', lapsed)).toMatchObject({ set: { claimedBy: 'b' } });
  });

  test('with four eyes needs two operators, and one rejection rejects', () => {
    const four = { ...waiting, fourEyes: true };
    const once = given(four, claimedBy('a'), accepted('a'));
    expect(once).toMatchObject({ state: 'OPEN', decisions: [{ operatorId: 'a' }] });
    for (const again of [claimedBy('a'), accepted('a')])
      expect(again(once)).toEqual(conflict('you have decided this case: somebody else has to decide next'));
    expect(given(once, claimedBy('b'), accepted('b')).outcome).toBe('ACCEPT');
    expect(given(once, claimedBy('b'), rejected('b')).outcome).toBe('REJECT');
  });

  test.each([
    ['ACCEPT', accepted],
    ['REJECT', rejected],
  ] as const)('that a key decided (%s) is decided by two people once only people may', (outcome, first) => {
    const byKey = given({ ...waiting, fourEyes: true }, claimedBy('key'), first('key'));
    const [ann, ben] = [personIdOf('ann'), personIdOf('ben')];
    const byPerson = (operatorId: string, peopleOnly: boolean) => (adjudication: AdjudicationCase) => {
      const claimed = claim(adjudication, operatorId, now, peopleOnly);
      if (isRefusal(claimed)) return claimed;
      const by = { operatorId, decision: 'ACCEPT' as const, reasons: [], peopleOnly };
      return decide(changedCase(adjudication, claimed), by, now);
    };
    expect(byPerson(ann, false)(byKey)).toMatchObject({ refused: 'STATE_CONFLICT' });
    const once = given(byKey, byPerson(ann, true));
    expect(once.state).toBe('OPEN');
    expect(byPerson(ann, true)(once)).toMatchObject({ refused: 'STATE_CONFLICT' });
    expect(byPerson('another key', true)(once)).toMatchObject({ refused: 'STATE_CONFLICT' });
    expect(given(once, byPerson(ben, true))).toMatchObject({ state: 'DECIDED', outcome });
  });

  test('that no operator decided in time ends without a decision', () => {
    expect(expireCase(waiting, now)).toBeUndefined();
    expect(expireCase(waiting, secondsAfter(now, 3600))).toMatchObject({
      set: { outcome: 'EXPIRED' },
      decided: { decision: 'EXPIRED' },
    });
  });

  test('announces its decision once, whatever operators try', () => {
    const act = fc.record({
      operator: fc.constantFrom('a', 'b', 'c'),
      what: fc.constantFrom('claim', 'accept', 'reject', 'expire'),
      later: fc.integer({ min: 0, max: 3000 }),
    });
    fc.assert(
      fc.property(fc.boolean(), fc.array(act, { maxLength: 20 }), (fourEyes, acts) => {
        let current: AdjudicationCase = { ...waiting, fourEyes };
        let at = now;
        let announced = 0;
        for (const { operator, what, later } of acts) {
          at = secondsAfter(at, later);
          const change =
            what === 'claim'
              ? claim(current, operator, at)
              : what === 'expire'
                ? expireCase(current, at)
                : decide(
                    current,
                    {
                      operatorId: operator,
                      decision: what === 'accept' ? 'ACCEPT' : 'REJECT',
                      reasons: ['PAPER_COPY'],
                    },
                    at,
                  );
          if (!change || isRefusal(change)) continue;
          if (change.decided) announced += 1;
          current = changedCase(current, change);
        }
        expect(announced).toBe(current.state === 'DECIDED' ? 1 : 0);
        expect(new Set(current.decisions.map(({ operatorId }) => operatorId)).size).toBe(current.decisions.length);
      }),
      { numRuns: 500 },
    );
  });
});

test('a chip that is read later is added to an open case once, and not to a decided one', () => {
  const chip = { evidenceId: 'chip', status: 'VERIFIED' as const, raisedIndicators: [] };
  const picture = { mediaId: 'crop', label: 'CHIP_CROP' };
  const front = { mediaId: 'front', label: 'FRONT' };
  const asked = { ...waiting, media: [front] };
  expect(withChips(asked, { media: [front] })).toBeUndefined();
  const attached = changedCase(asked, withChips(asked, { media: [front, picture], chips: [chip] })!);
  expect(attached).toMatchObject({ state: 'OPEN', media: [front, picture], chips: [chip] });
  expect(withChips(attached, { media: [front, picture], chips: [chip] })).toBeUndefined();
  expect(withChips({ ...asked, state: 'DECIDED' }, { media: [picture], chips: [chip] })).toBeUndefined();
});

test('an operator who claimed the case before its chip was read decides after another look at it', () => {
  const chip = { evidenceId: 'chip', status: 'INVALID' as const, raisedIndicators: [] };
  const claimed = given(waiting, claimedBy('a'));
  const attached = changedCase(claimed, withChips(claimed, { media: [], chips: [chip] })!);
  expect(attached).not.toHaveProperty('claimedBy');
  expect(accepted('a')(attached)).toEqual(conflict('claim the case first'));
  const again = given(attached, claimedBy('a'));
  expect(withChips(again, { media: [], chips: [chip] })).toBeUndefined();
  expect(given(again, accepted('a'))).toMatchObject({ outcome: 'ACCEPT' });
});

describe('a case whose evidence left adjudication', () => {
  test('is closed undecided, with the reason and nothing personal, and is never claimed again', () => {
    const read = { ...waiting, sealedFields: 'sealed', media: [{ mediaId: 'front', label: 'FRONT' }] };
    const closed = changedCase(given(read, claimedBy('a')), withdrawCase(read, 'CONSENT_WITHDRAWN', now)!);
    expect(closed).toMatchObject({ outcome: 'CLOSED', closedBecause: 'CONSENT_WITHDRAWN', decidedAt: now, media: [] });
    expect(closed).not.toHaveProperty('sealedFields');
    for (const refused of [claim(closed, 'a', now), accepted('a')(closed)])
      expect(refused).toEqual(conflict('the case is decided, or its time is over'));
    expect(withdrawCase(closed, 'REFERENCE_CHANGED', now)).toBeUndefined();
  });

  test('stays decided, if operators decided it before', () => {
    const decided = given(waiting, claimedBy('a'), accepted('a'));
    expect(withdrawCase(decided, 'EVALUATED_OTHERWISE', now)).toBeUndefined();
    expect(changedCase(decided, closeCase(decided, 'IDENTITY_CLOSED', now))).not.toHaveProperty('closedBecause');
  });
});

test('a case is too late for what was deleted, has failed or was closed, and only for that', () => {
  const whyEnded = (state: Identity['state'], ...deletedEvidenceIds: string[]) =>
    endedBefore({ state, deletedEvidenceIds }, 'evidence');
  expect(endedBefore(null, 'evidence')).toBe('IDENTITY_CLOSED');
  expect([whyEnded('CLOSING'), whyEnded('CLOSED'), whyEnded('ERROR')]).toEqual([
    'IDENTITY_CLOSED',
    'IDENTITY_CLOSED',
    'IDENTITY_FAILED',
  ]);
  expect(whyEnded('OPEN', 'other', 'evidence')).toBe('EVIDENCE_DELETED');
  expect([whyEnded('OPEN', 'other'), whyEnded('PAUSED'), whyEnded('PROVING')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
