import net from 'node:net';

/** Blocks lie below the range the system takes outgoing ports from, so that a port stays free while its owner restarts. */
const firstPort = 20_000;
const blockSize = 64;
const blockCount = 190;

/** A block of neighbouring ports on 127.0.0.1 that no other suite on this machine takes while it is held. */
export interface PortBlock {
  readonly base: number;
  /** Every port behind the base; the base itself is the lock. */
  readonly ports: readonly number[];
  release(): Promise<void>;
}

const listen = (port: number): Promise<net.Server | undefined> =>
  new Promise((resolve) => {
    const server = net.createServer((socket) => socket.destroy());
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server));
  });

const close = (server: net.Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

/** Whether a port of 127.0.0.1 can be bound at this moment. */
export const isFree = async (port: number): Promise<boolean> => {
  const server = await listen(port);
  if (server) await close(server);
  return server !== undefined;
};

/** A port the system chooses, free at this moment. */
export const freePort = async (): Promise<number> => {
  const server = await listen(0);
  if (!server) throw new Error('no free port on 127.0.0.1');
  const { port } = server.address() as net.AddressInfo;
  await close(server);
  return port;
};

const tryBlock = async (base: number): Promise<PortBlock | undefined> => {
  const lock = await listen(base);
  if (!lock) return undefined;
  lock.unref();
  const ports = Array.from({ length: blockSize - 1 }, (_, index) => base + 1 + index);
  const free = await Promise.all(ports.map(isFree));
  if (free.every(Boolean)) return { base, ports, release: () => close(lock) };
  await close(lock);
  return undefined;
};

/**
 * Takes a block: the preferred one when it is free, else the next free one from a start that `random` (0..1) chooses.
 * @throws when every block is taken
 */
export const takePortBlock = async (preferred: number | undefined, random: number): Promise<PortBlock> => {
  const start = Math.floor(random * blockCount);
  const bases = Array.from(
    { length: blockCount },
    (_, index) => firstPort + ((start + index) % blockCount) * blockSize,
  );
  for (const base of preferred === undefined ? bases : [preferred, ...bases]) {
    const block = await tryBlock(base);
    if (block) return block;
  }
  throw new Error(`no ${blockSize} free ports in a row between ${firstPort} and ${firstPort + blockCount * blockSize}`);
};
