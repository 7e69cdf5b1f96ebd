import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startChild } from './child.ts';
import type { Address, Say, StartEngine } from './engine.ts';
import { type Kept, keep, type Running } from './keeper.ts';
import { chooseMongo } from './mongo.ts';
import { tracingProgram } from './paths.ts';
import { isFree, type PortBlock, takePortBlock } from './ports.ts';
import { chooseRabbit } from './rabbit.ts';
import { waitUntilReady } from './readiness.ts';
import { openRunDir, type RunDir, writePrivate } from './run-dir.ts';
import { type EnvInput, envOf } from './service-env.ts';
import { describeStack, type StackFile } from './stack-file.ts';
import { layOut, type Member, type Program } from './suite.ts';

export interface SuiteOptions {
  readonly runDir: string;
  /** What to run beside the two engines; nothing gives the engines alone. */
  readonly programs: readonly Program[];
  /** How many processes of a program, by name; one where nothing is said. */
  readonly copies: Readonly<Record<string, number>>;
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

const withPublicPort = (members: readonly Member[], port: number | undefined): readonly Member[] =>
  members.map((member) =>
    port !== undefined && member.program.name === 'gateway'
      ? { ...member, ports: { ...member.ports, HTTP_PORT: port } }
      : member,
  );

const requireBuilt = (programs: readonly Program[]): void => {
  const missing = programs.filter(({ entry }) => !existsSync(entry));
  if (missing.length > 0) throw new Error(`not built: ${missing.map(({ entry }) => entry).join(', ')}`);
};

/** The running parts of a suite, in the order they were started, and the process of each at this moment. */
const createParts = () => {
  const kept: Kept<Running>[] = [];
  const pids = new Map<string, number>();
  let changed: () => void = () => undefined;
  return {
    kept,
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

/** Starts both engines. `located` resolves when it is known where they are: the services find their way while the broker still starts. */
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
    const kept = keep(name, () => engine({ ...options, onSpawn }), say);
    parts.kept.push(kept);
    return { ready: kept.first, located: Promise.race([spawned, kept.first]) };
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
 * Buffers that stream by make a small heap look full, and every time all of it is gone through: with a first limit of 256 MB media cost evidence-intake two
 * thirds of that processor time. Tracing is loaded before a service, and only where its spans are to go somewhere: nothing of it is there otherwise.
 */
const nodeArguments = ({ kind }: Program): string[] => [
  '--enable-source-maps',
  '--initial-old-space-size=256',
  ...(kind === 'service' && process.env.OTEL_EXPORTER_OTLP_ENDPOINT
    ? ['--import', pathToFileURL(tracingProgram).href]
    : []),
];

const startMembers = async (input: EnvInput, parts: Parts, say: Say, signal: AbortSignal): Promise<void> => {
  const starting = input.members.map((member) => {
    const logFile = join(input.run.logDir, `${member.label}.log`);
    const start = (): Promise<Running> => {
      const args = [...nodeArguments(member.program), member.program.entry];
      const child = startChild(process.execPath, args, { env: envOf(member, input), logFile });
      parts.spawned(member.label, child.pid);
      return Promise.resolve(child);
    };
    const kept = keep(member.label, start, say);
    parts.kept.push(kept);
    return { member, kept, logFile };
  });
  await waitUntilReady(starting, readyTimeoutMs, signal);
};

const stopAll = async (parts: Parts, discard: boolean): Promise<void> => {
  const isEngine = ({ name }: Kept<Running>): boolean => name === 'mongodb' || name === 'rabbitmq';
  await Promise.all(parts.kept.filter((kept) => !isEngine(kept)).map((kept) => kept.stop(graceMs)));
  await Promise.all(parts.kept.filter(isEngine).map((kept) => kept.stop(discard ? 0 : graceMs)));
};

/**
 * Starts a whole suite in a run directory and keeps it running: engines, then programs, until each says it is ready. `stack.json` is there from
 * then on, and names the current processes whenever one was replaced.
 * @throws when it cannot be started; everything it started has ended then
 */
export const runSuite = async (options: SuiteOptions, say: Say): Promise<Suite> => {
  requireBuilt(options.programs);
  const { publicPort } = options;
  if (publicPort !== undefined && !(await isFree(publicPort)))
    throw new Error(`port ${publicPort} of 127.0.0.1 is taken`);
  const run = await openRunDir(options.runDir);
  const block = await takePortBlock(run.portBase, Math.random());
  await writePrivate(join(run.dir, 'ports.json'), { base: block.base });
  const members = withPublicPort(layOut(options.programs, options.copies, block.ports.slice(enginePorts)), publicPort);
  const parts = createParts();
  const stackFile = join(run.dir, 'stack.json');

  const stop = async (): Promise<void> => {
    parts.onChange(() => undefined);
    await stopAll(parts, options.discard);
    await block.release();
    await rm(stackFile, { force: true });
  };

  try {
    const { ready, located } = await startEngines(run, block, parts, say);
    const engines = await located;
    options.signal.throwIfAborted();
    const lost = new AbortController();
    ready.catch((error: unknown) => lost.abort(error));
    const signal = AbortSignal.any([options.signal, lost.signal]);
    await Promise.all([ready, startMembers({ run, engines, members }, parts, say, signal)]);
    const stack = (): StackFile => describeStack(run, engines, members, parts.pidOf);
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
