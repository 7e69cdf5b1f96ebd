import { expect, test } from '@jest/globals';
import { plainReference } from './reference.ts';

const values = { number: 'T6423 5781', surname: "O'BRIEN", dateOfBirth: '1985-02-03', postcode: '123' };

test.each(['A-1', '0b6c1f3e-8f8d-4c52-9d0f-3b8f1f0e7a11', 'urn:dvs/2026.11=9+1', '123-1'])(
  'a source may call its answer %s',
  (reference) => expect(plainReference(reference, values)).toBe(reference),
);

test.each([
  ['prose', 'checked for Ann'],
  ['a number that was asked', 'ref-t64235781'],
  ['a name that was asked', 'OBRIEN.7'],
  ['a date that was asked', '19850203/44'],
  ['a text without end', 'x'.repeat(65)],
  ['nothing', undefined],
])('%s is no reference: it would be stored in clear', (_what, reference) =>
  expect(plainReference(reference, values)).toBeUndefined(),
);
