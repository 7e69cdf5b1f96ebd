import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brokerAddressesOf, SERVICE_NAMES } from '@assay/contracts';
import { type RabbitCluster, startRabbitCluster } from '@assay/local-stack';
import { startWebhookReceiver, type WebhookReceiver } from '@assay/testing';
import { makeRunDir, readStack, stackFile, startSupervisor } from '../../scripts/run-dir.mjs';
import type { Fault, Target } from './plan.ts';
import { type Conversation, http, mongodb, rabbitmq } from './protocols.ts';
import { type FaultyProxy, startFaultyProxy } from './proxy.ts';
import type { Release } from './release.ts';

const SOURCES = ['AAMVA_URL', 'DVS_URL'];
const INTERNAL = ['GATEWAY_INTERNAL_URL', 'EVIDENCE_INTAKE_URL', 'PROOF_BUILDER_URL', 'VERIFICATION_WORKER_URL'];

/** How the suite of a run is composed. */
export interface Cast {
  /** The number of processes of each service. */
  replicas: number;
  /** The release of the second process of each service. */
  beside?: Release | undefined;
  /** The gateway's port, if it may not be any free one. */
  port?: number;
  env?: Record<string, string>;
}

/** The names of the processes of a service. */
const labelsOf = (service: string, replicas: number): string[] =>
  replicas === 1 ? [service] : Array.from({ length: replicas }, (_, index) => `${service}-${index + 1}`);

export interface Engines {
  mongoUrl: string;
  amqpUrl: string;
  /** Engines that may be killed, because nothing else uses them. */
  killable: readonly string[];
  pidOf?: ((engine: string) => number | undefined) | undefined;
}

type Proxies = Record<Exclude<Target, 'process'>, FaultyProxy[]>;

/** A suite with a proxy on every connection of its processes. */
export interface Stage {
  runDir: string;
  /** The names of the services' processes. */
  labels: readonly string[];
  killable: readonly string[];
  /** The address of the gateway, through a proxy. */
  baseUrl: string;
  /** Where MongoDB is, without a proxy. */
  mongoUrl: string;
  receiver: WebhookReceiver;
  receiverUrl: string;
  pidOf(process: string): number | undefined;
  /** Begins a fault. The function that it returns ends it. */
  begin(fault: Fault): () => void;
  /** How often faults of the network have struck. */
  struck(): number;
  close(): Promise<void>;
}

const hostOf = (url: string) => ({ host: new URL(url).hostname, port: Number(new URL(url).port) });

/**
 * The service in a database's name such as `assay_1a2b_proof_builder`, by which connections are
 * named.
 */
const serviceOfDatabase = (name: string): string | undefined =>
  SERVICE_NAMES.find((service) => name.endsWith(`_${service.replaceAll('-', '_')}`)) ??
  ({ keys: 'gateway', proof_keys: 'proof-builder' } as const)[/(proof_keys|keys)$/.exec(name)?.[1] ?? ''];

const serviceOfConnection = (name: string): string | undefined =>
  SERVICE_NAMES.find((service) => name.startsWith(`${service}.`));

/** Starts every proxy before the servers behind them exist. */
const startProxies = async ({ mongoUrl, amqpUrl }: Engines, runDir: string, receiver: WebhookReceiver) => {
  const addresses = (): Record<string, string> =>
    JSON.parse(readFileSync(join(runDir, 'addresses.json'), 'utf8')) as Record<string, string>;
  const to = (url: () => string, converse: () => Conversation = http): Promise<FaultyProxy> =>
    startFaultyProxy(() => hostOf(url()), converse);
  const toPrograms = (variables: readonly string[]): Promise<FaultyProxy[]> =>
    Promise.all(variables.map((variable) => to(() => addresses()[variable]!)));
  const proxies: Proxies = {
    mongodb: [await to(() => mongoUrl, mongodb(serviceOfDatabase))],
    rabbitmq: await Promise.all(
      brokerAddressesOf(amqpUrl).map((address) => to(() => address, rabbitmq(serviceOfConnection))),
    ),
    receiver: [await to(() => receiver.url)],
    source: await toPrograms(SOURCES),
    internal: await toPrograms(INTERNAL),
    client: [await to(() => readStack(runDir)!.baseUrl)],
  };
  const between = [...SOURCES.map((name, n) => [name, proxies.source[n]!] as const)];
  between.push(...INTERNAL.map((name, n) => [name, proxies.internal[n]!] as const));
  const env = {
    STACK: 'external',
    MONGODB_URI: proxies.mongodb[0]!.through(mongoUrl),
    AMQP_URL: amqpUrl.replace(
      /(?<=\/\/|@)[\w.:,-]+$/,
      proxies.rabbitmq.map(({ port }) => `127.0.0.1:${port}`).join(','),
    ),
    SUITE_ADDRESSES: JSON.stringify(
      Object.fromEntries(between.map(([name, { port }]) => [name, `http://127.0.0.1:${port}`])),
    ),
  };
  return { proxies, env };
};

/** Strikes a process. The function that it returns undoes what can be undone. */
const strikeProcess = (pid: number | undefined, { kind }: Fault): (() => void) => {
  if (pid === undefined) return () => undefined;
  const signal = (name: NodeJS.Signals) => process.kill(pid, name);
  if (kind === 'kill') signal('SIGKILL');
  else if (kind === 'terminate') signal('SIGTERM');
  else signal('SIGSTOP');
  return () => {
    if (kind === 'stop') signal('SIGCONT');
  };
};

/** @throws when a fault that is meant for one service would strike nothing */
const requireNames = ({ mongodb: database, rabbitmq: broker }: Proxies): void => {
  for (const proxies of [database, broker]) {
    const named = new Set(proxies.flatMap((proxy) => proxy.owners()));
    const missing = SERVICE_NAMES.filter((service) => !named.has(service));
    if (missing.length > 0) throw new Error(`no connection bears the name of ${missing.join(', ')}`);
  }
};

/** The receiver's answer without a fault. */
const OK = 200;

const releases = ({ beside, replicas }: Cast): Record<string, string> =>
  beside
    ? {
        SUITE_RELEASES: JSON.stringify(
          Object.fromEntries(SERVICE_NAMES.map((service) => [labelsOf(service, replicas)[1], beside.folder])),
        ),
      }
    : {};

export const openStage = async (engines: Engines, folder: string, cast: Cast = { replicas: 1 }): Promise<Stage> => {
  const { replicas, port, env } = cast;
  const runDir = makeRunDir(folder);
  const receiver = await startWebhookReceiver();
  const { proxies, env: through } = await startProxies(engines, runDir, receiver);
  const supervisor = await startSupervisor(
    { dir: runDir, replicas, port, tied: true, env: { ...through, ...releases(cast), ...env } },
    () => undefined,
  );
  if (!supervisor) throw new Error(`another suite runs in ${runDir}`);
  requireNames(proxies);
  const all = Object.values(proxies).flat();
  const pidOf = (name: string): number | undefined => engines.pidOf?.(name) ?? readStack(runDir)?.processes[name];
  return {
    runDir,
    labels: SERVICE_NAMES.flatMap((service) => labelsOf(service, replicas)),
    killable: engines.killable,
    baseUrl: `http://127.0.0.1:${proxies.client[0]!.port}`,
    mongoUrl: engines.mongoUrl,
    receiver,
    receiverUrl: proxies.receiver[0]!.through(receiver.url),
    pidOf,
    begin: (fault) => {
      if (fault.target === 'process') return strikeProcess(pidOf(fault.victim ?? ''), fault);
      if (fault.kind === 'status') {
        receiver.answerWith(() => fault.code ?? OK);
        return () => receiver.answerWith(() => OK);
      }
      const ends = proxies[fault.target].map((proxy) => proxy.begin(fault));
      return () => ends.forEach((end) => void end());
    },
    struck: () => all.reduce((sum, proxy) => sum + proxy.struck(), 0),
    close: async () => {
      const ended = new Promise((resolve) => supervisor.once('exit', resolve));
      supervisor.disconnect();
      await ended;
      await Promise.all([receiver.close(), ...all.map((proxy) => proxy.close())]);
    },
  };
};

/** Engines for this run alone, which may be killed. Several brokers form one cluster. */
export const startEngines = async (
  folder: string,
  brokers = 1,
): Promise<Engines & { cluster?: RabbitCluster | undefined; close(): Promise<void> }> => {
  const dir = makeRunDir(folder);
  const cluster = brokers > 1 ? await startRabbitCluster(join(dir, 'cluster'), brokers, () => undefined) : undefined;
  const env = cluster ? { AMQP_URL: cluster.url } : {};
  const supervisor = await startSupervisor({ dir, withPrograms: false, tied: true, env }, () => undefined);
  if (!supervisor) throw new Error(`another suite runs in ${dir}`);
  const { mongoUrl, amqpUrl } = readStack(dir)!;
  return {
    ...{ mongoUrl, amqpUrl, cluster, killable: cluster ? ['mongodb'] : ['mongodb', 'rabbitmq'] },
    pidOf: (engine) =>
      engine === 'mongodb' || engine === 'rabbitmq' ? readStack(dir)?.infrastructure[engine].pid : undefined,
    close: async () => {
      const ended = new Promise((resolve) => supervisor.once('exit', resolve));
      await cluster?.stop();
      supervisor.disconnect();
      await ended;
    },
  };
};

export { stackFile };
