import { createServer, type Server } from 'node:http';
import { metricsContentType, metricsText } from './metrics.ts';

type Check = () => boolean | Promise<boolean>;

export interface Admin {
  /** Adds something that must be true before the service takes work. */
  ready(name: string, check: Check): void;
  /** From now on /health/ready answers 503: the service is about to stop. */
  draining(): void;
  listen(port: number, host: string): Promise<Server>;
}

/** The admin port of a service: /health/live touches no dependency, /health/ready asks every check, /metrics is Prometheus'. */
export const createAdmin = (): Admin => {
  const checks = new Map<string, Check>();
  let stopping = false;
  let started = false;
  const readiness = async (): Promise<Record<string, boolean>> => {
    const results = await Promise.all(
      [...checks].map(
        async ([name, check]) =>
          [
            name,
            await Promise.resolve()
              .then(check)
              .catch(() => false),
          ] as const,
      ),
    );
    return { ...Object.fromEntries(results), started, accepting: !stopping };
  };
  const answer = async (path: string): Promise<{ status: number; type: string; body: string }> => {
    if (path === '/metrics') return { status: 200, type: metricsContentType, body: await metricsText() };
    if (path === '/health/live') return { status: 200, type: 'application/json', body: '{"status":"UP"}' };
    if (path !== '/health/ready') return { status: 404, type: 'application/json', body: '{}' };
    const parts = await readiness();
    const up = Object.values(parts).every(Boolean);
    return {
      status: up ? 200 : 503,
      type: 'application/json',
      body: JSON.stringify({ status: up ? 'UP' : 'DOWN', parts }),
    };
  };
  return {
    ready: (name, check) => {
      checks.set(name, check);
      if (name === 'started') started = true;
    },
    draining: () => {
      stopping = true;
    },
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        const server = createServer((request, response) => {
          answer(new URL(request.url ?? '/', 'http://admin').pathname).then(
            ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
            () => response.writeHead(500).end(),
          );
        });
        server.once('error', reject);
        server.listen(port, host, () => resolve(server));
      }),
  };
};
