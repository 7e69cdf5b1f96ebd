import { expect, test } from '@jest/globals';
import { plainCode, plainDigits } from './digits.ts';

test.each(['123456', '١٢٣٤٥٦', '۱۲۳۴۵۶', '１２３４５６'])('%s is 123456', (text) => {
  expect(plainDigits(text)).toBe('123456');
});

test('a code may be grouped, and a number retains what is not a digit', () => {
  expect(plainCode(' ١٢٣ 456 ')).toBe('123456');
  expect(plainCode('123-456')).toBe('123456');
  expect(plainDigits('+966 ٥٠ 123')).toBe('+966 50 123');
});
