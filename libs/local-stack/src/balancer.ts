import { once } from 'node:events';
import { createServer, type Server as HttpServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import net, { type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

/** One address in front of several processes that do the same. */
export interface Balancer {
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/**
 * The targets, beginning with another one at each call, so that whoever finds one dead can try the
 * next.
 */
const roundRobin = (targets: readonly number[]): (() => number[]) => {
  let calls = 0;
  return () => {
    const first = calls++ % targets.length;
    return [...targets.slice(first), ...targets.slice(0, first)];
  };
};

const listening = async <T extends Server>(server: T, port: number): Promise<T> => {
  server.listen({ port, host: HOST, exclusive: true });
  await once(server, 'listening');
  return server;
};

/**
 * Spreads connections, whatever they carry. One that a target refuses goes to the next; one that
 * breaks later is broken for both sides.
 */
export const balanceConnections = async (port: number, targets: readonly number[]): Promise<Balancer> => {
  const nextTargets = roundRobin(targets);
  const open = new Set<Socket>();

  const connect = (client: Socket, [target, ...others]: number[]): void => {
    if (target === undefined || client.destroyed) return void client.destroy();
    const server = net.connect({ port: target, host: HOST, allowHalfOpen: true });
    const tryNext = (): void => connect(client, others);
    server.once('error', tryNext);
    server.once('connect', () => {
      server.off('error', tryNext);
      pipeline(client, server, client, () => {
        client.destroy();
        server.destroy();
      });
    });
  };

  const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    open.add(client);
    client.once('close', () => open.delete(client)).on('error', () => undefined);
    connect(client, nextTargets());
  });
  await listening(server, port);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const client of open) client.destroy();
      }),
  };
};

/**
 * The headers as they came, with the client's address where a proxy puts it. What a client itself
 * said of proxies is dropped: nobody vouches for it.
 */
const headersFor = ({ rawHeaders, socket }: IncomingMessage): string[] => {
  const passedOn = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && !/^(x-forwarded-|forwarded$)/i.test(name) ? [name, rawHeaders[at + 1] ?? ''] : [],
  );
  return [...passedOn, 'X-Forwarded-For', socket.remoteAddress ?? ''];
};

const answerWith = (response: ServerResponse, reply: IncomingMessage): void => {
  response.writeHead(reply.statusCode ?? 502, reply.statusMessage, reply.rawHeaders);
  pipeline(reply, response, (error) => {
    if (error) response.destroy();
  });
};

/**
 * Passes a request on to the first of `targets` that takes it. A target that cannot be reached was
 * sent nothing, so the next one is tried; a connection that breaks later breaks the client's, who
 * alone knows whether the request may be repeated.
 */
const forward = (incoming: IncomingMessage, response: ServerResponse, [target, ...others]: number[]): void => {
  if (target === undefined || incoming.destroyed) return void response.destroy();
  const { method, url } = incoming;
  const outgoing = request({
    host: HOST,
    port: target,
    method,
    path: url,
    agent: false,
    headers: headersFor(incoming),
  });
  let isConnected = false;
  let isAnswered = false;
  outgoing.on('error', () => {
    if (!isConnected) return forward(incoming, response, others);
    // An answer may come before all of the request was taken; what breaks then is not the answer.
    if (!isAnswered) response.destroy();
  });
  outgoing.on('continue', () => response.writeContinue());
  outgoing.on('response', (reply) => {
    isAnswered = true;
    answerWith(response, reply);
  });
  response.once('close', () => {
    outgoing.destroy();
    incoming.unpipe().resume();
  });
  outgoing.once('socket', (socket) =>
    socket.once('connect', () => {
      isConnected = true;
      incoming.pipe(outgoing);
    }),
  );
};

/** Spreads HTTP requests, one by one, and tells each target whom a request comes from. */
export const balanceRequests = async (port: number, targets: readonly number[]): Promise<Balancer> => {
  const nextTargets = roundRobin(targets);
  const pass = (incoming: IncomingMessage, response: ServerResponse): void =>
    forward(incoming, response, nextTargets());
  // The services have time limits of their own.
  const server: HttpServer = createServer({ requestTimeout: 0, keepAliveTimeout: 65_000, noDelay: true }, pass);
  server.on('checkContinue', pass);
  await listening(server, port);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
