import { table } from '@assay/contracts/table';
import { type Engine, externalEngine, type StartEngine, withoutCredentials } from './engine.ts';
import { accepts, waitUntil } from './wait.ts';

const PORTS = table<number>({ mongodb: 27017, amqp: 5672, amqps: 5671 });
const PATIENCE_MS = 20_000;
/** What the addresses of the servers begin with, by variable. */
const SCHEMES = table<string[]>({
  MONGODB_URI: ['mongodb://', 'mongodb+srv://'],
  AMQP_URL: ['amqp://', 'amqps://'],
});

/**
 * Hosts and ports that an address names; empty where only a resolver or the file system knows them
 * (mongodb+srv, sockets).
 */
export const hostsOf = (url: string): { host: string; port: number }[] => {
  const [, scheme = '', hosts = ''] = /^([a-z+]+):\/\/(?:[^@/]*@)?([^/?]*)/.exec(url) ?? [];
  const standard = PORTS[scheme];
  if (standard === undefined) return [];
  return hosts.split(',').flatMap((each) => {
    const [, host, port] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(each) ?? [];
    return host === undefined || host.includes('%2F')
      ? []
      : [{ host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? standard) }];
  });
};

/**
 * A server that somebody else runs, once one of its hosts accepts connections.
 * @throws naming the variable when none does in time, or when it names no such server
 */
export const startGiven =
  (name: string, variable: string, url: string, patienceMs = PATIENCE_MS): StartEngine =>
  async (): Promise<Engine> => {
    const schemes = SCHEMES[variable] ?? [];
    if (!schemes.some((scheme) => url.startsWith(scheme)))
      throw new Error(`${name}: ${variable} does not begin with ${schemes.join(' or ')}`);
    const hosts = hostsOf(url);
    const answers = async () => (await Promise.all(hosts.map(({ host, port }) => accepts(port, host)))).includes(true);
    if (hosts.length > 0 && !(await waitUntil(answers, { timeoutMs: patienceMs })))
      throw new Error(`${name}: nobody answers at ${withoutCredentials(url)}, which ${variable} names`);
    return externalEngine(url);
  };
