import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { after, anIdentity, outcome } from '../testing/builders.ts';
import type { ChangeResult } from './change.ts';
import type { Identity } from './identity.ts';
import { buildFailed, endGrace, giveUpBuild, proofBuilt, renewBuild, stillSending, winProof } from './retrieval.ts';
import { close } from './transaction.ts';

const GRACE = 100;
const PROOFS = ['first', 'second'] as const;

/** What the requests and sweeps of several replicas do to one identity. */
type Step = (identity: Identity, proofId: string, now: Date) => ChangeResult;
const STEPS: Readonly<Record<string, Step>> = {
  win: (identity, proofId, now) => winProof(identity, { proofId, role: 'RELYING_SERVICE', now }),
  renew: renewBuild,
  built: (identity, proofId, now) =>
    proofBuilt(identity, { proofId, bytes: proofId.length, filename: `${proofId}.zip` }, GRACE, now),
  failed: (identity, proofId) => buildFailed(identity, proofId),
  sending: stillSending,
  giveUp: (identity, _proofId, now) => giveUpBuild(identity, now),
  endGrace: (identity, _proofId, now) => endGrace(identity, now),
  close: (identity, _proofId, now) => close(identity, 1000, now),
};

const step = fc.record({
  name: fc.constantFrom(...Object.keys(STEPS)),
  proofId: fc.constantFrom(...PROOFS),
  seconds: fc.nat(30),
});

/** The grace period ended before a complete download, and that closed the identity. */
const hasOutlivedItsGrace = ({ proof, closing }: Identity): boolean =>
  proof?.built !== undefined && closing !== undefined && proof.built.graceUntil <= closing.since;

test('whatever requests and sweeps do, in any order: an archive that was built stays the only one', () => {
  let built = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let identity = anIdentity();
      let seconds = 0;
      for (const { name, proofId, seconds: more } of steps) {
        seconds += more;
        const before = identity;
        identity = outcome(before, STEPS[name]!(before, proofId, after(seconds))).identity;
        if (before.state === 'CLOSING' && name === 'close' && hasOutlivedItsGrace(before))
          expect([identity.state, identity.proof]).toEqual(['CLOSED', undefined]);
        else if (before.proof?.built) {
          built += 1;
          expect(identity.proof).toMatchObject({
            proofId: before.proof.proofId,
            built: { bytes: before.proof.built.bytes, filename: before.proof.built.filename },
          });
          expect(['PROVING', 'CLOSING', 'CLOSED']).toContain(identity.state);
        }
        // Another process may build only after the former builder failed or its lease ended.
        const isTakenAway = before.state === 'PROVING' && identity.proof?.proofId !== before.proof?.proofId;
        if (isTakenAway) expect([name, identity.state]).toEqual([name === 'giveUp' ? 'giveUp' : 'failed', 'OPEN']);
      }
    }),
    { numRuns: 1000 },
  );
  expect(built).toBeGreaterThan(50);
});

test('whatever is asked meanwhile, a build whose lease is renewed is neither taken over nor given up', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 14 }), { minLength: 1, maxLength: 20 }), (pauses) => {
      let identity = outcome(anIdentity(), STEPS.win!(anIdentity(), 'first', after(0))).identity;
      let seconds = 0;
      for (const pause of pauses) {
        seconds += pause;
        const asked = outcome(identity, STEPS.win!(identity, 'second', after(seconds)));
        expect([asked.identity, giveUpBuild(identity, after(seconds))]).toEqual([identity, undefined]);
        identity = outcome(identity, renewBuild(identity, 'first', after(seconds))).identity;
      }
      expect(identity.proof?.proofId).toBe('first');
    }),
  );
});
