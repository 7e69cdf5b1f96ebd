import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ALTERABLE_FIELDS, applyAlteration, STATE_FIELDS } from './alteration.ts';
import { randomPerson } from './person.ts';
import { seeded } from './random.ts';

test('an alteration changes the named field of one reading and nothing else', () => {
  fc.assert(
    fc.property(
      fc.integer(),
      fc.constantFrom(...ALTERABLE_FIELDS, ...STATE_FIELDS),
      fc.constantFrom('visual', 'machine'),
      (seed, field, kind) => {
        const random = seeded(seed);
        const person = randomPerson(random);
        const { printed, machine } = applyAlteration(person, { kind: kind as 'visual' | 'machine', field }, random);
        const [changed, unchanged] = kind === 'visual' ? [printed, machine] : [machine, printed];
        expect(unchanged).toEqual(person);
        expect(changed[field]).not.toEqual(person[field]);
        expect({ ...changed, [field]: person[field] }).toEqual(person);
      },
    ),
    { numRuns: 100 },
  );
});
