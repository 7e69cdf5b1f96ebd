import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Child, startChild } from './child.ts';
import { findProgram } from './command.ts';
import type { Address, Engine, EngineOptions, StartEngine } from './engine.ts';
import { freePort } from './ports.ts';
import { accepts, waitUntil } from './wait.ts';

const USER = 'assay';
const START_MS = 90_000;
const STOP_MS = 10_000;

/** A password of the data folder's own, kept with it. */
export const passwordOf = async (dataDir: string): Promise<string> => {
  const file = join(dataDir, 'password');
  if (!existsSync(file)) await writeFile(file, randomBytes(18).toString('hex'), { mode: 0o600 });
  return readFile(file, 'utf8');
};

/** One node of the broker. */
export interface NodeOptions {
  readonly program: string;
  /** As it names itself to others: `assay@localhost`. */
  readonly name: string;
  readonly dataDir: string;
  readonly port: number;
  /** Where other nodes reach it, and where their name server is. */
  readonly distPort: number;
  readonly epmdPort: number;
  readonly password: string;
  /** Further lines of its configuration. */
  readonly settings?: readonly string[];
}

const writeConfig = async ({ dataDir, port, password, settings = [] }: NodeOptions): Promise<void> => {
  const lines = [
    `listeners.tcp.1 = 127.0.0.1:${port}`,
    `default_user = ${USER}`,
    `default_pass = ${password}`,
    'log.console = false',
    'log.file.level = warning',
    ...settings,
  ];
  await writeFile(join(dataDir, 'rabbitmq.conf'), `${lines.join('\n')}\n`, { mode: 0o600 });
  await writeFile(join(dataDir, 'enabled_plugins'), '[].\n');
};

/**
 * Everything the node would else take from the system or share with other nodes: its name server,
 * names, folders, cookie.
 */
export const nodeEnv = ({ dataDir, distPort, epmdPort, name }: NodeOptions): NodeJS.ProcessEnv => ({
  ...process.env,
  HOME: dataDir,
  ERL_EPMD_PORT: String(epmdPort),
  RABBITMQ_NODENAME: name,
  RABBITMQ_DIST_PORT: String(distPort),
  RABBITMQ_MNESIA_BASE: join(dataDir, 'mnesia'),
  RABBITMQ_LOG_BASE: join(dataDir, 'log'),
  RABBITMQ_PID_FILE: join(dataDir, 'pid'),
  RABBITMQ_ENABLED_PLUGINS_FILE: join(dataDir, 'enabled_plugins'),
  RABBITMQ_CONFIG_FILE: join(dataDir, 'rabbitmq.conf'),
  RABBITMQ_CONF_ENV_FILE: join(dataDir, 'rabbitmq-env.conf'),
  RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
  // The script then becomes the broker instead of waiting for it, and the broker ends when its
  // standard input does.
  RABBITMQ_ALLOW_INPUT: '1',
});

/** Names of the applications that an Erlang application file says it needs. */
const needsOf = (applicationFile: string): string[] => {
  const [, list = ''] = /\{applications,\s*\[([^\]]*)\]/.exec(applicationFile) ?? [];
  return list.split(',').map((name) => name.trim());
};

/**
 * The broker's own libraries out of its folder of plugins, by name: the broker and what it needs,
 * and nothing of the plugins that are not enabled here. Empty where they are not laid out as
 * folders.
 */
export const brokerLibraries = async (pluginsDir: string): Promise<string[]> => {
  const folders = existsSync(pluginsDir) ? await readdir(pluginsDir) : [];
  const byName = new Map(folders.map((folder) => [folder.replace(/-\d.*$/, ''), folder]));
  const wanted = new Set<string>();
  const waiting = ['rabbit', 'rabbitmq_prelaunch'];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const folder = byName.get(name);
    const file = join(pluginsDir, folder ?? '', 'ebin', `${name}.app`);
    if (!folder || wanted.has(folder) || !existsSync(file)) continue;
    wanted.add(folder);
    waiting.push(...needsOf(await readFile(file, 'utf8')));
  }
  return [...wanted];
};

/**
 * A home of the node's own that holds the broker's libraries alone. Erlang looks for each of some
 * thousand modules in every folder of its path: those of seventy plugins that nobody enabled take
 * more than half of the time a start takes.
 */
const makeHome = async (program: string, dataDir: string): Promise<void> => {
  const plugins = join(dirname(await realpath(program)), '..', 'plugins');
  const home = join(dataDir, 'home');
  await rm(home, { recursive: true, force: true });
  await mkdir(join(home, 'plugins'), { recursive: true });
  const libraries = await brokerLibraries(plugins);
  for (const library of libraries) await symlink(join(plugins, library), join(home, 'plugins', library));
  // Read by the broker's script once it has found its usual home.
  await writeFile(join(dataDir, 'rabbitmq-env.conf'), libraries.length > 0 ? 'RABBITMQ_HOME="$HOME/home"\n' : '');
};

/**
 * A name server of our own: the usual one is shared by every node of the machine and outlives them.
 */
export const startNames = async (epmd: string, port: number, logFile: string): Promise<Child> => {
  const names = startChild(epmd, ['-port', String(port), '-address', '127.0.0.1'], { env: process.env, logFile });
  await waitUntil(() => accepts(port), { timeoutMs: 5_000, everyMs: 20 });
  return names;
};

/**
 * Starts a node; resolves when it takes connections.
 * @throws when it ends before, or takes too long
 */
export const startNode = async (
  node: NodeOptions,
  onSpawn: (pid: number, address: Address) => void = () => undefined,
): Promise<Engine> => {
  const { program, dataDir, port, password } = node;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeConfig(node);
  await makeHome(program, dataDir);
  const logFile = join(dataDir, 'rabbitmq.log');
  const broker = startChild(program, [], { cwd: dataDir, env: nodeEnv(node), logFile });
  const address = { kind: 'local', url: `amqp://${USER}:${password}@127.0.0.1:${port}` } as const;
  onSpawn(broker.pid, address);
  const exited = new AbortController();
  const ended = broker.ended.finally(() => exited.abort());
  if (!(await waitUntil(() => accepts(port), { timeoutMs: START_MS, signal: exited.signal }))) {
    await broker.stop(0);
    throw new Error(`RabbitMQ ended or was not ready in time, see ${logFile} and ${join(dataDir, 'log')}`);
  }
  return { ...address, pid: broker.pid, ended, stop: (graceMs = STOP_MS) => broker.stop(graceMs) };
};

const startOnly =
  (program: string, epmd: string): StartEngine =>
  async ({ dataDir, port, innerPorts, onSpawn }: EngineOptions): Promise<Engine> => {
    const [distPort, epmdPort] = innerPorts ?? [await freePort(), await freePort()];
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const password = await passwordOf(dataDir);
    const names = await startNames(epmd, epmdPort, join(dataDir, 'rabbitmq.log'));
    const node = { program, name: 'assay@localhost', dataDir, port, distPort, epmdPort, password };
    const broker = await startNode(node, onSpawn).catch(async (error: unknown) => {
      await names.stop(0);
      throw error;
    });
    const ended = broker.ended.then(async (how) => {
      await names.stop(0);
      return how;
    });
    return {
      ...broker,
      ended,
      stop: async (graceMs) => {
        await broker.stop(graceMs);
        await ended;
      },
    };
  };

/**
 * The broker's start script: Debian's own behind its wrapper, which insists on a system account, or
 * one in PATH.
 */
export const findRabbit = (env: NodeJS.ProcessEnv = process.env): string | undefined =>
  ['/usr/lib/rabbitmq/bin/rabbitmq-server'].find(existsSync) ?? findProgram('rabbitmq-server', env);

/** Erlang's name server. */
export const findNames = (program: string, env: NodeJS.ProcessEnv = process.env): string =>
  findProgram('epmd', env) ?? join(dirname(program), 'epmd');

/**
 * Starts a private broker as a plain child: its own ports on 127.0.0.1, name server, data, log,
 * cookie and password.
 * @throws when Erlang's name server is not to be found beside it
 */
export const rabbitOnThisMachine = (program: string, env: NodeJS.ProcessEnv = process.env): StartEngine =>
  startOnly(program, findNames(program, env));
