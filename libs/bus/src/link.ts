import { brokerAddressesOf } from '@assay/contracts';
import { gauge, type Log } from '@assay/runtime';
import { type ChannelModel, connect, type SocketOptions } from 'amqplib';
import { type KeepOptions, keepOpen, type Maintained, type Run } from './keep.ts';

const blockedGauge = gauge('assay_bus_blocked', '1 while the broker takes no messages of this connection', ['purpose']);
const HEARTBEAT_SECONDS = 20;
const CONNECT_MS = 10_000;

/**
 * The broker's address with our heartbeat, unless it names one: a peer that is gone without a word
 * is noticed within twice that time.
 */
const withHeartbeat = (url: string): string => {
  const address = new URL(url);
  if (!address.searchParams.has('heartbeat')) address.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
  return address.toString();
};

export interface LinkOptions {
  /** Where the broker is; of a cluster, its nodes as hosts with commas between. */
  url: string;
  service: string;
  purpose: 'publish' | 'consume';
  log: Log;
  /** Opens a connection to a broker. */
  connect?: ((url: string, options: SocketOptions) => Promise<ChannelModel>) | undefined;
}

/** How one thing is opened on a connection, and closed. */
interface Station<T> extends Pick<KeepOptions<T>, 'name' | 'close' | 'stuckMs' | 'onPhase'> {
  open(model: ChannelModel, run: Run): Promise<T>;
}

export interface Link {
  connection: Maintained<ChannelModel>;
  /** Why the broker takes no messages at present. */
  blocked(): string | undefined;
  /** Keeps something open on this connection, over every connection to come. */
  keep<T>(station: Station<T>): Maintained<T>;
  close(): Promise<void>;
}

/** Why the broker takes no messages of this connection at present, in the log and in a gauge. */
const createBlockedState = (purpose: LinkOptions['purpose'], log: Log) => {
  let blocked: string | undefined;
  blockedGauge.set({ purpose }, 0);
  return {
    reason: () => blocked,
    set: (reason: string | undefined): void => {
      const msg = reason === undefined ? 'bus.unblocked' : 'bus.blocked';
      if (blocked !== reason) log.warn({ msg, purpose, reason });
      blocked = reason;
      blockedGauge.set({ purpose }, reason === undefined ? 0 : 1);
    },
  };
};

/**
 * Connects to the next node, so that an attempt after a failed one meets another. The
 * first is drawn: services that start together spread over the nodes.
 */
const connectToNextNode = ({ url, service, purpose, connect: dial = connect }: LinkOptions) => {
  const addresses = brokerAddressesOf(url).map(withHeartbeat);
  let next = addresses.length > 1 ? Math.floor(Math.random() * addresses.length) : 0;
  return (): Promise<ChannelModel> =>
    dial(addresses[next++ % addresses.length]!, {
      // Or a small message waits up to 40 ms for the broker to acknowledge the packet before it.
      noDelay: true,
      timeout: CONNECT_MS,
      clientProperties: { connection_name: `${service}.${purpose}` },
    });
};

/** Ends a connection without goodbye: that would wait for a broker that does not answer. */
const cutOff = (model: ChannelModel | undefined): void => {
  const connection = model?.connection as unknown as { stream: { destroy(error: Error): void } } | undefined;
  connection?.stream.destroy(new Error('the broker does not answer'));
};

/** One connection to the broker, opened again whenever it is lost. */
export const createLink = (options: LinkOptions): Link => {
  const { purpose, log } = options;
  const stations = new Set<Maintained<unknown>>();
  const blocked = createBlockedState(purpose, log);
  const connectToNode = connectToNextNode(options);
  let latest: ChannelModel | undefined;
  const cut = (): void => cutOff(latest);

  const connection = keepOpen<ChannelModel>({
    name: `connection to ${purpose}`,
    log,
    open: async (run) => {
      const model = await connectToNode();
      latest = model;
      model.on('error', (error: unknown) => run.lost(error));
      model.on('close', (error: unknown) => run.lost(error ?? 'closed'));
      model.on('blocked', (reason: unknown) => blocked.set(String(reason)));
      model.on('unblocked', () => blocked.set(undefined));
      return model;
    },
    close: (model) => model.close(),
    onStuck: cut,
    onPhase: (phase) => {
      if (phase !== 'open') blocked.set(undefined);
      for (const station of stations)
        if (phase === 'open') station.baseUp();
        else station.baseDown();
    },
  });

  return {
    connection,
    blocked: blocked.reason,
    keep: <T>({ open, ...station }: Station<T>): Maintained<T> => {
      const keeper = keepOpen<T>({
        ...station,
        log,
        onStuck: cut,
        open: async (run) => {
          const model = connection.now();
          if (!model) throw new Error('not connected');
          return open(model, run);
        },
        onPhase: (phase) => {
          station.onPhase?.(phase);
          if (phase === 'stopped') stations.delete(keeper as Maintained<unknown>);
        },
      });
      stations.add(keeper as Maintained<unknown>);
      if (connection.phase() === 'open') keeper.baseUp();
      return keeper;
    },
    close: async () => {
      await Promise.all([...stations].map((station) => station.stop()));
      await connection.stop();
    },
  };
};
