import { isDayOver } from '@assay/chip';
import { type HealthCard, isOver, todayAt } from '@assay/contracts';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { confirmedExpiry, expiryIndicators } from './expiry.ts';

const card = (cardType: HealthCard['cardType'], expiryDate: string): HealthCard => ({
  cardNumber: '2428778132',
  individualReferenceNumber: 1,
  cardType,
  expiryDate,
  personalAttributes: { fullname: { value: 'John Citizen' }, dateOfBirth: { value: '1974-08-12' } },
});

test.each([
  ['Y', '2026-04-30', '2026-05-01T11:59:59Z', 'UNVERIFIED'],
  ['Y', '2026-04-30', '2026-05-01T12:00:00Z', 'FAILED'],
  ['G', '2026-04-01', '2026-05-01T11:59:59Z', 'UNVERIFIED'],
  ['G', '2026-04-01', '2026-05-01T12:00:00Z', 'FAILED'],
] as const)('a card of type %s until %s is at %s %s: its last day is over everywhere', (type, until, at, state) => {
  expect(expiryIndicators(card(type, until), todayAt(new Date(at)))).toEqual([`DOC_EXPIRATION_DATE_${state}`]);
});

test('a stated expiry date is reported as right only if the issuer was asked about it and confirmed it', () => {
  const ok = ['DOC_EXPIRATION_DATE_OK'];
  const verified = 'GIV_VERIFICATION_VERIFIED';
  expect(confirmedExpiry({ raised: [verified], asked: ['number', 'expiryDate'] })).toEqual(ok);
  expect(confirmedExpiry({ raised: [verified], asked: ['number'] })).toEqual([]);
  expect(confirmedExpiry({ raised: [verified, 'EXPIRYDATE_COMPARE_OK'] })).toEqual(ok);
  expect(confirmedExpiry({ raised: [verified, 'EXPIRYDATE_COMPARE_UNVERIFIED'], asked: ['expiryDate'] })).toEqual([]);
  expect(confirmedExpiry({ raised: ['GIV_VERIFICATION_UNVERIFIED'], asked: ['expiryDate'] })).toEqual([]);
});

test('chips expire by the same rule as all other evidence', () => {
  const days = fc.date({ min: new Date('2000-01-01'), max: new Date('2060-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(days, fc.integer({ min: -72, max: 72 }), (at, hours) => {
      const day = new Date(at.getTime() + hours * 3_600_000).toISOString().slice(0, 10);
      expect(isDayOver(day, at)).toBe(isOver(day, todayAt(at)));
    }),
  );
});
