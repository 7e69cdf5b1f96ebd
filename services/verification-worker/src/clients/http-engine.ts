import { type Engine, EngineClosed, EngineCrashed, EngineFault, EngineTimeout } from '../engine/engine.ts';
import type { Comparison } from '../engine/faces/template.ts';
import {
  documentJobToWire,
  documentResultFromWire,
  portraitJobToWire,
  portraitResultFromWire,
} from '../engine/wire.ts';

export interface HttpEngineOptions {
  /** Where the engine answers, for example `http://engine:9400`. */
  url: string;
  /** Sent as a bearer token. */
  token?: string;
  /** What reads documents there, in which version. */
  reader: Engine['reader'];
  /** Jobs sent at once; the rest wait here. */
  capacity: number;
  /** Wall-clock milliseconds for one answer, 30 s unless said otherwise. */
  timeoutMs?: number;
}

/** Another engine behind HTTP (docs/engines.md), with the same manners as the pool: one retry when it fails, none when it is too slow. */
export function createHttpEngine({ url, token, reader, capacity, timeoutMs = 30_000 }: HttpEngineOptions): Engine {
  const closing = new AbortController();
  const waiting: (() => void)[] = [];
  let running = 0;

  const inTurn = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    if (running >= capacity) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
    try {
      if (closing.signal.aborted) throw new EngineClosed('the engine is closed');
      return await work();
    } finally {
      running--;
      waiting.shift()?.();
    }
  };

  const ask = async (path: string, body: unknown): Promise<string> => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]);
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    try {
      const request = { method: 'POST', headers, body: JSON.stringify(body), signal, redirect: 'error' } as const;
      const reply = await fetch(new URL(path, url), request);
      if (reply.status >= 500) throw new EngineCrashed(`status ${reply.status}`);
      if (!reply.ok) throw new EngineFault(`status ${reply.status}`);
      return await reply.text();
    } catch (error) {
      if (closing.signal.aborted) throw new EngineClosed('the engine is closed');
      if (signal.aborted) throw new EngineTimeout(`longer than ${timeoutMs} ms`);
      throw error instanceof EngineFault ? error : new EngineCrashed('no answer', { cause: error });
    }
  };

  const askTwice = (path: string, body: unknown): Promise<string> =>
    inTurn(() =>
      ask(path, body).catch((error: unknown) => {
        if (error instanceof EngineCrashed) return ask(path, body);
        throw error;
      }),
    );

  const understood = async <Result>(answer: Promise<string>, read: (value: unknown) => Result): Promise<Result> => {
    const text = await answer;
    try {
      return read(JSON.parse(text));
    } catch (error) {
      throw new EngineFault('the answer is not an engine result', { cause: error });
    }
  };

  return {
    reader,
    capacity,
    pending: () => running + waiting.length,
    document: (job) => understood(askTwice('v1/document', documentJobToWire(job)), documentResultFromWire),
    portrait: (job) => understood(askTwice('v1/portrait', portraitJobToWire(job)), portraitResultFromWire),
    compare: (a, b) => understood(askTwice('v1/compare', { a, b }), comparisonOf),
    close: async () => {
      closing.abort();
      for (const next of waiting.splice(0)) next();
    },
  };
}

function comparisonOf(value: unknown): Comparison {
  const { distance, model } = value as Partial<Comparison>;
  if (typeof distance !== 'number' || !Number.isFinite(distance) || typeof model !== 'string')
    throw new TypeError('not a comparison');
  return value as Comparison;
}
