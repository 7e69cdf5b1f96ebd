import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pauseBefore } from './keeper.ts';
import { newApiKey, newSeed } from './seed.ts';
import { addressesOf, layOut, suitePrograms } from './suite.ts';

const block = Array.from({ length: 60 }, (_, index) => 20_000 + index);

describe('the layout of a suite', () => {
  test('gives every process ports of its own, and the same ones again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 16 }), (workers) => {
        const members = layOut(suitePrograms, { 'verification-worker': workers }, block);
        const ports = members.flatMap((member) => Object.values(member.ports));
        expect(new Set(ports).size).toBe(ports.length);
        expect(members).toHaveLength(suitePrograms.length - 1 + workers);
        expect(layOut(suitePrograms, { 'verification-worker': workers }, block)).toEqual(members);
      }),
    );
  });

  test('says when the block is too small', () => {
    expect(() => layOut(suitePrograms, { 'verification-worker': 40 }, block)).toThrow(/fewer workers/);
  });

  test('names the first copy of a program to the others', () => {
    const members = layOut(suitePrograms, { 'verification-worker': 3 }, block);
    const [first] = members.filter(({ program }) => program.name === 'verification-worker');
    const addresses = addressesOf(members);
    expect(first?.label).toBe('verification-worker-1');
    expect(addresses.VERIFICATION_WORKER_URL).toBe(`http://127.0.0.1:${first?.ports.HTTP_PORT}`);
    expect(addresses.SMS_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sms$/);
    expect(addresses.SMTP_URL).toMatch(/^smtp:/);
  });
});

test('a process that keeps ending is started again within three seconds, ever', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 1_000 }), (ends) => pauseBefore(ends) < 3_000));
  expect(pauseBefore(1)).toBe(0);
});

test('a seed has two tenants and seven keys, each of its own', () => {
  const { tenants, administrator } = newSeed();
  const keys = [...tenants.flatMap((tenant) => Object.values(tenant.keys)), administrator];
  expect(new Set(keys).size).toBe(7);
  expect(newApiKey('ua')).toMatch(/^asy_ua_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}$/);
  expect(tenants[1].settings).toEqual({ acceptSpecimens: true });
});
