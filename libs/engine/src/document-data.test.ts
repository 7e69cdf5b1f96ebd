import { expect, test } from '@jest/globals';
import { documentData } from './document-data.ts';
import { readingOf, ZONE } from './testing/readings.ts';

const names = (nameTruncated: boolean, givenNames: string[]) => {
  const mrz = { ...ZONE, fields: { ...ZONE.fields, givenNames, nameTruncated } };
  const data = documentData(mrz, undefined, readingOf({}).visual, undefined);
  return [data.surname, ...data.givenNames].map((name) => name?.confirmed);
};

test('what is left of a name that its line may have cut is not confirmed', () => {
  expect(names(false, ['ANNA', 'MARIA'])).toEqual([true, true, true]);
  expect(names(true, ['ANNA', 'MAR'])).toEqual([true, true, false]);
  expect(names(true, ['AN'])).toEqual([true, false]);
  expect(names(true, [])).toEqual([false]);
});
