import { describe, expect, test } from '@jest/globals';
import type { PlacedLine } from './placed-line.ts';
import { type PrintFound, placesOf } from './places.ts';

const line = (text: string, left: number, y: number, more: Partial<PlacedLine> = {}): PlacedLine => ({
  side: 'FRONT',
  text,
  confidence: 0.99,
  left,
  right: left + 100,
  x: left + 50,
  y,
  height: 20,
  ...more,
});
const front = (rotation: 0 | 90 | 180 | 270 = 0) => ({ FRONT: { width: 1000, height: 500, rotation } });
const places = (more: Partial<PrintFound>) =>
  placesOf({ lines: [], checks: {}, labelled: {}, expected: {}, sides: front(), ...more });
const near = { birthDate: { match: 'near', edits: 1, seen: '12 AUG 1947' } } as const;
const born = line('12 AUG 1947', 200, 100);

describe('the place of print that differs', () => {
  test('is the line with a similar value, and absent if the print agrees', () => {
    const exact = { surname: { match: 'exact', edits: 0, seen: 'SPECIMEN' } } as const;
    expect(places({ lines: [line('SPECIMEN', 0, 50), born], checks: { ...exact, ...near } })).toEqual({
      birthDate: {
        side: 'FRONT',
        text: '12 AUG 1947',
        left: 0.2,
        top: 0.18,
        width: expect.closeTo(0.1),
        height: expect.closeTo(0.04),
      },
    });
  });

  test('is the print at the label if nothing similar to the value was read', () => {
    const absent = { birthDate: { match: 'absent', edits: 7 }, surname: { match: 'absent', edits: 9 } } as const;
    const lines = [line('16 APR 2025', 0, 300), line('15 JAN 1982 M', 200, 100), line('Muster-Mann', 0, 50)];
    const found = places({ lines, checks: absent, labelled: { birthDate: '1982-01-15', surname: 'MUSTER-MANN' } });
    expect(found).toMatchObject({ birthDate: { text: '15 JAN 1982', left: 0.2 }, surname: { text: 'MUSTER-MANN' } });
    expect(places({ lines, checks: absent })).toEqual({});
  });

  test('is the other sex', () => {
    const lines = [line('M', 0, 50), line('Sex F', 300, 100)];
    expect(places({ lines: lines.slice(1), sex: 'WARNING', expected: { sex: 'M' } })).toMatchObject({
      sex: { text: 'F', left: 0.3 },
    });
    expect(places({ lines, sex: 'OK', expected: { sex: 'M' } })).toEqual({});
  });

  test.each([
    [90, { left: 0.18, top: 0.7, width: 0.04, height: 0.1 }],
    [180, { left: 0.7, top: 0.78, width: 0.1, height: 0.04 }],
    [270, { left: 0.78, top: 0.2, width: 0.04, height: 0.1 }],
  ] as const)(
    'is reported on the picture as it was sent, which was turned by %d degrees to be read',
    (rotation, place) => {
      const found = places({ lines: [born], checks: near, sides: front(rotation) }).birthDate!;
      for (const [name, share] of Object.entries(place))
        expect([name, found[name as keyof typeof place]]).toEqual([name, expect.closeTo(share)]);
    },
  );

  test('contains the whole of a slanted line, and stays within the picture', () => {
    const slanted = { ...born, left: -10, slope: 0.1 };
    const { top, height, left } = places({ lines: [slanted], checks: near }).birthDate!;
    expect([left, top, height]).toEqual([0, expect.closeTo(0.149), expect.closeTo(0.102)]);
  });

  test('is never on a side that was not read', () => {
    expect(places({ lines: [{ ...born, side: 'BACK' }], checks: near })).toEqual({});
  });
});
