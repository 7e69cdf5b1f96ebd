import { lookup as resolve } from 'node:dns/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { present } from '@assay/contracts';
import { Late, unlessLate } from '@assay/runtime';
import { type DeliveryAttempt, retryAfterOf } from '../domain/delivery.ts';
import { type Cidr, hostOf, isAddress, mayReach } from '../domain/target.ts';
import { type Address, type Connections, createConnections, newConnection } from './connections.ts';
import { discard } from './discard.ts';

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
/** Interim replies (100 to 199) that a receiver may send before its reply. */
const MOST_INTERIM = 16;

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

const codeOf = (error: unknown): string => {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : 'FAILED';
};

/** What is sent, where to, and until when. */
interface Sending {
  url: URL;
  headers: Record<string, string>;
  body: Buffer;
  /** As `performance.now()` tells it. */
  until: number;
}

class ClosedMeanwhile extends Error {}

/** The receiver speaks another protocol from here on: that is no reply. */
class Upgraded extends Error {
  readonly code = 'UPGRADE';
}

/** Interim replies without end: to read them keeps the whole process busy. */
class OnlyAnnounced extends Error {
  readonly code = 'INTERIM';
}

class Unanswered extends Error {
  readonly code = 'ECONNRESET';
}

/**
 * One POST by Node's own client, which takes a third of the time of a library around it; resolves
 * with the head of the reply. Rejects with ClosedMeanwhile where a kept connection was closed by
 * the receiver at the moment it was used again. The modules are asked for `request` at each call:
 * what traces calls puts its own there.
 */
const post = (
  { url, headers, body, until }: Sending,
  { httpAgent, httpsAgent }: Connections,
): Promise<IncomingMessage> =>
  new Promise((resolveReply, reject) => {
    const isTls = url.protocol === 'https:';
    const options = { method: 'POST', headers, agent: isTls ? httpsAgent : httpAgent };
    const sent = (isTls ? https : http).request(url, options, resolveReply);
    // A signal costs several times as much, and goes on until its time is over.
    const limit = setTimeout(() => sent.destroy(new Late()), until - performance.now());
    sent.once('close', () => {
      clearTimeout(limit);
      // After a reply or an error this changes nothing. Node closes some requests with neither.
      reject(new Unanswered());
    });
    sent.once('upgrade', (_reply, socket) => {
      socket.destroy();
      reject(new Upgraded());
    });
    let interim = 0;
    sent.on('information', () => {
      interim += 1;
      if (interim <= MOST_INTERIM) return;
      // First: the parser may reach the reply of the same piece before the destruction is told.
      reject(new OnlyAnnounced());
      sent.destroy();
    });
    // For good: what goes wrong after the head is of the reply, and must not end the process.
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const wasClosed = sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(wasClosed ? new ClosedMeanwhile() : error);
    });
    sent.end(body);
  });

/**
 * The outbound client: one POST, no proxy, no redirect, ten seconds for all of it. The target is
 * checked by the address it resolves to, and that very address is connected to; the filtering agent
 * checks once more when the socket is made. A kept connection that turns out to be closed is
 * replaced within the attempt.
 */
export const createReceiver = (allowed: readonly Cidr[], timeoutMs = TIMEOUT_MS, lookup = lookUp): Receiver => {
  /** Of a target that is an address itself: it leads nowhere else the next time. */
  const known = new WeakMap<URL, Address[]>();
  const checked = async (url: URL): Promise<Address[]> => {
    const addresses = await addressesOf(url, lookup);
    if (addresses.length === 0 || !addresses.every(({ address }) => mayReach(address, allowed))) throw new Blocked();
    if (isAddress(hostOf(url))) known.set(url, addresses);
    return addresses;
  };

  const connections = createConnections();

  const deliver = async (
    url: URL,
    headers: Record<string, string>,
    body: Buffer,
  ): Promise<Pick<DeliveryAttempt, 'statusCode' | 'retryAfterSeconds'>> => {
    const until = performance.now() + timeoutMs;
    const addresses = known.get(url) ?? (await unlessLate(checked(url), timeoutMs));
    const all = { ...headers, accept: '*/*', 'accept-encoding': 'identity' };
    const sending = { url, headers: all, body, until };
    const reply = await post(sending, connections(url, addresses)).catch((error: unknown) => {
      if (error instanceof ClosedMeanwhile) return post(sending, newConnection(addresses));
      throw error;
    });
    await discard(reply);
    // A reply to a request has one.
    const statusCode = reply.statusCode!;
    return { statusCode, ...present({ retryAfterSeconds: retryAfterOf(statusCode, reply.headers) }) };
  };

  return {
    send: async (url, headers, body) => {
      const startedAt = performance.now();
      const outcome = await deliver(url, headers, body).catch((error: unknown) => ({ error: codeOf(error) }));
      return { ...outcome, durationMs: Math.round(performance.now() - startedAt) };
    },
    mayBeTarget: async (url) => {
      const addresses = await addressesOf(url, lookup).catch((): Address[] => []);
      return addresses.every(({ address }) => mayReach(address, allowed));
    },
  };
};
