import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Rig, startRig } from './testing/rig.ts';
import { aLicence } from './testing/simulators.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ questionMs: 3000 });
});
afterAll(() => rig.close());

// Four: as every fifth question is treated, five asked in turn would have one of them treated every
// time, and its breaker open.
const STATES = ['TX', 'GA', 'FL', 'VA'];
const CHECKS = 24;

// Every fifth question is treated. What the source says late is the opposite of the truth: whoever
// took it would be found out.
test.each([
  { mode: 'outage' },
  { mode: 'malformed' },
  { mode: 'slow', delayMs: 300 },
  { mode: 'late', delayMs: 4000, wrong: true },
])(
  'with the source failing at 20 % ($mode) every check ends rightly, and is counted once',
  async (behaviour) => {
    const licences = Array.from({ length: CHECKS }, (_, index) => aLicence('USA', STATES[index % STATES.length]!));
    await Promise.all(licences.map((licence) => rig.simulators.record('aamva', licence)));
    await rig.simulators.behave('aamva', { ...behaviour, rate: 0.2 });
    // Every other document is shown by somebody else.
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
    // Five attempts each: the chance that one check is treated every time is small, and none is if
    // the share is spread evenly.
    expect(answers.filter(({ result }) => result === 'UNVERIFIED').length).toBeLessThanOrEqual(2);
    const { byDocument } = await rig.simulators.counts('aamva');
    for (const { idDocumentNumber } of licences) expect(byDocument[idDocumentNumber]).toBe(1);
  },
  90_000,
);
