import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type EngineProcess, startEngineProcess } from './engine-process.ts';

const program = path.join(import.meta.dirname, 'testing/misbehaving-host.ts');
const limits = { requestMs: 1000, startMs: 90_000, memoryMb: 700 };

let engine: EngineProcess;
afterEach(() => engine.end());

const misbehaving = async (how: 'sleep' | 'hang') => {
  engine = await startEngineProcess(limits, new AbortController().signal, program);
  return engine.run({ kind: 'misbehave', how } as { kind: string });
};

describe('the limit of a request', () => {
  test('is of processor time: a process that got none may finish', async () => {
    engine = await startEngineProcess(limits, new AbortController().signal, program);
    const result = engine.run({ kind: 'misbehave', how: 'sleep' } as { kind: string });
    process.kill(engine.pid, 'SIGSTOP');
    await wait(1.5 * limits.requestMs);
    process.kill(engine.pid, 'SIGCONT');
    expect(await result).toMatchObject({ kind: 'answer' });
  }, 120_000);

  test('ends a request that uses it up', async () => {
    expect(await misbehaving('hang')).toEqual({ kind: 'timeout' });
  }, 120_000);

  test('ends one that gets no processor for four times as long', async () => {
    engine = await startEngineProcess(limits, new AbortController().signal, program);
    const result = engine.run({ kind: 'misbehave', how: 'sleep' } as { kind: string });
    process.kill(engine.pid, 'SIGSTOP');
    expect(await result).toEqual({ kind: 'timeout' });
  }, 120_000);
});
