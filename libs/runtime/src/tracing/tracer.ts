import {
  type Context,
  context,
  type Tracer as OpenTelemetryTracer,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { SpanOptions, Tracer } from '../trace.ts';

const kinds = {
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;

const parentOf = (options: SpanOptions): Context => {
  if (!('parent' in options)) return context.active();
  const { parent } = options;
  return parent === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent: parent });
};

/** The tracer of libs/runtime, made of OpenTelemetry's. */
export const createTracer = (spans: OpenTelemetryTracer, flush: () => Promise<void>): Tracer => ({
  current: () => {
    const carrier: { traceparent?: string } = {};
    propagation.inject(context.active(), carrier);
    return carrier.traceparent;
  },
  inSpan: (name, options, work) => {
    const parent = parentOf(options);
    const span = spans.startSpan(name, { kind: kinds[options.kind], attributes: options.attributes ?? {} }, parent);
    return context.with(trace.setSpan(parent, span), () =>
      work((attributes) => span.setAttributes(attributes))
        .catch((error: unknown) => {
          span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        })
        .finally(() => span.end()),
    );
  },
  outside: (work) => context.with(ROOT_CONTEXT, work),
  flush,
});
