/**
 * Loaded before a service (`node --import`), and only when OTEL_EXPORTER_OTLP_ENDPOINT is set: puts
 * tracing in place. The exporter, the sampler and the resource read the usual OTEL_ variables
 * themselves.
 */
import { register } from 'node:module';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { ExpressInstrumentation, ExpressLayerType } from '@opentelemetry/instrumentation-express';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { MongooseInstrumentation } from '@opentelemetry/instrumentation-mongoose';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { provideTracer } from '../trace.ts';
import { withoutPersonalData } from './permitted.ts';
import { createTracer } from './tracer.ts';

register('import-in-the-middle/hook.mjs', import.meta.url, {
  data: { include: ['http', 'node:http', 'express', 'mongoose'] },
});

const provider = new NodeTracerProvider({
  resource: defaultResource()
    .merge(resourceFromAttributes({ 'service.name': process.env.SERVICE_NAME ?? 'assay' }))
    .merge(detectResources({ detectors: [envDetector] })),
  spanProcessors: [new BatchSpanProcessor(withoutPersonalData(new OTLPTraceExporter()))],
});
// No baggage: a client could have personal data carried through the suite in it.
provider.register({ propagator: new W3CTraceContextPropagator() });

registerInstrumentations({
  tracerProvider: provider,
  instrumentations: [
    new HttpInstrumentation({
      ignoreIncomingRequestHook: ({ url = '' }) => /^\/(metrics|health\/|[^/]+\/healthcheck)/.test(url),
      // Only calls between the services, which carry this header: webhook receivers and issuing
      // sources learn nothing of our traces.
      ignoreOutgoingRequestHook: ({ headers = {} }) =>
        !Object.keys(headers).some((name) => name.toLowerCase() === 'x-request-id'),
      requireParentforOutgoingSpans: true,
    }),
    // Its own spans say nothing; it gives the request's span the route.
    new ExpressInstrumentation({
      ignoreLayersType: [ExpressLayerType.MIDDLEWARE, ExpressLayerType.ROUTER, ExpressLayerType.REQUEST_HANDLER],
    }),
    new MongooseInstrumentation({ requireParentSpan: true, dbStatementSerializer: () => '' }),
  ],
});

provideTracer(createTracer(provider.getTracer('assay'), () => provider.forceFlush()));
