import { Agent, type Server } from 'node:http';
import { Wire } from './wire.ts';
import type { Process, World } from './world.ts';

/** The network between processes. */
export interface Net {
  /** Serves a host name until the process dies. Several processes may serve one name. */
  serve(host: string, process: Process | undefined, server: Server): void;
  /** Cuts one of the open connections of a host, drawn at random; false if none is open. */
  cutOne(host: string): boolean;
  /**
   * Frees what Node holds outside its heap for the open connections. A run ends without closing
   * them, and they would hold it in memory. They cannot be used afterwards.
   */
  end(): void;
}

/** How the next connection and its bytes are treated. */
export interface LineFaults {
  /** Whether this connection is refused. */
  refuses(host: string): boolean;
  latencyMs(): number;
}

interface Listener {
  process: Process | undefined;
  server: Server;
}

const joined = (world: World, from: Process | undefined, to: Process | undefined, latency: () => number) => {
  const near = new Wire(world, from, latency);
  const far = new Wire(world, to, latency);
  near.join(far);
  far.join(near);
  return { near, far };
};

let connect: ((host: string) => Wire) | undefined;
const CONNECTION = function createConnection(options: { host?: string }): Wire {
  if (!connect) throw new Error('no world is running: nothing may leave this process');
  return connect(options.host ?? '');
};
// Every HTTP client of the suite gets its connections here. A filtering agent calls it after its
// own checks.
Object.assign(Agent.prototype, { createConnection: CONNECTION });

/** Routes every HTTP connection of this program to the servers of this world. */
export const createNet = (world: World, faults: LineFaults): Net => {
  const listeners = new Map<string, Listener[]>();
  const open = new Map<string, Set<Wire>>();
  const left = new Set<Wire>();
  const latency = (): number => faults.latencyMs();

  connect = (host) => {
    const from = world.current();
    const all = (listeners.get(host) ?? []).filter(({ process }) => process?.isAlive !== false);
    const listener = all.length > 1 ? world.random.pick(all) : all[0];
    const { near, far } = joined(world, from, listener?.process, latency);
    for (const wire of [near, far]) {
      left.add(wire);
      wire.once('close', () => left.delete(wire));
    }
    if (!listener || faults.refuses(host)) {
      near.refuse();
      return near;
    }
    const wires = open.get(host) ?? new Set();
    open.set(host, wires.add(near));
    near.once('close', () => wires.delete(near));
    world.after(latency(), listener.process, `connection to ${host}`, () => listener.server.emit('connection', far));
    return near;
  };

  return {
    serve: (host, process, server) => {
      const others = (): Listener[] => (listeners.get(host) ?? []).filter((one) => one.process !== process);
      listeners.set(host, [...others(), { process, server }]);
      process?.onDeath.add(() => listeners.set(host, others()));
    },
    cutOne: (host) => {
      const wires = [...(open.get(host) ?? [])];
      if (wires.length === 0) return false;
      world.random.pick(wires).cut();
      return true;
    },
    end: () => {
      for (const wire of left) wire.parser?.close();
      left.clear();
    },
  };
};
