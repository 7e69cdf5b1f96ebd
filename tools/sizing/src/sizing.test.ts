import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readInputs, readMeasured, readMeasuredWorkers } from './inputs.ts';
import { pageOf } from './page.ts';
import { planFor } from './plan.ts';
import { arrivalsOf, type Stage, simulate, stagesOf, waitsOf } from './simulation.ts';

const measured = readMeasured();
const inputs = readInputs();

const times = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 40 });
const stage = fc.record({ servers: fc.integer({ min: 1, max: 5 }), ms: times });
const stages = fc.array(stage, { minLength: 1, maxLength: 4 });
const stageOf = ({ servers, ms }: { servers: number; ms: number[] }): Stage => ({
  name: 'stage',
  servers,
  serviceMs: (n) => ms[n % ms.length]!,
});
const ascending = (values: number[]): number[] => values.toSorted((one, other) => one - other);

describe("a file of one's own", () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-sizing-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const written = (content: object): string => {
    const file = join(folder, 'own.json');
    writeFileSync(file, JSON.stringify(content));
    return file;
  };

  test('is taken if it has all that ours has', () => {
    const own = { ...inputs, utilisation: 0.5, coresOfReplica: { others: 4 } };
    const file = written({ ...own, about: undefined });
    expect(readInputs(file)).toEqual({ ...own, about: undefined });
  });

  test('is refused, with what is missing or no number', () => {
    const { utilisation: _, prices, ...rest } = inputs;
    const own = { ...rest, shardCores: '16', prices: { ...prices, coreHour: null }, coresOfReplica: { others: '1' } };
    expect(() => readInputs(written(own))).toThrow(/: utilisation, coresOfReplica, shardCores, prices.coreHour$/);
    expect(() => readMeasured(written({}))).toThrow(/perVerification.processorMs/);
  });
});

describe('the simulation', () => {
  test('loses no document and adds none, and none leaves before it came and was served', () => {
    fc.assert(
      fc.property(times, stages, (came, given) => {
        const arrivals = ascending(came);
        const departures = simulate(arrivals, given.map(stageOf));
        const least = given.reduce((sum, { ms }) => sum + Math.min(...ms), 0);
        expect(departures).toHaveLength(arrivals.length);
        for (const [n, end] of departures.entries()) expect(end).toBeGreaterThanOrEqual(arrivals[n]! + least);
      }),
    );
  });

  test('with more servers anywhere is never slower: at any time at least as many documents have left', () => {
    fc.assert(
      fc.property(times, stages, fc.nat(3), fc.integer({ min: 1, max: 3 }), (came, given, at, more) => {
        const arrivals = ascending(came);
        const richer = given.map((each, n) =>
          n === at % given.length ? { ...each, servers: each.servers + more } : each,
        );
        const before = simulate(arrivals, given.map(stageOf));
        const after = simulate(arrivals, richer.map(stageOf));
        for (const [n, end] of after.entries()) expect(end).toBeLessThanOrEqual(before[n]!);
      }),
    );
  });

  test('with one server takes as long as its work, if all come at once', () => {
    const work = [30, 10, 20];
    expect(simulate([0, 0, 0], [stageOf({ servers: 1, ms: work })])).toEqual([30, 40, 60]);
    expect(simulate([0, 0, 0], [stageOf({ servers: 2, ms: work })])).toEqual([10, 30, 30]);
  });
});

describe('a plan', () => {
  const perMinute = fc.integer({ min: 1, max: 1_000_000 });

  test('for more documents never has less of anything', () => {
    fc.assert(
      fc.property(perMinute, perMinute, (one, other) => {
        const [few, many] = ascending([one, other]).map((each) => planFor(each, measured, inputs));
        for (const { service, replicas } of few!.services) {
          const more = many!.services.find((each) => each.service === service);
          expect(more!.replicas).toBeGreaterThanOrEqual(replicas);
        }
        for (const part of ['nodes', 'queues'] as const)
          expect(many!.broker[part]).toBeGreaterThanOrEqual(few!.broker[part]);
        expect(many!.database.shards).toBeGreaterThanOrEqual(few!.database.shards);
        expect(many!.money.perMonth).toBeGreaterThanOrEqual(few!.money.perMonth);
      }),
    );
  });

  test('never gives a replica more work than planned', () => {
    fc.assert(
      fc.property(perMinute, (each) => {
        for (const { service, cores, replicas } of planFor(each, measured, inputs).services) {
          const one = inputs.coresOfReplica[service] ?? inputs.coresOfReplica.others!;
          expect(cores).toBeLessThanOrEqual(replicas * one * inputs.utilisation * (1 + 1e-9));
        }
      }),
    );
  });

  test('has short queues when it is simulated', () => {
    const plan = planFor(1000, measured, inputs);
    const arrivals = arrivalsOf(3000, 1000, 7);
    const { p95 } = waitsOf(arrivals, simulate(arrivals, stagesOf(plan, measured, inputs, 7)));
    const work = Object.values(measured.perVerification.processorMs).reduce((sum, ms) => sum + ms, 0);
    expect(p95).toBeLessThan(3 * work);
  });
});

test('docs/scaling.md has the tables of `npm run sizing -- --page`', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/scaling.md'), 'utf8');
  for (const table of pageOf(measured, inputs, readMeasuredWorkers())) expect(page).toContain(table);
});
