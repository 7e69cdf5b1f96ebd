import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { systemClock } from './ids.ts';
import { inLine } from './in-line.ts';
import { metricsContentType, metricsText } from './metrics.ts';
import { isUnready, type Readiness, type Unready, watchedReadiness } from './readiness.ts';

type Check = () => boolean | Promise<boolean>;

export interface Admin {
  /**
   * Adds a dependency that readiness requires. Consumers, relays and sweepers add themselves
   * (`watchReadiness`).
   */
  ready(name: string, check: Check): void;
  /** The parts that are not ready, by name; empty if the process is ready. */
  missing(): Promise<Map<string, Unready>>;
  /** When /metrics was read last; undefined if never. */
  metricsReadAt(): Date | undefined;
  /** Resolves once /metrics has been read again. */
  metricsReadAgain(): Promise<void>;
  /** From now on /health/ready answers 503: the service stops soon. */
  draining(): void;
  listen(port: number, host: string): Promise<Server>;
}

const asked = async (check: Check): Promise<Readiness> => {
  const isUp = await Promise.resolve()
    .then(check)
    .catch(() => false);
  return isUp || { reason: 'not connected', isDependency: true };
};

/** The body of /health/ready: each part by its name, the reason if it is not ready, and notes. */
const readinessReport = (readinesses: ReadonlyMap<string, Readiness>) => {
  const entries = [...readinesses];
  const parts = Object.fromEntries(entries.map(([name, part]) => [name, !isUnready(part)]));
  const reasons = Object.fromEntries(entries.flatMap(([name, part]) => (isUnready(part) ? [[name, part.reason]] : [])));
  const notes = Object.fromEntries(
    entries.flatMap(([name, part]) => (part !== true && !isUnready(part) ? [[name, part.note]] : [])),
  );
  const isUp = Object.keys(reasons).length === 0;
  return {
    status: isUp ? 'UP' : 'DOWN',
    parts,
    ...(isUp ? {} : { reasons }),
    ...(Object.keys(notes).length > 0 ? { notes } : {}),
  };
};

type Readinesses = () => Promise<Map<string, Readiness>>;

const answer = async (
  path: string,
  readinesses: Readinesses,
): Promise<{ status: number; type: string; body: string }> => {
  const type = 'application/json';
  if (path === '/metrics') return { status: 200, type: metricsContentType, body: await metricsText() };
  if (path === '/health/live') return { status: 200, type, body: '{"status":"UP"}' };
  if (path !== '/health/ready') return { status: 404, type, body: '{}' };
  const report = readinessReport(await readinesses());
  return { status: report.status === 'UP' ? 200 : 503, type, body: JSON.stringify(report) };
};

/** The time within which a whole request must arrive, with its body; otherwise it is cut off. */
const TIMES = { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 2000 };

/** The path as it was asked for: what it could mean as a URL is nobody's concern here. */
const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?', 1)[0] ?? '/';

const READING = ['GET', 'HEAD'];

/** A body is not read: the connection on which one comes ends with the reply. */
const endsConnection = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * The admin port of a service: /health/live touches no dependency, /health/ready asks every check,
 * /metrics is Prometheus'.
 */
export const createAdmin = (): Admin => {
  const checks = new Map<string, Check>();
  let stopping = false;
  let started = false;
  let metricsReadAt: Date | undefined;
  const waiting: (() => void)[] = [];
  const readinesses: Readinesses = async () => {
    const answers = await Promise.all([...checks].map(async ([name, check]) => [name, await asked(check)] as const));
    return new Map<string, Readiness>([
      ...watchedReadiness(),
      ...answers,
      ['started', started || { reason: 'still starting' }],
      ['accepting', !stopping || { reason: 'stopping' }],
    ]);
  };
  return {
    ready: (name, check) => {
      if (name === 'started') started = true;
      else checks.set(name, check);
    },
    missing: async () =>
      new Map([...(await readinesses())].flatMap(([name, part]) => (isUnready(part) ? [[name, part] as const] : []))),
    metricsReadAt: () => metricsReadAt,
    metricsReadAgain: () => new Promise((resolve) => waiting.push(resolve)),
    draining: () => {
      stopping = true;
    },
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        const handle: RequestListener = (request, response) => {
          if (endsConnection(request)) response.setHeader('connection', 'close');
          if (!READING.includes(request.method ?? ''))
            return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
          const path = pathOf(request);
          if (path === '/metrics') {
            metricsReadAt = systemClock();
            for (const tell of waiting.splice(0)) response.once('finish', tell);
          }
          answer(path, readinesses).then(
            ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
            () => response.writeHead(500).end(),
          );
        };
        const server = createServer(TIMES, inLine(handle));
        server.once('error', reject);
        server.listen(port, host, () => resolve(server));
      }),
  };
};
