import { expect, test } from '@jest/globals';
import { valuesOn } from './lone-side.ts';
import { labelledValues } from './viz/labels.ts';

const line = (side: 'FRONT' | 'BACK', text: string, y: number) => ({
  ...{ side, text, y, confidence: 0.99, left: 0, right: 300, x: 150, height: 20 },
});
const values = (lone: 'FRONT' | undefined) =>
  valuesOn(
    lone,
    [
      line('FRONT', 'Surname SMITH', 20),
      line('BACK', 'Date of birth 12 MAY 1980', 20),
      line('BACK', 'Card number 2034567890', 60),
    ],
    (lines) => labelledValues(lines, undefined),
  );

test('a second picture without the document adds no birth date to its data', () => {
  expect(values(undefined)).toMatchObject({ surname: 'SMITH', birthDate: '1980-05-12' });
  expect(values('FRONT')).toEqual({ surname: 'SMITH', cardNumber: '2034567890' });
});
