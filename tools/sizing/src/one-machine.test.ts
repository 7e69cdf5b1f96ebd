import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stepsOf, throughputOf } from './one-machine.ts';

const steps = fc
  .array(fc.integer({ min: 20, max: 800 }), { minLength: 2, maxLength: 5 })
  .map((parts) => parts.map((ms, n) => ({ service: n === 1 ? 'verification-worker' : 'others', ms })));
const few = fc.integer({ min: 1, max: 6 });

describe('one machine', () => {
  test('does no more than its cores, its clients and the worker have time for', () => {
    fc.assert(
      fc.property(steps, few, few, few, (given, cores, clients, workers) => {
        const perMinute = throughputOf(given, { cores, clients, atOnce: { 'verification-worker': workers } });
        const all = given.reduce((sum, { ms }) => sum + ms, 0);
        const worker = given[1]!.ms;
        const most = 60_000 * Math.min(cores / all, clients / all, workers / worker);
        // Unfinished work at the end was worked on as well.
        expect(perMinute).toBeLessThanOrEqual(most * 1.02);
      }),
      {
        numRuns: 40,
        // The rest of a turn is no start of the next step: it made the worker do two at once.
        examples: [[['others', 'verification-worker'].map((service) => ({ service, ms: 27 })), 3, 3, 1]],
      },
    );
  });

  test('is as fast as its cores if nothing else limits it, and as the worker if that does', () => {
    const given = [
      { service: 'others', ms: 100 },
      { service: 'verification-worker', ms: 400 },
      { service: 'others', ms: 100 },
    ];
    const machine = { cores: 2, clients: 8, atOnce: { 'verification-worker': 4 } };
    expect(throughputOf(given, machine)).toBeCloseTo(200, -1);
    expect(throughputOf(given, { ...machine, cores: 8, atOnce: { 'verification-worker': 1 } })).toBeCloseTo(150, -1);
  });

  test('uses all measured values', () => {
    const given = stepsOf({ gateway: 100, 'verification-worker': 300, mongodb: 60 });
    expect(given.map(({ ms }) => ms)).toEqual([80, 300, 80]);
  });
});
