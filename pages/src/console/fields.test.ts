import { describe, expect, test } from '@jest/globals';
import { differencesOn, fieldsRead } from './fields.ts';
import { likenessInWords, limitsInWords } from './likeness.ts';
import { totalOf } from './totals.ts';
import { ago, duration } from './words.ts';

describe('the values that were read', () => {
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

  test('are shown with the printed ones if both differ, otherwise alone', () => {
    const given = { key: 'givenNames', confirmed: false, differs: true, printed: 'ANNA MARIE' };
    expect(fieldsRead(fields, ['BIRTHDATE', 'FIRSTNAMES'])).toEqual([
      { key: 'idDocumentNumber', label: 'Document number', value: 'L898902C3', confirmed: false, differs: false },
      {
        key: 'dateOfBirth',
        label: 'Date of birth',
        value: '1974-08-12',
        confirmed: false,
        differs: true,
        printed: '12 AUG 1947',
      },
      { key: 'surname', label: 'Surname', value: 'SPECIMEN', confirmed: true, differs: false },
      { ...given, label: 'Given names, 1', value: 'ANNA' },
      { ...given, label: 'Given names, 2', value: 'MARIA' },
    ]);
  });

  test('also differ if the print could not be read again', () => {
    const [read] = fieldsRead({ personalAttributes: { surname: { value: 'A', verified: true } } }, ['SURNAME']);
    expect(read).toEqual({ key: 'surname', label: 'Surname', value: 'A', confirmed: false, differs: true });
  });

  test('are marked on the side where the print differs, with both values', () => {
    const at = { left: 0.1, top: 0.2, width: 0.3, height: 0.04 };
    const birth = { field: 'dateOfBirth', side: 'FRONT', printed: '15 JAN 1982', ...at } as const;
    const names = { field: 'givenNames', side: 'BACK', printed: 'ANNA MARIE', ...at } as const;
    const { printed, ...read } = fields;
    // The place has the printed value, if nothing else has it.
    expect(fieldsRead(read, ['BIRTHDATE'], [birth])).toContainEqual(
      expect.objectContaining({ key: 'dateOfBirth', printed: '15 JAN 1982' }),
    );
    const against = ['BIRTHDATE', 'FIRSTNAMES'];
    expect(differencesOn('FRONT', fields, against, [birth, names])).toEqual([
      { label: 'Date of birth', place: birth, value: '1974-08-12' },
    ]);
    expect(differencesOn('BACK', fields, against, [birth, names])).toEqual([
      { label: 'Given names', place: names, value: 'ANNA MARIA' },
    ]);
    // A field that the checks do not name is not marked, nor is any image other than the document's
    // sides.
    expect(differencesOn('FRONT', fields, ['FIRSTNAMES'], [birth])).toEqual([]);
    expect(differencesOn('CROP', fields, against, [birth, names])).toEqual([]);
  });
});

test.each([
  [0.1, 'one photograph'],
  [0.5, 'one person usually'],
  [0.6, 'nearer to one person'],
  [0.65, 'nearer to two people'],
  [0.7, 'two people do'],
])('a distance of %d is described as: %s', (distance, words) => {
  const similarity = { distance, samePhoto: 0.3, match: 0.58, refuse: 0.66 };
  expect(likenessInWords(similarity)).toContain(words);
  expect(limitsInWords(similarity)).toContain(`distance ${distance.toFixed(2)}: below 0.30`);
});

test('figures of days are summed by name', () => {
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

test('a length of time is said in the unit that people would take', () => {
  expect([42, 600, 7200, 86_400, 90 * 86_400].map(duration)).toEqual(['42 s', '10 min', '2 h', '24 h', '90 days']);
  expect(ago('2026-11-20T00:00:00.000', Date.parse('2026-11-27T01:00:00Z'))).toBe('7 days ago');
});
