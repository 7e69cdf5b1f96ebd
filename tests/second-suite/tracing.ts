import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  apiWith,
  newTenant,
  readStack,
  specimen,
  startWebhookReceiver,
  type WebhookReceiver,
  waitFor,
} from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  service: string;
}

interface Traces {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: Omit<Span, 'service'>[] }[];
  }[];
}

const spansOf = ({ resourceSpans }: Traces): Span[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service })));
  });

const received: string[] = [];
const collector = createServer((request, response) => {
  text(request).then((body) => {
    received.push(body);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
});
const spans = (): Span[] => received.flatMap((body) => spansOf(JSON.parse(body) as Traces));

/** Starts a collector of traces, for `OTEL_EXPORTER_OTLP_ENDPOINT` of a suite. */
export const startCollector = async (): Promise<{ endpoint: string; close: () => void }> => {
  await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done));
  const { port } = collector.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, close: () => void collector.close() };
};

/** Needs a suite that sends its traces to the collector. */
export const tracingStory = (): void => {
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
  });
  afterAll(() => receiver?.close());

  test('a submission is one trace over every service that works on it, and contains nothing about the person', async () => {
    // Given a tenant with a webhook, and a client that traces its own work
    const tenant = await newTenant('traced', {
      webhook: { url: `${receiver.url}?secret=Sesame`, mode: 'NONE' },
    });
    const api = apiWith(readStack().baseUrl, tenant.keys.relyingService);
    const { body: identity } = await api.post('/svc/v1/identities', { businessId: 'Erika' });
    const [traceId, clientSpan] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];

    // When it submits a passport and requests an address with a name in it
    const headers = {
      traceparent: `00-${traceId}-${clientSpan}-01`,
      'user-agent': 'Mustermann',
      baggage: 'name=Mustermann',
    };
    const path = `/svc/v1/identities/${identity.id}`;
    const submitted = await api.upload(
      `${path}/id-documents/capture`,
      { DocumentFront: specimen('passport.jpg') },
      headers,
    );
    await api.get('/svc/v1/identities/Mustermann?name=Mustermann', headers);

    // Then the client's trace contains every service's work on it, each span with a parent in the
    // trace
    expect(submitted.status).toBe(200);
    const services = ['gateway', 'evidence-intake', 'verification-worker', 'notifier'];
    const ours = await waitFor(
      'the whole trace',
      async () => {
        const found = spans().filter((span) => span.traceId === traceId);
        const ids = new Set([clientSpan, ...found.map(({ spanId }) => spanId)]);
        const whole = found.every(({ parentSpanId }) => ids.has(parentSpanId ?? ''));
        const delivered = found.some(({ name }) => name === 'deliver webhook');
        return delivered && whole && services.every((name) => found.some(({ service }) => service === name))
          ? found
          : undefined;
      },
      30_000,
    );
    expect(ours.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'POST /svc/v1/identities/:identityId/id-documents/capture',
        'publish evidence.submitted',
        'handle evidence.submitted',
        'handle evidence.evaluated',
        'handle evaluation.published',
        'deliver webhook',
      ]),
    );

    // And the traces do not contain who the person is, or where the client and the receiver are
    expect(received.join('\n')).not.toMatch(/Mustermann|Erika|Sesame|SPECIMEN|127\.0\.0\.1|asy_/i);
  }, 60_000);
};
