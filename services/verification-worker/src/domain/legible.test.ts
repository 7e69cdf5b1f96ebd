import { expect, test } from '@jest/globals';
import { legible } from './legible.ts';

test('text from a document is shown with visible characters only, in every member', () => {
  const read = {
    person: { surname: 'SA\u202eMPLE', givenNames: ['A\u0007NN', '\ud800'], cut: false },
    places: [{ field: 'surname', printed: 'SAM\u2066PLE', x: 0.5 }],
    zone: undefined,
  };
  expect(legible(read)).toEqual({
    person: { surname: 'SAMPLE', givenNames: ['ANN', ''], cut: false },
    places: [{ field: 'surname', printed: 'SAMPLE', x: 0.5 }],
    zone: undefined,
  });
});

test('names of any script stay as they are', () => {
  const names = ['\u0645\u062d\u0645\u062f', 'Zo\u00eb O\u2019Neill', '\u5c71\u7530'];
  expect(legible(names)).toEqual(names);
});
