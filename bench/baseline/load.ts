import { readFileSync } from 'node:fs';
import { Agent, type OutgoingHttpHeaders, request } from 'node:http';

/** One request to be sent. */
export interface Sent {
  url: string;
  method?: 'GET' | 'POST';
  headers?: OutgoingHttpHeaders;
  body?: Buffer;
}

/** What a load was answered. */
export interface Answered {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Processor milliseconds of each request, by process. */
  processorMs: Record<string, number>;
}

const MS_PER_TICK = 10;

/** Of a process and of all that it started. */
const processorMsOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // User and system time, its own and that of its children that have ended.
  const own = fields.slice(11, 15).reduce((ticks, field) => ticks + Number(field), 0) * MS_PER_TICK;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.reduce((ms, child) => ms + processorMsOf(Number(child)), own);
};

const send = (agent: Agent, { url, method = 'GET', headers = {}, body }: Sent): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers }, (response) => {
      const { statusCode = 0 } = response;
      response.resume().once('end', () => {
        if (statusCode < 300) resolve();
        else reject(new Error(`${method} ${url} was answered with ${statusCode}`));
      });
    });
    sent.once('error', reject).end(body);
  });

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/**
 * Sends these requests, so many at a time over connections that are kept, and tells how fast they
 * were answered and what it cost each of the processes.
 * @throws where one is not answered with 2xx
 */
export const load = async (
  requests: readonly Sent[],
  clients: number,
  pids: Readonly<Record<string, number>>,
): Promise<Answered> => {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const took: number[] = [];
  let next = 0;
  const client = async (): Promise<void> => {
    for (let sent = requests[next++]; sent; sent = requests[next++]) {
      const startedAt = performance.now();
      await send(agent, sent);
      took.push(performance.now() - startedAt);
    }
  };
  const before = Object.entries(pids).map(([name, pid]): [string, number, number] => [name, pid, processorMsOf(pid)]);
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - startedAt) / 1000;
  const processorMs = Object.fromEntries(
    before.map(([name, pid, ms]) => [name, (processorMsOf(pid) - ms) / requests.length]),
  );
  agent.destroy();
  const sorted = took.toSorted((a, b) => a - b);
  return { perSecond: requests.length / seconds, p50Ms: at(sorted, 0.5), p99Ms: at(sorted, 0.99), processorMs };
};
