import { lookup as resolve } from 'node:dns/promises';
import type { ClientRequest } from 'node:http';
import type { Readable } from 'node:stream';
import axios from 'axios';
import type { DeliveryAttempt } from '../domain/delivery.ts';
import { type Cidr, hostOf, isAddress, mayReach } from '../domain/target.ts';
import { type Address, createConnections, newConnection } from './connections.ts';

export interface Receiver {
  /** Sends the bytes once. Never rejects: what went wrong is in the attempt, as a code. */
  send(url: URL, headers: Record<string, string>, body: Buffer): Promise<Omit<DeliveryAttempt, 'at'>>;
  /**
   * False when the host resolves to an address that is refused; a name that does not resolve now
   * may do so later.
   */
  mayBeTarget(url: URL): Promise<boolean>;
}

const TIMEOUT_MS = 10_000;
const MOST_OF_A_REPLY = 64 * 1024;

class Blocked extends Error {
  readonly code = 'BLOCKED';
}

/** Finds the addresses of a name. */
type Lookup = (host: string) => Promise<Address[]>;

const lookUp: Lookup = (host) => resolve(host, { all: true, verbatim: true });

const addressesOf = async (url: URL, lookup: Lookup): Promise<Address[]> => {
  const host = hostOf(url);
  if (isAddress(host)) return [{ address: host, family: host.includes(':') ? 6 : 4 }];
  return lookup(host);
};

/** Looking a name up cannot be broken off, only left: whoever answers for it may take any time. */
const unlessOver = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const over = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, over]);
};

/** Reads a little of the reply and lets go of the rest: only its status matters. */
const letGo = (reply: Readable): Promise<void> =>
  new Promise((resolveRead) => {
    let read = 0;
    reply.on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (read > MOST_OF_A_REPLY) reply.destroy();
    });
    reply.on('error', () => resolveRead());
    reply.on('close', () => resolveRead());
  });

const codeOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (name === 'CanceledError' || name === 'TimeoutError' || code === 'ERR_CANCELED') return 'TIMEOUT';
  return typeof code === 'string' ? code : 'FAILED';
};

/** True where a kept connection was closed by the receiver at the moment it was used again. */
const wasClosed = (error: unknown): boolean => {
  const { code, request } = error as { code?: unknown; request?: ClientRequest };
  return request?.reusedSocket === true && (code === 'ECONNRESET' || code === 'EPIPE');
};

/**
 * The outbound client: one POST, no proxy, no redirect, ten seconds for all of it. The target is
 * checked by the address it resolves to, and that very address is connected to; the filtering agent
 * checks once more when the socket is made. A kept connection that turns out to be closed is
 * replaced within the attempt.
 */
export const createReceiver = (allowed: readonly Cidr[], timeoutMs = TIMEOUT_MS, lookup = lookUp): Receiver => {
  const checked = async (url: URL): Promise<Address[]> => {
    const addresses = await addressesOf(url, lookup);
    if (addresses.length === 0 || !addresses.every(({ address }) => mayReach(address, allowed))) throw new Blocked();
    return addresses;
  };

  const connections = createConnections();

  const post = async (url: URL, headers: Record<string, string>, body: Buffer): Promise<{ statusCode: number }> => {
    const signal = AbortSignal.timeout(timeoutMs);
    const addresses = await unlessOver(checked(url), signal);
    const send = (agents: ReturnType<typeof connections>) =>
      axios.request<Readable>({
        method: 'POST',
        url: url.toString(),
        headers: { ...headers, accept: '*/*', 'accept-encoding': 'identity' },
        data: body,
        adapter: 'http',
        proxy: false,
        maxRedirects: 0,
        decompress: false,
        responseType: 'stream',
        validateStatus: () => true,
        signal,
        ...agents,
      });
    const { status, data } = await send(connections(url, addresses)).catch((error: unknown) => {
      if (wasClosed(error)) return send(newConnection(addresses));
      throw error;
    });
    await letGo(data);
    return { statusCode: status };
  };

  return {
    send: async (url, headers, body) => {
      const startedAt = performance.now();
      const outcome = await post(url, headers, body).catch((error: unknown) => ({ error: codeOf(error) }));
      return { ...outcome, durationMs: Math.round(performance.now() - startedAt) };
    },
    mayBeTarget: async (url) => {
      const addresses = await addressesOf(url, lookup).catch((): Address[] => []);
      return addresses.every(({ address }) => mayReach(address, allowed));
    },
  };
};
