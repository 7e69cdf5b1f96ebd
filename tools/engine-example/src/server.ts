import { createServer, type IncomingMessage } from 'node:http';
import { parseArgs } from 'node:util';
import {
  documentJobFromWire,
  documentResultToWire,
  type Engine,
  openEnginePool,
  portraitJobFromWire,
  portraitResultToWire,
} from '@assay/engine';

/**
 * An engine behind HTTP, as docs/engines.md describes it: here the suite's own engine on another
 * machine. A commercial or GPU engine answers the same three questions. `npx tsx
 * tools/engine-example/src/server.ts --port 9400 --processes 2 [--token T]`
 */
const MOST_BYTES = 64 * 1024 * 1024;

const ROUTES: Record<string, (engine: Engine, body: never) => Promise<unknown>> = {
  '/v1/document': async (engine, body) => documentResultToWire(await engine.document(documentJobFromWire(body))),
  '/v1/portrait': async (engine, body) => portraitResultToWire(await engine.portrait(portraitJobFromWire(body))),
  '/v1/compare': (engine, { a, b }: { a: never; b: never }) => engine.compare(a, b),
};

async function jsonOf(request: IncomingMessage): Promise<never> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MOST_BYTES) throw new RangeError('too large');
    parts.push(part);
  }
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as never;
}

/** 503 where trying again may help, 422 where it will not. */
const statusOf = (error: unknown): number =>
  error instanceof Error && ['EngineCrashed', 'EngineTimeout', 'EngineClosed'].includes(error.name) ? 503 : 422;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '9400' },
    processes: { type: 'string', default: '1' },
    token: { type: 'string' },
  },
});
const engine = await openEnginePool({ size: Number(values.processes) });

const server = createServer(async (request, response) => {
  const reply = (status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (request.url === '/v1/health') return reply(200, { capacity: engine.capacity, pending: engine.pending() });
  if (values.token && request.headers.authorization !== `Bearer ${values.token}`) return reply(401, {});
  const route = ROUTES[request.url ?? ''];
  if (!route || request.method !== 'POST') return reply(404, {});
  try {
    return reply(200, await route(engine, await jsonOf(request)));
  } catch (error) {
    return reply(statusOf(error), { message: error instanceof Error ? error.message : 'unknown' });
  }
});
server.listen(Number(values.port), '127.0.0.1', () =>
  console.log(`engine ready on ${JSON.stringify(server.address())}`),
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => server.close(() => void engine.close()));
}
