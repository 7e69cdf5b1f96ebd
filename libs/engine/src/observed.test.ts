import { expect, test } from '@jest/globals';
import { type Engine, EngineTimeout } from './engine.ts';
import { observedEngine } from './observed.ts';

test('of a job without a result the cause is told, and its caller gets it, too', async () => {
  const cause = new EngineTimeout('longer than 5 ms');
  const failing = async () => {
    throw cause;
  };
  const engine: Engine = {
    ...{ reader: { name: 'r', version: '1' }, capacity: 1, pending: () => 0, close: async () => undefined },
    ...{ document: failing, portrait: failing, compare: failing },
  };
  const seen: unknown[] = [];
  const observed = observedEngine(engine, (job, error) => seen.push([job, error]));
  const template = { recipe: 'r', descriptor: '', embedding: '', faceWidth: 1 };
  await expect(observed.portrait({ image: Buffer.alloc(3) })).rejects.toBe(cause);
  await expect(observed.compare(template, template)).rejects.toBe(cause);
  expect(seen).toEqual([
    ['portrait', cause],
    ['compare', cause],
  ]);
});
