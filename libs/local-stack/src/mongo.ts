import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startChild } from './child.ts';
import { choose } from './choose.ts';
import { findProgram } from './command.ts';
import { startMongoContainer } from './docker.ts';
import type { Address, Engine, EngineOptions, Say, StartEngine } from './engine.ts';
import { type NodeCommand, nodeForMongo } from './libc.ts';
import { mongoHost, mongoSocket } from './paths.ts';
import { accepts, waitUntil } from './wait.ts';

/** Image of the container path. */
export const mongoImage = 'mongo:8';

const urlOf = (port: number): string => `mongodb://127.0.0.1:${port}/?directConnection=true`;

/** Longest path of a Unix socket that every system takes. */
const SOCKET_PATH = 100;

/**
 * The embedded engine listens on a socket; the port only passes on to it, which costs each byte
 * twice.
 */
const addressOf = (dataDir: string, port: number): Address => {
  const socket = resolve(dataDir, mongoSocket);
  const near = `mongodb://${encodeURIComponent(socket)}/?directConnection=true`;
  return { kind: 'embedded', url: urlOf(port), ...(socket.length > SOCKET_PATH ? {} : { nearUrl: near }) };
};

const startEmbedded =
  (node: NodeCommand): StartEngine =>
  async ({ dataDir, port, onSpawn }) => {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const logFile = join(dataDir, 'mongodb.log');
    const child = startChild(node.command, [...node.args, mongoHost, dataDir, String(port)], {
      env: process.env,
      logFile,
      readFirstLine: true,
    });
    onSpawn?.(child.pid, addressOf(dataDir, port));
    if ((await child.firstLine) !== 'ready') {
      throw new Error(`the embedded MongoDB ended ${await child.ended} before it was ready, see ${logFile}`);
    }
    return {
      ...addressOf(dataDir, port),
      pid: child.pid,
      ended: child.ended,
      stop: (ms = 5_000) => child.stop(ms),
    };
  };

const startMongod =
  (program: string): StartEngine =>
  async ({ dataDir, port, onSpawn }: EngineOptions): Promise<Engine> => {
    const db = join(dataDir, 'db');
    await mkdir(db, { recursive: true, mode: 0o700 });
    const logFile = join(dataDir, 'mongodb.log');
    const args = ['--dbpath', db, '--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket'];
    const child = startChild(program, args, { env: process.env, logFile });
    onSpawn?.(child.pid, { kind: 'local', url: urlOf(port) });
    const stopped = new AbortController();
    void child.ended.then(() => stopped.abort());
    const ready = await waitUntil(() => accepts(port), { timeoutMs: 60_000, signal: stopped.signal });
    if (!ready) {
      await child.stop(0);
      throw new Error(`mongod was not ready in time, see ${logFile}`);
    }
    return {
      kind: 'local',
      url: urlOf(port),
      pid: child.pid,
      ended: child.ended,
      stop: (ms = 5_000) => child.stop(ms),
    };
  };

/**
 * Decides which MongoDB to use, with one line that says what and why: `MONGODB_URI`, then Docker,
 * then `mongod` on this machine, then the embedded engine. `STACK` forces one (`local` covers the
 * last two).
 * @throws when the forced one is not possible
 */
export const chooseMongo = (say: Say): Promise<StartEngine> => {
  const { env } = process;
  const onThisMachine = async (): Promise<StartEngine> => {
    const mongod = findProgram('mongod', env);
    if (mongod) {
      say(`MongoDB: ${mongod}, because it is installed`);
      return startMongod(mongod);
    }
    say('MongoDB: the embedded engine, because neither a server is given nor Docker or mongod is there');
    return startEmbedded(await nodeForMongo(say));
  };
  const inContainer = startMongoContainer;
  return choose({ name: 'MongoDB', variable: 'MONGODB_URI', image: mongoImage, inContainer, onThisMachine }, say, env);
};
