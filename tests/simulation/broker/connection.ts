import { EventEmitter } from 'node:events';
import type { ChannelModel } from 'amqplib';
import type { World } from '../world/world.ts';
import type { Broker } from './broker.ts';
import { openChannel } from './channel.ts';
import { createLine, type Line } from './line.ts';

/**
 * The option of amqplib that names the purpose of a connection. RabbitMQ lists connections by it.
 */
interface Named {
  clientProperties?: { connection_name?: string } | undefined;
}

export interface BrokerLines {
  /** Like amqplib's `connect`: connects the process whose code runs now. */
  connect(url?: string, options?: Named): Promise<ChannelModel>;
  /** Cuts one of the open connections of a service, drawn at random; false if none is open. */
  cutOne(service: string): boolean;
  /** Cuts the connections of a service for one purpose, and refuses new ones for `ms`. */
  lose(service: string, purpose: Purpose, ms: number): void;
  /** Makes the broker close one of the channels of a service. */
  closeChannel(service: string): void;
}

export const PURPOSES = ['publish', 'consume'] as const;
type Purpose = (typeof PURPOSES)[number];

export interface ConnectionFaults {
  refuses(service: string): boolean;
  isCalm(): boolean;
  latencyMs(): number;
}

const errorOf = (code: string): Error => Object.assign(new Error(code), { code });

const modelOn = (broker: Broker, line: Line, onOpen: (closeThere: () => void) => void): ChannelModel => {
  const events = new EventEmitter();
  let isClosed = false;
  line.onClosedHere(() => {
    if (isClosed) return;
    isClosed = true;
    events.emit('error', errorOf('ECONNRESET'));
    events.emit('close', errorOf('ECONNRESET'));
  });
  const open = () =>
    new Promise((resolve, reject) => {
      if (line.isCut() || isClosed) return reject(new Error('Connection closed'));
      line.onClosedHere(() => reject(new Error('Connection closed')));
      line.there('open channel', () => line.back('channel open', () => resolve(openChannel(broker, line, onOpen))));
    });
  return Object.assign(events, {
    connection: { stream: { destroy: () => line.cut() } },
    createChannel: open,
    createConfirmChannel: open,
    close: () =>
      new Promise<void>((resolve, reject) => {
        if (isClosed || line.isCut()) return reject(new Error('Connection closed'));
        line.there('close connection', () =>
          line.back('connection closed', () => {
            isClosed = true;
            line.cut();
            events.emit('close');
            resolve();
          }),
        );
      }),
  }) as unknown as ChannelModel;
};

/** The connections between processes and a broker. */
export const createLines = (world: World, broker: Broker, faults: ConnectionFaults): BrokerLines => {
  const open = new Map<string, Set<Line>>();
  const channels = new Map<string, Set<() => void>>();
  /** The lines for one purpose, and until when they are refused. */
  const kinds = new Map<string, { lines: Set<Line>; awayUntil: number }>();
  const kindOf = (name: string) => {
    const kind = kinds.get(name) ?? { lines: new Set(), awayUntil: 0 };
    kinds.set(name, kind);
    return kind;
  };
  return {
    connect: (_url, options) =>
      new Promise((resolve, reject) => {
        const process = world.current();
        // A fault strikes both processes of a service.
        const service = process?.name.replace(/-2$/, '') ?? '';
        const line = createLine(world, process, () => faults.latencyMs());
        const kind = kindOf(options?.clientProperties?.connection_name ?? '');
        const isAway = !faults.isCalm() && kind.awayUntil > world.now();
        if (isAway || faults.refuses(service)) {
          world.after(faults.latencyMs(), process, 'broker refuses', () => reject(errorOf('ECONNREFUSED')));
          return;
        }
        const lines = open.get(service) ?? new Set();
        open.set(service, lines.add(line));
        const closings = channels.get(service) ?? new Set();
        channels.set(service, closings);
        const onOpen = (closeThere: () => void): void => {
          closings.add(closeThere);
          line.onClosedThere(() => closings.delete(closeThere));
        };
        kind.lines.add(line);
        line.onClosedThere(() => {
          lines.delete(line);
          kind.lines.delete(line);
        });
        line.onClosedHere(() => reject(errorOf('ECONNRESET')));
        line.there('connect', () => line.back('connected', () => resolve(modelOn(broker, line, onOpen))));
      }),
    closeChannel: (service) => {
      const closings = [...(channels.get(service) ?? [])];
      if (closings.length > 0) world.random.pick(closings)();
    },
    lose: (service, purpose, ms) => {
      const kind = kindOf(`${service}.${purpose}`);
      kind.awayUntil = world.now() + ms;
      for (const line of [...kind.lines]) line.cut();
    },
    cutOne: (service) => {
      const lines = [...(open.get(service) ?? [])];
      if (lines.length === 0) return false;
      world.random.pick(lines).cut();
      return true;
    },
  };
};
