/**
 * A value that may stand on a span: names, codes, ids and counts; never personal data (invariant
 * 8).
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
 * What implements these functions when tracing is on; `tracing/main.ts`, loaded before the
 * service, puts it in place.
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
 * Does work as one span; what it throws marks the span as failed and is thrown on. `note` adds what
 * is known only afterwards.
 */
export const inSpan = <T>(name: string, options: SpanOptions, work: (note: Note) => Promise<T>): Promise<T> =>
  holder[place]?.inSpan(name, options, work) ?? work(() => undefined);

/**
 * Does work that belongs to no trace although something traced set it going: a loop that goes on
 * for others.
 */
export const outsideTraces = <T>(work: () => T): T => (holder[place] ? holder[place].outside(work) : work());

/** Sends what is not sent yet, before the process ends. */
export const flushTraces = async (): Promise<void> => holder[place]?.flush();
