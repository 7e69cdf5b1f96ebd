import {
  type Comparison,
  documentJobToWire,
  documentResultFromWire,
  type Engine,
  EngineClosed,
  EngineCrashed,
  EngineFault,
  EngineTimeout,
  EngineUnavailable,
  portraitJobToWire,
  portraitResultFromWire,
} from '@assay/engine';

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

/** Jobs of which so many run at once; the rest wait. */
const createJobLimit = (capacity: number) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    pending: (): number => running + waiting.length,
    run: async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
      if (running >= capacity) await new Promise<void>((resolve) => waiting.push(resolve));
      running++;
      try {
        return await work();
      } finally {
        running--;
        waiting.shift()?.();
      }
    },
    release: (): void => {
      for (const next of waiting.splice(0)) next();
    },
  };
};

/** Error codes of a connection that was never established. */
const NOT_REACHED = [
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
];
/**
 * Statuses that say nothing about the job: of a proxy whose engine is unavailable, of who does not
 * know our token or the path, of who is asked too often. 504 is not among them: the engine was
 * reached, and took too long for this job.
 */
const AWAY = [401, 403, 404, 407, 421, 429, 502, 503];
const isAway = (status: number): boolean => AWAY.includes(status) || (status >= 300 && status < 400);

/** Says so by the code of the error, or of what caused it. */
const isNotReached = (error: unknown): boolean => {
  const { code, cause } = (error ?? {}) as { code?: string; cause?: unknown };
  return NOT_REACHED.includes(code ?? '') || (cause !== undefined && isNotReached(cause));
};

/** A result is a few crops in base64. */
const LARGEST_ANSWER = 64 * 1024 * 1024;

/** The text of an answer; one that goes on and on would fill the memory until its time is over. */
const textOf = async (reply: Response): Promise<string> => {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of reply.body ?? []) {
    length += piece.length;
    // Leaving the loop ends the connection.
    if (length > LARGEST_ANSWER) throw new EngineFault(`the answer is longer than ${LARGEST_ANSWER} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
};

const understood = async <Result>(answer: Promise<string>, read: (value: unknown) => Result): Promise<Result> => {
  const text = await answer;
  try {
    return read(JSON.parse(text));
  } catch (error) {
    throw new EngineFault('the answer is not an engine result', { cause: error });
  }
};

/**
 * Another engine behind HTTP (docs/engines.md), used like the pool: one retry if it fails, none if
 * it is too slow.
 */
export function createHttpEngine({ url, token, reader, capacity, timeoutMs = 30_000 }: HttpEngineOptions): Engine {
  const closing = new AbortController();
  const jobs = createJobLimit(capacity);

  const ask = async (path: string, body: unknown): Promise<string> => {
    if (closing.signal.aborted) throw new EngineClosed('the engine is closed');
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]);
    // On a kept connection the second copy of an answer that comes twice would count for the next
    // job, which is about another person.
    const single = { connection: 'close', 'content-type': 'application/json' };
    const headers = { ...single, ...(token && { authorization: `Bearer ${token}` }) };
    try {
      const request = { method: 'POST', headers, body: JSON.stringify(body), signal, redirect: 'manual' } as const;
      const reply = await fetch(new URL(path, url), request);
      if (isAway(reply.status)) throw new EngineUnavailable(`status ${reply.status}`);
      if (reply.status >= 500) throw new EngineCrashed(`status ${reply.status}`);
      if (!reply.ok) throw new EngineFault(`status ${reply.status}`);
      return await textOf(reply);
    } catch (error) {
      if (closing.signal.aborted) throw new EngineClosed('the engine is closed');
      if (signal.aborted) throw new EngineTimeout(`longer than ${timeoutMs} ms`);
      if (error instanceof EngineFault || error instanceof EngineUnavailable) throw error;
      if (isNotReached(error)) throw new EngineUnavailable('not reached', { cause: error });
      throw error instanceof EngineCrashed ? error : new EngineCrashed('no answer', { cause: error });
    }
  };

  const askTwice = (path: string, body: unknown): Promise<string> =>
    jobs.run(() =>
      ask(path, body).catch((error: unknown) => {
        if (error instanceof EngineCrashed || error instanceof EngineUnavailable) return ask(path, body);
        throw error;
      }),
    );

  return {
    reader,
    capacity,
    pending: jobs.pending,
    document: (job) => understood(askTwice('v1/document', documentJobToWire(job)), documentResultFromWire),
    portrait: (job) => understood(askTwice('v1/portrait', portraitJobToWire(job)), portraitResultFromWire),
    compare: (a, b) => understood(askTwice('v1/compare', { a, b }), comparisonOf),
    close: async () => {
      closing.abort();
      jobs.release();
    },
  };
}

function comparisonOf(value: unknown): Comparison {
  const { distance, model } = value as Partial<Comparison>;
  if (typeof distance !== 'number' || !Number.isFinite(distance) || typeof model !== 'string')
    throw new TypeError('not a comparison');
  return value as Comparison;
}
