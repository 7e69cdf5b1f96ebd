import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Rig, startRig } from './testing/rig.ts';
import { aLicence } from './testing/simulators.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ questionMs: 3000 });
});
afterAll(() => rig.close());

// Four states: every fifth question fails, so with five states one of them would get every failure,
// and its circuit breaker would open.
const STATES = ['TX', 'GA', 'FL', 'VA'];
const CHECKS = 24;

// Every fifth question fails. A late answer says the opposite of the truth, so a check that used it
// would show.
test.each([
  { mode: 'outage' },
  { mode: 'malformed' },
  { mode: 'slow', delayMs: 300 },
  { mode: 'late', delayMs: 4000, wrong: true },
])(
  'with the source failing at 20 % ($mode) every check has the right result, and is counted once',
  async (behaviour) => {
    const licences = Array.from({ length: CHECKS }, (_, index) => aLicence('USA', STATES[index % STATES.length]!));
    await Promise.all(licences.map((licence) => rig.simulators.record('aamva', licence)));
    await rig.simulators.behave('aamva', { ...behaviour, rate: 0.2 });
    // Another person shows every other document.
    const shown = licences.map((licence, index) =>
      index % 2 === 0
        ? licence
        : { ...licence, personalAttributes: { ...licence.personalAttributes, surname: { value: 'Impostor' } } },
    );
    const answers = await Promise.all(
      shown.map((document) => rig.check({ document, type: 'DRIVING_LICENSE' }, 80_000)),
    );
    answers.forEach(({ result, raisedIndicators }, index) => {
      expect(index % 2 === 0 ? ['VERIFIED', 'UNVERIFIED'] : ['FAILED', 'UNVERIFIED']).toContain(result);
      if (result === 'UNVERIFIED') expect(raisedIndicators).toContain('GIV_AVAILABILITY_FAILED');
    });
    // Each check has five attempts: one that fails every time is unlikely, and there is none if the
    // failures are spread evenly.
    expect(answers.filter(({ result }) => result === 'UNVERIFIED').length).toBeLessThanOrEqual(2);
    const { byDocument } = await rig.simulators.counts('aamva');
    for (const { idDocumentNumber } of licences) expect(byDocument[idDocumentNumber]).toBe(1);
  },
  90_000,
);
