import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Balancer, balanceConnections, balanceRequests } from './balancer.ts';
import { startChild } from './child.ts';
import type { Address, Say, StartEngine } from './engine.ts';
import { endWhenSilent } from './liveness.ts';
import { chooseMongo } from './mongo.ts';
import { tracingProgram } from './paths.ts';
import { isFree, type PortBlock, takePortBlock } from './ports.ts';
import { chooseRabbit } from './rabbit.ts';
import { liveUrl, waitUntilReady } from './readiness.ts';
import { entryOf } from './releases.ts';
import { type Restarting, type Running, restarting } from './restarting.ts';
import { openRunDir, type RunDir, writePrivate } from './run-dir.ts';
import { type EnvInput, envOf } from './service-env.ts';
import { describeStack, type StackFile, targetsOf } from './stack-file.ts';
import { addressesOf, type Copies, type Front, type Layout, layOut, type Program, portsNeeded } from './suite.ts';

export interface SuiteOptions {
  readonly runDir: string;
  /** What to run beside the two engines; nothing gives the engines alone. */
  readonly programs: readonly Program[];
  readonly copies: Copies;
  /** The gateway's public port, when it is not to be a free one. */
  readonly publicPort?: number;
  /** Nothing in the run directory is needed afterwards: engines may end at once. */
  readonly discard: boolean;
  /** Gives up starting when it fires. */
  readonly signal: AbortSignal;
}

export interface Suite {
  readonly stack: () => StackFile;
  /** Ends everything, programs before engines. */
  stop(): Promise<void>;
}

const readyTimeoutMs = 180_000;
const graceMs = 8_000;
const enginePorts = 4;

/**
 * The layout with a public port of the caller's choice: of the front where there is one, else of
 * the process.
 */
const withPublicPort = ({ members, fronts }: Layout, port: number): Layout => {
  const isPublic = ({ program, name }: Front): boolean => program.publicPort === name;
  return fronts.some(isPublic)
    ? { members, fronts: fronts.map((front) => (isPublic(front) ? { ...front, port } : front)) }
    : {
        fronts,
        members: members.map((member) => {
          const { publicPort } = member.program;
          return publicPort ? { ...member, ports: { ...member.ports, [publicPort]: port } } : member;
        }),
      };
};

const startFronts = (fronts: readonly Front[]): Promise<Balancer[]> =>
  Promise.all(
    fronts.map(({ program, name, port, targets }) =>
      (program.publicPort === name ? balanceRequests : balanceConnections)(port, targets),
    ),
  );

const requireBuilt = ({ members }: Layout): void => {
  const missing = members.map((member) => entryOf(member)).filter((entry) => !existsSync(entry));
  if (missing.length > 0) throw new Error(`not built: ${missing.join(', ')}`);
};

/**
 * The running parts of a suite, in the order they were started, and the process of each at this
 * moment.
 */
const createParts = () => {
  const members: Restarting<Running>[] = [];
  const pids = new Map<string, number>();
  let changed: () => void = () => undefined;
  return {
    members,
    pidOf: (label: string) => pids.get(label),
    onChange: (listener: () => void) => {
      changed = listener;
    },
    spawned: (label: string, pid: number) => {
      pids.set(label, pid);
      changed();
    },
  };
};
type Parts = ReturnType<typeof createParts>;

/**
 * Starts both engines. `located` resolves when it is known where they are: the services find their
 * way while the broker still starts.
 */
const startEngines = async (run: RunDir, block: PortBlock, parts: Parts, say: Say) => {
  const [mongoPort = 0, amqpPort = 0, distPort = 0, namesPort = 0] = block.ports;
  const start = (name: string, engine: StartEngine, port: number) => {
    const options = { dataDir: join(run.dataDir, name), port, innerPorts: [distPort, namesPort] as const };
    let locate: (address: Address) => void = () => undefined;
    const spawned = new Promise<Address>((resolve) => {
      locate = resolve;
    });
    const onSpawn = (pid: number, address: Address): void => {
      parts.spawned(name, pid);
      locate(address);
    };
    const engineProcess = restarting(name, () => engine({ ...options, onSpawn }), say);
    parts.members.push(engineProcess);
    return { ready: engineProcess.first, located: Promise.race([spawned, engineProcess.first]) };
  };
  const [chosenMongo, chosenRabbit] = [await chooseMongo(say), await chooseRabbit(say)];
  const mongodb = start('mongodb', chosenMongo, mongoPort);
  const rabbitmq = start('rabbitmq', chosenRabbit, amqpPort);
  const ready = Promise.all([mongodb.ready, rabbitmq.ready]);
  const located = Promise.all([mongodb.ready, rabbitmq.located]);
  // Whoever waits for one of them hears of a failure; the other's is no news.
  for (const one of [ready, located, mongodb.located]) one.catch(() => undefined);
  return { ready, located: located.then(([mongo, rabbit]) => ({ mongodb: mongo, rabbitmq: rabbit })) };
};

/**
 * The old generation is first collected at so many MB: less of a heap is garbage that nobody has
 * collected yet, and nothing is collected more often for it (docs/performance-history.md, Memory).
 * Tracing is loaded before a service, and only where its spans are to go somewhere: nothing of it
 * is there otherwise. Who measures gives further arguments in `SUITE_NODE_ARGUMENTS`.
 */
const nodeArguments = ({ kind }: Program): string[] => [
  '--enable-source-maps',
  '--initial-old-space-size=112',
  ...(kind === 'service' && process.env.OTEL_EXPORTER_OTLP_ENDPOINT
    ? ['--import', pathToFileURL(tracingProgram).href]
    : []),
  ...(process.env.SUITE_NODE_ARGUMENTS?.split(' ').filter(Boolean) ?? []),
];

const startMembers = async (input: EnvInput, parts: Parts, say: Say, signal: AbortSignal): Promise<void> => {
  const starting = input.layout.members.map((member) => {
    const logFile = join(input.run.logDir, `${member.label}.log`);
    const start = (): Promise<Running> => {
      const args = [...nodeArguments(member.program), entryOf(member)];
      const child = startChild(process.execPath, args, { env: envOf(member, input), logFile });
      parts.spawned(member.label, child.pid);
      void endWhenSilent(member.label, child, liveUrl(member), say);
      return Promise.resolve(child);
    };
    const running = restarting(member.label, start, say);
    parts.members.push(running);
    return { member, running, logFile };
  });
  await waitUntilReady(starting, readyTimeoutMs, signal);
};

const stopAll = async (parts: Parts, discard: boolean): Promise<void> => {
  const isEngine = ({ name }: Restarting<Running>): boolean => name === 'mongodb' || name === 'rabbitmq';
  const [engines, programs] = [parts.members.filter(isEngine), parts.members.filter((member) => !isEngine(member))];
  await Promise.all(programs.map((member) => member.stop(graceMs)));
  await Promise.all(engines.map((member) => member.stop(discard ? 0 : graceMs)));
};

/**
 * Starts a whole suite in a run directory and keeps it running: engines, then programs, until each
 * says it is ready. `stack.json` is there from then on, and names the current processes whenever
 * one was replaced; `prometheus.json` names what there is to scrape. `addresses.json` says before
 * the first program starts where each will listen.
 * @throws when it cannot be started; everything it started has ended then
 */
export const runSuite = async (options: SuiteOptions, say: Say): Promise<Suite> => {
  const { publicPort } = options;
  if (publicPort !== undefined && !(await isFree(publicPort)))
    throw new Error(`port ${publicPort} of 127.0.0.1 is taken`);
  const run = await openRunDir(options.runDir);
  const portCount = enginePorts + portsNeeded(options.programs, options.copies);
  const block = await takePortBlock(run.portBase, Math.random(), portCount);
  await writePrivate(join(run.dir, 'ports.json'), { base: block.base });
  const ports = layOut(options.programs, options.copies, block.ports.slice(enginePorts));
  const layout = publicPort === undefined ? ports : withPublicPort(ports, publicPort);
  await writePrivate(join(run.dir, 'addresses.json'), addressesOf(layout));
  const parts = createParts();
  let fronts: readonly Balancer[] = [];
  const stackFile = join(run.dir, 'stack.json');

  const stop = async (): Promise<void> => {
    parts.onChange(() => undefined);
    await Promise.all(fronts.map((front) => front.close()));
    await stopAll(parts, options.discard);
    await block.release();
    await rm(stackFile, { force: true });
  };

  try {
    requireBuilt(layout);
    fronts = await startFronts(layout.fronts);
    const { ready, located } = await startEngines(run, block, parts, say);
    const engines = await located;
    options.signal.throwIfAborted();
    const lost = new AbortController();
    ready.catch((error: unknown) => lost.abort(error));
    const signal = AbortSignal.any([options.signal, lost.signal]);
    await Promise.all([ready, startMembers({ run, engines, layout }, parts, say, signal)]);
    const stack = (): StackFile => describeStack(run, engines, layout, parts.pidOf);
    await writePrivate(join(run.dir, 'prometheus.json'), targetsOf(stack()));
    let writing = writePrivate(stackFile, stack());
    parts.onChange(() => {
      writing = writing.then(() => writePrivate(stackFile, stack()));
    });
    await writing;
    return { stack, stop: () => stop().finally(() => writing) };
  } catch (error) {
    await stop();
    throw error;
  }
};
