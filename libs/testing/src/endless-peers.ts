import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

const OK = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n';
const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
const DRIP_MS = 20;

/** How a peer makes its callers wait. `greeting` is sent before any request. */
export interface EndlessPeer {
  greeting?: string;
  answer?: string;
  /** Sent again and again, so that the peer is never silent. */
  drips?: string;
}

/** Peers that never end an answer, by name. */
export const ENDLESS_PEERS = {
  'is silent': {},
  'switches the protocol': { answer: SWITCH },
  'drips an answer': { answer: OK, drips: ' ' },
  'announces without end': { drips: 'HTTP/1.1 103 Early Hints\r\n\r\n' },
} satisfies Record<string, EndlessPeer>;

/** Starts such a peer. Its port is open until `close`. */
export const startEndlessPeer = async ({ greeting, answer, drips }: EndlessPeer) => {
  const sockets = new Set<Socket>();
  const answers = (socket: Socket): void => {
    if (answer) socket.write(answer);
    if (drips === undefined) return;
    const timer = setInterval(() => socket.write(drips), DRIP_MS);
    socket.once('close', () => clearInterval(timer));
  };
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    if (greeting) socket.write(greeting);
    socket.on('error', () => undefined).once('data', () => answers(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    /** How many connections its callers have left open. */
    open: (): number => sockets.size,
    close: (): void => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};
