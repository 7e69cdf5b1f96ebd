import type { Attributes } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';

/**
 * The only attributes that leave the process. Instrumentations record more than may be exported:
 * paths and queries of clients, addresses, user agents, messages of errors.
 */
const permitted =
  /^(assay\..+|messaging\..+|http\.route|http\.request\.method|http\.response\.status_code|error\.type|db\.system\.name|db\.operation\.name|db\.collection\.name|db\.namespace)$/;

const permittedOf = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => permitted.test(name)));

const stripped = (span: ReadableSpan): ReadableSpan =>
  Object.create(span, {
    attributes: { value: permittedOf(span.attributes) },
    events: { value: [] },
    links: { value: [] },
    status: { value: { code: span.status.code } },
  });

/** Exports spans without attributes that are not permitted. */
export const withoutPersonalData = (inner: SpanExporter): SpanExporter => ({
  export: (spans, done) => inner.export(spans.map(stripped), done),
  shutdown: () => inner.shutdown(),
  ...(inner.forceFlush && { forceFlush: () => inner.forceFlush?.() ?? Promise.resolve() }),
});
