import net from 'node:net';

/**
 * Blocks lie below the range the system takes outgoing ports from, so that a port stays free while
 * its owner restarts.
 */
const firstPort = 20_000;
const blockSize = 64;
const blockCount = 190;

/**
 * Ports on 127.0.0.1 that no other suite on this machine takes while they are held: one or more
 * neighbouring blocks.
 */
export interface PortBlock {
  readonly base: number;
  /** The ports, without the first one of each block, which is its lock. */
  readonly ports: readonly number[];
  release(): Promise<void>;
}

const listen = (port: number): Promise<net.Server | undefined> =>
  new Promise((resolve) => {
    const server = net.createServer((socket) => socket.destroy());
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server));
  });

/** A lock keeps its port from others, not this process from ending. */
const lockPort = async (port: number): Promise<net.Server | undefined> => (await listen(port))?.unref();

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

const tryBlocks = async (bases: readonly number[]): Promise<PortBlock | undefined> => {
  const locks = (await Promise.all(bases.map(lockPort))).filter((lock) => lock !== undefined);
  const release = async (): Promise<void> => void (await Promise.all(locks.map(close)));
  const ports = bases.flatMap((base) => Array.from({ length: blockSize - 1 }, (_, index) => base + 1 + index));
  const areFree = locks.length === bases.length && (await Promise.all(ports.map(isFree))).every(Boolean);
  if (areFree) return { base: bases[0]!, ports, release };
  await release();
  return undefined;
};

/**
 * Takes `count` ports: the preferred block when it is free, else the next free one from a start
 * that `random` (0..1) chooses, and as many blocks behind it as are needed.
 * @throws when there are not enough
 */
export const takePortBlock = async (
  preferred: number | undefined,
  random: number,
  count: number,
): Promise<PortBlock> => {
  const blocks = Math.ceil(count / (blockSize - 1));
  const starts = blockCount - blocks + 1;
  const first = Math.floor(random * starts);
  const bases = Array.from({ length: starts }, (_, index) => firstPort + ((first + index) % starts) * blockSize);
  for (const base of preferred === undefined ? bases : [preferred, ...bases]) {
    const block = await tryBlocks(Array.from({ length: blocks }, (_, index) => base + index * blockSize));
    if (block) return block;
  }
  throw new Error(`no ${count} free ports between ${firstPort} and ${firstPort + blockCount * blockSize}`);
};
