import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dateDistance, datesIn } from './dates.ts';

const shows = (text: string, iso: string): boolean => datesIn(text).some((date) => dateDistance(date, iso) === 0);

describe('printed dates', () => {
  test.each([
    ['12 AUG 1974', '1974-08-12'],
    ['12 AUG/AOUT 74', '1974-08-12'],
    ['12.08.1974', '1974-08-12'],
    ['1974-08-12', '1974-08-12'],
    ['08/12/1974', '1974-08-12'],
    ['Aug 12, 1974', '1974-08-12'],
    ['03 0CT 2020', '2020-10-03'],
    ['01 JUL 2001', '2001-07-01'],
    ['17112/1988', '1988-12-17'],
    ['14 JUIL/JUL 1999', '1999-07-14'],
    ['14 JUIN/JUN 1999', '1999-06-14'],
    ['14 JUILLET 1999', '1999-07-14'],
    ['05 MÄRZ 1990', '1990-03-05'],
    ['12 CEP/AUG74', '1974-08-12'],
    ['12 PAZ/OCT 1974', '1974-10-12'],
    ['12.8.1974', '1974-08-12'],
    ['1.2.1974', '1974-02-01'],
    ['12.VIII.1974', '1974-08-12'],
    ['12 XI 1974', '1974-11-12'],
    ['12. IV. 1974', '1974-04-12'],
    ['3.V.1990', '1990-05-03'],
    ['12.VI1I.1974', '1974-08-12'],
  ])('%s shows %s', (text, iso) => {
    expect(shows(text, iso)).toBe(true);
  });

  test('a month in Roman numerals is that month alone', () => {
    const roman = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII'];
    for (const [i, printed] of roman.entries())
      for (const month of roman.keys())
        expect(shows(`07.${printed}.1974`, `1974-${String(month + 1).padStart(2, '0')}-07`)).toBe(month === i);
    expect(datesIn('12.IIX.1974')).toEqual([]);
    expect(datesIn('12.XIII.1974')).toEqual([]);
  });

  test('July in French is not June', () => {
    expect(shows('14 JUIL 1999', '1999-06-14')).toBe(false);
  });

  test('a month of one figure is not the end of a longer one', () => {
    expect(datesIn('15.12.8.1974').some(({ day, month }) => day === 2 && month === 8)).toBe(false);
    expect(shows('12.8.1974', '1974-08-02')).toBe(false);
    expect(shows('12 AUG/OCT 1974', '1974-08-12')).toBe(true);
  });

  test('seven digits of a number are no date', () => {
    expect(datesIn('XN8308374')).toEqual([]);
    expect(shows('XN8302034', '2034-08-30')).toBe(false);
    expect(shows('12081974', '1974-08-12')).toBe(true);
    expect(shows('8.12.1974', '1974-12-08')).toBe(true);
  });

  test('a printed century is used', () => {
    expect(shows('12 AUG 2974', '1974-08-12')).toBe(false);
    expect(shows('12 AUG 3974', '1974-08-12')).toBe(false);
  });

  test('a date with one changed digit never matches', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1930-01-01'), max: new Date('2060-12-31'), noInvalidDate: true }),
        fc.constantFrom(0, 1, 3, 4, 6, 7, 8, 9),
        fc.integer({ min: 1, max: 9 }),
        (date, place, by) => {
          const iso = date.toISOString().slice(0, 10);
          const printed = `${iso.slice(8)}.${iso.slice(5, 7)}.${iso.slice(0, 4)}`;
          const changed =
            printed.slice(0, place) + String((Number(printed[place]) + by) % 10) + printed.slice(place + 1);
          fc.pre(/\d/.test(printed[place]!));
          // Figures can be read day first or month first, so another date may match in the other
          // order.
          const [day, month] = [changed.slice(0, 2), changed.slice(3, 5)];
          fc.pre(`${changed.slice(6)}-${day}-${month}` !== iso);
          expect(shows(printed, iso)).toBe(true);
          expect(shows(changed, iso)).toBe(false);
        },
      ),
    );
  });
});

test('a month as a figure before its English name is no day', () => {
  const read = (text: string) => datesIn(text).map(({ year, month, day }) => [year, month, day]);
  expect(read('12 8/AUG 1974')).toEqual([[1974, 8, 12]]);
  expect(read('15 4/APR 2035')).toEqual([[2035, 4, 15]]);
  expect(read('8/AUG 1974')).toEqual([[1974, 8, 8]]);
});
