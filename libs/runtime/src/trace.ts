/**
 * A value that a span may have: names, codes, ids and counts; never personal data (invariant 8).
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  kind: 'producer' | 'consumer' | 'client' | 'internal';
  /**
   * The `traceparent` this span continues; undefined begins a trace of its own. Left out: the work
   * at hand.
   */
  parent?: string | undefined;
  attributes?: SpanAttributes;
}

type Note = (attributes: SpanAttributes) => void;

/**
 * The implementation of these functions if tracing is on; `tracing/main.ts`, loaded before the
 * service, sets it.
 */
export interface Tracer {
  current(): string | undefined;
  inSpan<T>(name: string, options: SpanOptions, work: (note: Note) => Promise<T>): Promise<T>;
  outside<T>(work: () => T): T;
  flush(): Promise<void>;
}

// A symbol of the process: the tracer is another bundle than the service.
const place = Symbol.for('assay.tracer');
const holder = globalThis as { [place]?: Tracer };

export const provideTracer = (tracer: Tracer): void => {
  holder[place] = tracer;
};

export const isTracing = (): boolean => holder[place] !== undefined;

/**
 * The `traceparent` of the work at hand (W3C Trace Context); undefined outside of a trace and when
 * tracing is off.
 */
export const currentTraceparent = (): string | undefined => holder[place]?.current();

/**
 * Runs work as one span; an error marks the span as failed and is thrown again. `note` adds
 * attributes that are known only afterwards.
 */
export const inSpan = <T>(name: string, options: SpanOptions, work: (note: Note) => Promise<T>): Promise<T> =>
  holder[place]?.inSpan(name, options, work) ?? work(() => undefined);

/** Runs work outside of the present trace: a loop that continues for other callers. */
export const outsideTraces = <T>(work: () => T): T => (holder[place] ? holder[place].outside(work) : work());

/** Sends the remaining spans before the process ends. */
export const flushTraces = async (): Promise<void> => holder[place]?.flush();
