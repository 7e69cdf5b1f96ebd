import { describe, expect, test } from '@jest/globals';
import { fieldsRead } from './fields.ts';
import { likenessInWords, limitsInWords } from './likeness.ts';
import { totalOf } from './totals.ts';

describe('what was read', () => {
  const fields = {
    idDocumentNumber: 'L898902C3',
    personalAttributes: {
      dateOfBirth: { value: '1974-08-12', verified: true },
      surname: { value: 'SPECIMEN', verified: true },
      givenNames: [
        { value: 'ANNA', verified: true },
        { value: 'MARIA', verified: true },
      ],
    },
    printed: {
      documentNumber: 'L898902C3',
      holderInformation: [{ dateOfBirth: '12 AUG 1947', surname: 'SPECIMEN', givenNames: ['ANNA', 'MARIE'] }],
    },
  };

  test('stands beside what is printed where the two differ, and alone elsewhere', () => {
    expect(fieldsRead(fields, ['BIRTHDATE', 'FIRSTNAMES'])).toEqual([
      { label: 'Document number', value: 'L898902C3', confirmed: false, differs: false },
      { label: 'Date of birth', value: '1974-08-12', confirmed: false, differs: true, printed: '12 AUG 1947' },
      { label: 'Surname', value: 'SPECIMEN', confirmed: true, differs: false },
      { label: 'Given names, 1', value: 'ANNA', confirmed: false, differs: true, printed: 'ANNA MARIE' },
      { label: 'Given names, 2', value: 'MARIA', confirmed: false, differs: true, printed: 'ANNA MARIE' },
    ]);
  });

  test('differs also where the print could not be read again', () => {
    const [read] = fieldsRead({ personalAttributes: { surname: { value: 'A', verified: true } } }, ['SURNAME']);
    expect(read).toEqual({ label: 'Surname', value: 'A', confirmed: false, differs: true });
  });
});

test.each([
  [0.1, 'one photograph'],
  [0.5, 'one person usually'],
  [0.6, 'nearer to one person'],
  [0.65, 'nearer to two people'],
  [0.7, 'two people do'],
])('a distance of %d is said as: %s', (distance, words) => {
  const similarity = { distance, samePhoto: 0.3, match: 0.58, refuse: 0.66 };
  expect(likenessInWords(similarity)).toContain(words);
  expect(limitsInWords(similarity)).toContain(`distance ${distance.toFixed(2)}: below 0.30`);
});

test('figures of days are added up by name', () => {
  const days = [
    { date: '1', reason: 'B', opened: 1 },
    { date: '1', reason: 'A', opened: 2 },
    { date: '2', reason: 'B', opened: 3 },
  ];
  expect(totalOf(days, ({ reason }) => reason, ['opened'])).toEqual([
    ['A', { opened: 2 }],
    ['B', { opened: 4 }],
  ]);
});
