import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** The same address through this proxy. */
  through(url: string): string;
  /** Cuts every connection, like a restarting node. */
  cut(): void;
  /** Drops what the other side sends, until `release`. */
  swallow(): void;
  release(): void;
  /** Sends something to every client as if it came from the other side. */
  inject(bytes: Buffer): void;
  close(): Promise<void>;
}

/** Observes what the clients send. It is called once for each connection. */
type Listen = () => (bytes: Buffer) => void;

/** A proxy in front of one TCP server, to make the network fail or to observe it. */
export const startProxy = async (url: string, listen?: Listen): Promise<TcpProxy> => {
  const { hostname, port: target } = new URL(url);
  const clients = new Map<Socket, Socket>();
  let swallows = false;
  const server = createServer((client) => {
    const upstream = connect(Number(target), hostname);
    clients.set(client, upstream);
    const end = (): void => {
      clients.delete(client);
      client.destroy();
      upstream.destroy();
    };
    const heard = listen?.();
    client.on('data', (bytes) => {
      upstream.write(bytes);
      heard?.(bytes);
    });
    upstream.on('data', (bytes) => {
      if (!swallows) client.write(bytes);
    });
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const cut = (): void => {
    for (const [client, upstream] of clients) {
      client.destroy();
      upstream.destroy();
    }
  };
  return {
    port,
    through: (address) => {
      const through = new URL(address);
      through.host = `127.0.0.1:${port}`;
      return through.toString();
    },
    cut,
    swallow: () => {
      swallows = true;
    },
    release: () => {
      swallows = false;
      // Bytes are missing, so no connection can continue.
      cut();
    },
    inject: (bytes) => {
      for (const client of clients.keys()) client.write(bytes);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
};
