import { expect, test } from '@jest/globals';
import { agreement } from '../testing/case-builders.ts';
import { agreementOf, noFacts } from './facts.ts';

const ids = Array.from({ length: 40 }, (_, at) => `evidence-${at}`);
const pairs = ids.flatMap((one, at) => ids.slice(at + 1).map((other) => [one, other] as const));

test('an agreement is found in either order of its evidences, and without a search through all others', () => {
  let looks = 0;
  const agreements = pairs.map(([one, other]) =>
    Object.defineProperty(agreement(one, other, 'AGREE'), 'a', {
      get: () => {
        looks += 1;
        return one;
      },
    }),
  );
  const facts = { ...noFacts(), agreements };
  for (const [at, [one, other]] of pairs.entries()) {
    expect(agreementOf(facts, one, other)).toBe(agreements[at]);
    expect(agreementOf(facts, other, one)).toBe(agreements[at]);
  }
  expect(agreementOf(facts, 'evidence-0', 'unknown')).toBeUndefined();
  expect(looks).toBeLessThanOrEqual(2 * pairs.length);
});
