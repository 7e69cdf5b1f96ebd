import { describe, expect, test } from '@jest/globals';
import { after, anEvidence, anIdentity, NOW, outcome } from '../testing/builders.ts';
import type { Identity } from './identity.ts';
import {
  buildFailed,
  endGrace,
  giveUpBuild,
  proofBuilt,
  renewBuild,
  stillSending,
  takeInLate,
  winProof,
  withinGrace,
} from './retrieval.ts';

const win = (identity: Identity, proofId: string, now = NOW) =>
  outcome(identity, winProof(identity, { proofId, role: 'RELYING_SERVICE', now }));
const ready = { proofId: 'first', bytes: 10, filename: 'x.zip' };
const GRACE = 100;
const proving = win(anIdentity(), 'first').identity;
const built = outcome(proving, proofBuilt(proving, ready, GRACE, after(5))).identity;

describe('the retrieval of a proof', () => {
  test('given nothing is under way, then the first request wins and nothing can be submitted', () => {
    expect(proving).toMatchObject({ state: 'PROVING', proof: { proofId: 'first', tenantRole: 'RELYING_SERVICE' } });
  });

  test('given an evidence in process, or a submission on its way, then it is refused', () => {
    const busy = anIdentity({ evidences: [anEvidence(1)] });
    expect(win(busy, 'first').refused).toBe('PROOF_WHILE_PROCESSING');
    const { evidenceId, type, operation } = anEvidence(1);
    const reserved = anIdentity({ reservations: [{ evidenceId, type, operation, at: NOW, leaseUntil: after(15) }] });
    expect(win(reserved, 'first').refused).toBe('PROOF_WHILE_PROCESSING');
  });

  test('given an evidence whose request died, then a build that lacks it is given up, and an archive stays', () => {
    const { evidenceId, type, operation } = anEvidence(1);
    const stored = { evidenceId, type, operation, submitDateTime: '2026-03-01T10:00:01.000' };
    const late = (identity: Identity) => outcome(identity, takeInLate(identity, stored, after(6))).identity;
    expect(late(proving)).toMatchObject({ state: 'OPEN', evidences: [{ evidenceId, status: 'PROCESSING' }] });
    expect(late(proving).proof).toBeUndefined();
    expect(proofBuilt(late(proving), ready, GRACE, after(7))).toBeUndefined();
    expect(win(late(proving), 'second').refused).toBe('PROOF_WHILE_PROCESSING');
    expect(late(late(proving))).toEqual(late(proving));
    expect(late(built)).toMatchObject({ state: 'PROVING', proof: { built: { bytes: 10 } } });
  });

  test('given another request builds, then it is joined; once its lease has ended it is taken over with the same id', () => {
    expect(win(proving, 'second', after(14)).identity).toBe(proving);
    const taken = win(proving, 'second', after(15)).identity;
    expect(taken.proof).toMatchObject({ proofId: 'first', leaseUntil: after(30) });
  });

  test('given the builder renews its lease, then it is not taken over', () => {
    const renewed = outcome(proving, renewBuild(proving, 'first', after(10))).identity;
    expect(win(renewed, 'second', after(20)).identity).toBe(renewed);
    expect(renewBuild(proving, 'other', after(10))).toBeUndefined();
  });

  test('given the archive is built, then later retrievals get it, for the grace period', () => {
    expect(win(built, 'second', after(50)).identity).toBe(built);
    expect(withinGrace(built, after(5 + GRACE - 1))).toBe(true);
    expect(withinGrace(built, after(5 + GRACE))).toBe(false);
    expect(withinGrace(proving, NOW)).toBe(false);
  });

  test('given a client still downloads, then the grace period begins again', () => {
    const sending = outcome(built, stillSending(built, 'first', after(90))).identity;
    expect(withinGrace(sending, after(90 + GRACE - 1))).toBe(true);
    expect(stillSending(built, 'other', after(90))).toBeUndefined();
    expect(stillSending(proving, 'first', after(90))).toBeUndefined();
  });

  test('given the build failed, then the transaction continues; a late failure of a finished one changes nothing', () => {
    const failed = outcome(proving, buildFailed(proving, 'first')).identity;
    expect([failed.state, failed.proof]).toEqual(['OPEN', undefined]);
    expect(buildFailed(built, 'first')).toBeUndefined();
    expect(buildFailed(proving, 'other')).toBeUndefined();
  });

  test('given no request works on the build, then it is given up a minute after its lease, and no earlier', () => {
    expect(giveUpBuild(proving, after(15 + 59))).toBeUndefined();
    expect(outcome(proving, giveUpBuild(proving, after(15 + 60))).identity.state).toBe('OPEN');
    expect(giveUpBuild(built, after(1000))).toBeUndefined();
    expect(giveUpBuild(anIdentity(), after(1000))).toBeUndefined();
  });

  test('given the grace period is over, then the identity is closed, and no earlier', () => {
    expect(endGrace(built, after(5 + GRACE - 1))).toBeUndefined();
    expect(outcome(built, endGrace(built, after(5 + GRACE))).identity).toMatchObject({
      state: 'CLOSING',
      closing: { reason: 'PROOF_RETRIEVED' },
    });
    expect(endGrace(proving, after(1000))).toBeUndefined();
    expect(endGrace(anIdentity(), after(1000))).toBeUndefined();
  });

  test('given the identity continued meanwhile, then a late archive is not accepted', () => {
    const open = outcome(proving, buildFailed(proving, 'first')).identity;
    expect(proofBuilt(open, ready, GRACE, after(5))).toBeUndefined();
    const again = win(open, 'second').identity;
    expect(proofBuilt(again, ready, GRACE, after(5))).toBeUndefined();
  });

  test.each([
    ['PAUSED', 'STATE_CONFLICT'],
    ['ERROR', 'STATE_CONFLICT'],
    ['CLOSING', 'CLOSED'],
    ['CLOSED', 'CLOSED'],
  ] as const)('given the identity is %s, then it is refused: %s', (state, refused) => {
    expect(win(anIdentity({ state }), 'first').refused).toBe(refused);
  });
});
