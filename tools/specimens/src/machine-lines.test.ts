import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'mrz';
import { identityCardLines, passportLines, withWrongCheckDigit } from './machine-lines.ts';
import { randomPerson, SPECIMEN } from './person.ts';
import { seeded } from './random.ts';

describe('machine-readable lines', () => {
  test('the specimen passport has the lines of its data', () => {
    expect(passportLines(SPECIMEN)).toEqual([
      'P<UTOSPECIMEN<<BARRY<HENRY<<<<<<<<<<<<<<<<<<',
      'L898902C36UTO7408122M3504152<<<<<<<<<<<<<<<4',
    ]);
  });

  test('the data of any holder give lines that an independent parser finds valid', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const person = randomPerson(seeded(seed));
        for (const lines of [passportLines(person), identityCardLines(person)]) {
          const { details, fields } = parse(lines);
          expect(details.filter((detail) => !detail.valid && !/state|nationality/i.test(detail.field ?? ''))).toEqual(
            [],
          );
          expect(fields.lastName).toBe(person.surname);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('one wrong check digit makes that field invalid and changes nothing else', () => {
    const right = passportLines(SPECIMEN);
    const wrong = withWrongCheckDigit(right, 'passport', 'birthDate');
    expect(wrong[0]).toBe(right[0]);
    expect([...(wrong[1] ?? '')].filter((character, index) => character !== right[1]?.[index])).toHaveLength(1);
    expect(parse(wrong).details.find((detail) => detail.field === 'birthDateCheckDigit')?.valid).toBe(false);
  });
});
