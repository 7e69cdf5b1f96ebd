import { randomBytes } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from './command.ts';
import type { Engine, Say } from './engine.ts';
import { freePort } from './ports.ts';
import { ensureRabbit } from './rabbit.ts';
import { findNames, type NodeOptions, nodeEnv, passwordOf, startNames, startNode } from './rabbit-local.ts';
import { waitUntil } from './wait.ts';

/** Several nodes of RabbitMQ on this machine that are one broker. */
export interface RabbitCluster {
  /** One address that names every node. */
  readonly url: string;
  readonly nodes: readonly ClusterNode[];
  stop(): Promise<void>;
}

export interface ClusterNode {
  readonly name: string;
  /** Waits until no queue would lose its majority without this node. */
  untilDispensable(): Promise<void>;
  /** Has it end as on a shutdown, and starts it again on its data. */
  restart(): Promise<void>;
}

const SAFE_MS = 180_000;
const STOP_MS = 60_000;

/** The settings that make nodes of these names one broker. */
const clusterSettings = (names: readonly string[]): string[] => [
  'cluster_formation.peer_discovery_backend = classic_config',
  ...names.map((name, index) => `cluster_formation.classic_config.nodes.${index + 1} = ${name}`),
  // What is cut off from the majority stops by itself.
  'cluster_partition_handling = pause_minority',
];

const createNode = async (options: NodeOptions, cookie: string) => {
  const { dataDir, program, name } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(join(dataDir, '.erlang.cookie'), cookie);
  await chmod(join(dataDir, '.erlang.cookie'), 0o400);
  let engine: Engine | undefined;
  const queues = join(dirname(program), 'rabbitmq-queues');
  const isDispensable = (): Promise<boolean> =>
    run(queues, ['-q', '-n', name, 'check_if_node_is_quorum_critical'], { env: nodeEnv(options) }).then(
      () => true,
      () => false,
    );
  const start = async (): Promise<void> => {
    engine = await startNode(options);
  };
  const stop = async (graceMs: number): Promise<void> => engine?.stop(graceMs);
  return {
    name,
    start,
    stop,
    untilDispensable: async () => {
      if (!(await waitUntil(isDispensable, { timeoutMs: SAFE_MS, everyMs: 1000 })))
        throw new Error(`queues still need ${name} for their majority`);
    },
    restart: async () => {
      await stop(STOP_MS);
      await start();
    },
  };
};

/**
 * Starts a broker of several nodes as plain children, each with its own ports, data and log; they
 * share a name server, a cookie and a password. The first is ready before the others join it.
 */
export const startRabbitCluster = async (dataDir: string, count: number, say: Say): Promise<RabbitCluster> => {
  const program = await ensureRabbit(say);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const password = await passwordOf(dataDir);
  const epmdPort = await freePort();
  const names = await startNames(findNames(program), epmdPort, join(dataDir, 'names.log'));
  const cookie = randomBytes(16).toString('hex');
  const nodeNames = Array.from({ length: count }, (_, index) => `assay-${index + 1}@localhost`);
  const settings = clusterSettings(nodeNames);
  const ports: number[] = [];
  const nodes: Awaited<ReturnType<typeof createNode>>[] = [];
  for (const [index, name] of nodeNames.entries()) {
    const [port, distPort] = [await freePort(), await freePort()];
    ports.push(port);
    const place = { dataDir: join(dataDir, `node-${index + 1}`), port, distPort, epmdPort };
    nodes.push(await createNode({ program, name, password, settings, ...place }, cookie));
  }
  for (const node of nodes) {
    await node.start();
    say(`${node.name} is there`);
  }
  return {
    url: `amqp://assay:${password}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}`,
    nodes,
    stop: async () => {
      await Promise.all(nodes.map((node) => node.stop(0)));
      await names.stop(0);
    },
  };
};
