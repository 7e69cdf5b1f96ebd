import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause, setImmediate as soon } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { type Closable, inLine } from '@assay/runtime';
import type { Express } from 'express';
import { hangUpOnSlowSenders, SLOWEST_SENDER, type SlowestSender } from './slow-senders.ts';
import { boundSmallChunks, CHUNK_LIMITS } from './small-chunks.ts';
import { answerUnparsed } from './unparsed.ts';

export interface Listening extends Closable {
  port: number;
  server: Server;
}

/** The certificate of a server and its key, in PEM. */
export interface ServerIdentity {
  cert: string;
  key: string;
}

const configuration = (wrong: string): Error => new Error(`configuration: ${wrong}`);

/** @throws naming the variable that holds no certificate or no key */
const assertBelongTogether = ({ cert, key }: ServerIdentity): void => {
  const isUsable = (parts: Partial<ServerIdentity>): boolean => {
    try {
      createSecureContext(parts);
      return true;
    } catch {
      return false;
    }
  };
  if (!isUsable({ cert })) throw configuration('TLS_CERT is no certificate in PEM');
  if (!isUsable({ key })) throw configuration('TLS_KEY is no private key in PEM');
  if (!isUsable({ cert, key })) throw configuration('TLS_KEY is not the key of TLS_CERT');
};

/**
 * The certificate of the service by its environment; undefined if the services use plain HTTP.
 * @throws if only one of certificate and key is given, if one cannot be read, as while its file is
 *   written, or if they do not belong together
 */
export const identityOf = ({
  TLS_CERT: cert,
  TLS_KEY: key,
}: {
  TLS_CERT: string | undefined;
  TLS_KEY: string | undefined;
}): ServerIdentity | undefined => {
  if (!cert && !key) return undefined;
  if (!cert || !key) throw configuration('TLS_CERT and TLS_KEY are given together or not at all');
  const identity = { cert, key };
  assertBelongTogether(identity);
  return identity;
};

export interface ListenOptions {
  port: number;
  host?: string;
  /** Longest time a whole request may take to arrive, in milliseconds. */
  requestTimeoutMs?: number;
  /** A slower body is not waited for. */
  slowest?: SlowestSender;
  /**
   * A connection without progress for this long, in milliseconds, is cut: its reader does not read
   * any more. Every handler answers sooner.
   */
  stalledMs?: number;
  /** Serves HTTPS with this certificate; plain HTTP where it is absent. */
  tls?: ServerIdentity | undefined;
  /** Once it is aborted, the next answer on each kept connection says that the connection ends. */
  stopping?: AbortSignal;
}

/** A client that keeps connections uses most of them again within this time. */
const LINGER_MS = 250;

/**
 * A client may send on a kept connection just when it is closed, and cannot know whether the
 * request was accepted. So the next answer on each connection says that it ends; connections that
 * are left over were not in use.
 */
const announceEnds = (server: Server): void => {
  server.prependListener('request', (_: unknown, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
};

const letConnectionsEnd = async (server: Server): Promise<void> => {
  const count = await new Promise<number>((resolve) => server.getConnections((_, open) => resolve(open)));
  if (count === 0) return;
  announceEnds(server);
  await pause(LINGER_MS);
  // What arrived while this process was busy is read first: a connection is accepted in one round
  // of the event loop, its request read in the next.
  await soon();
  await soon();
};

/**
 * Serves an application. On close, kept connections end with their next answer for a moment; then
 * it accepts no more connections and waits for the requests in flight.
 */
export const listen = (
  app: Express,
  { port, host = '127.0.0.1', tls, stopping, ...limits }: ListenOptions,
): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const { requestTimeoutMs = 60_000, slowest = SLOWEST_SENDER, stalledMs = 180_000 } = limits;
    const times = {
      requestTimeout: requestTimeoutMs,
      headersTimeout: 10_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 2000,
      // Refused by the application, with a body that says so.
      requireHostHeader: false,
    };
    const handle = inLine(app);
    const server = tls
      ? createTlsServer({ ...times, ...tls, minVersion: 'TLSv1.2', allowHalfOpen: true }, handle)
      : createServer(times, handle);
    // A client that ends its side behind its request still reads: without this, Node ends the other
    // side as well, and the reply is lost. Its types do not know the member. Over TLS the sockets
    // need it too: plain HTTP gives it to them.
    Object.assign(server, { httpAllowHalfOpen: true });
    // Their bytes are bounded. Beyond a number Node would drop some without a word.
    server.maxHeadersCount = 0;
    // An unknown expectation cannot be met.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    server.setTimeout(stalledMs);
    answerUnparsed(server);
    hangUpOnSlowSenders(server, slowest);
    boundSmallChunks(server, CHUNK_LIMITS);
    stopping?.addEventListener('abort', () => announceEnds(server), { once: true });
    // Node counts a connection that never asked for anything as busy, and looks for such no more
    // once it closes.
    const silent = new Set<Socket>();
    server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
      silent.add(socket);
      socket.once('close', () => silent.delete(socket));
    });
    server.on('request', ({ socket }) => silent.delete(socket));
    server.once('error', reject);
    server.listen(port, host, () =>
      resolve({
        port: (server.address() as AddressInfo).port,
        server,
        close: async () => {
          await letConnectionsEnd(server);
          await new Promise<void>((done) => {
            server.close(() => done());
            server.closeIdleConnections();
            for (const socket of silent) socket.destroy();
          });
        },
      }),
    );
  });
