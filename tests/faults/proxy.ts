import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { FaultKind } from './plan.ts';
import type { Conversation } from './protocols.ts';

interface ProxyFault {
  kind: FaultKind;
  /** Only connections of this service. */
  victim?: string | undefined;
  code?: number | undefined;
  /** Only commands about this collection. */
  collection?: string | undefined;
}

export interface FaultyProxy {
  port: number;
  /** The same address, through this proxy. */
  through(url: string): string;
  /** Begins a fault. The function that it returns ends it. */
  begin(fault: ProxyFault): () => void;
  /** The services that open connections name. */
  owners(): string[];
  /** How often faults have struck. A plan that never struck proves nothing. */
  struck(): number;
  close(): Promise<void>;
}

/** One connection through the proxy. */
interface Line {
  client: Socket;
  upstream: Socket;
  toClient: Writer;
  toUpstream: Writer;
  conversation: Conversation;
  /** Nothing passes any more, and neither side is informed. */
  isSilent: boolean;
  /** Bytes are missing, so the connection cannot continue after the fault. */
  isBroken: boolean;
  /** Requests with an effect whose replies a fault waits for. */
  awaited: Buffer[];
}

const BYTES_A_MILLISECOND = 20;
const DELAY_MS = 400;

/** Writes units in order, each when it is due. */
const createWriter = (socket: Socket) => {
  let tail: Promise<void> | undefined;
  return {
    write: (unit: Buffer, ms: number): void => {
      if (!tail && ms === 0) {
        socket.write(unit);
        return;
      }
      const mine: Promise<void> = (tail ?? Promise.resolve())
        .then(() => new Promise<void>((resolve) => setTimeout(resolve, ms)))
        .then(() => {
          if (!socket.destroyed) socket.write(unit);
          if (tail === mine) tail = undefined;
        });
      tail = mine;
    },
    /** Ends the socket once everything is written. */
    end: (): void => void (tail ?? Promise.resolve()).then(() => socket.end()),
  };
};
type Writer = ReturnType<typeof createWriter>;

const cutLine = ({ client, upstream }: Line): void => {
  client.destroy();
  upstream.destroy();
};

/** A network failure: the server's side ends, the client's side hears nothing. */
const silence = (line: Line): void => {
  line.isSilent = true;
  line.upstream.destroy();
};

/** What happens to one request or reply. */
type Fate = { pass: Buffer; ms: number } | { answer: Buffer } | 'lost' | 'cut';

const slowness = (fault: ProxyFault | undefined, unit: Buffer): number => {
  if (fault?.kind === 'delay') return DELAY_MS;
  return fault?.kind === 'slow' ? Math.ceil(unit.length / BYTES_A_MILLISECOND) : 0;
};

const isMeant = ({ conversation }: Line, unit: Buffer, { collection }: ProxyFault): boolean =>
  collection === undefined || conversation.collection(unit) === collection;

const fateOfRequest = (line: Line, unit: Buffer, fault: ProxyFault | undefined): Fate => {
  const { conversation } = line;
  if (fault?.kind === 'answer') {
    const answer = isMeant(line, unit, fault) ? conversation.refuse(unit, fault.code ?? 0) : undefined;
    if (answer) return { answer };
  }
  const isWatched = fault?.kind === 'cut-after-applying' || fault?.kind === 'unassured';
  if (isWatched && isMeant(line, unit, fault) && conversation.hasEffect(unit)) line.awaited.push(unit);
  return { pass: unit, ms: slowness(fault, unit) };
};

const fateOfReply = (line: Line, unit: Buffer, fault: ProxyFault | undefined): Fate => {
  const { conversation } = line;
  if (fault?.kind === 'swallow') return 'lost';
  const request = line.awaited.find((one) => conversation.isReplyTo(unit, one));
  if (request) {
    line.awaited = line.awaited.filter((one) => one !== request);
    if (fault?.kind === 'cut-after-applying') return 'cut';
    if (fault?.kind === 'unassured') return { pass: conversation.unassured(unit), ms: 0 };
  }
  return { pass: unit, ms: slowness(fault, unit) };
};

/**
 * A fault strikes the connections of all services, or of one service once the connection has named
 * it.
 */
const concerns = ({ victim }: ProxyFault, { conversation }: Line): boolean =>
  victim === undefined || conversation.owner() === victim;

const createLines = (faultOf: (line: Line) => ProxyFault | undefined, struck: () => void) => {
  const lines = new Set<Line>();
  const carry = (line: Line, isRequest: boolean): void => {
    const { conversation, toClient, toUpstream } = line;
    (isRequest ? line.client : line.upstream).on('data', (bytes) => {
      for (const unit of isRequest ? conversation.frameRequests(bytes) : conversation.frameReplies(bytes)) {
        if (isRequest) conversation.saw(unit);
        const fault = faultOf(line);
        const fate = line.isSilent ? 'lost' : (isRequest ? fateOfRequest : fateOfReply)(line, unit, fault);
        if (fate === 'lost' || fate === 'cut' || 'answer' in fate) struck();
        if (fate === 'cut') return cutLine(line);
        if (fate === 'lost') line.isBroken = true;
        else if ('answer' in fate) toClient.write(fate.answer, 0);
        else {
          if (fate.ms > 0 || fate.pass !== unit) struck();
          (isRequest ? toUpstream : toClient).write(fate.pass, fate.ms);
        }
      }
    });
  };
  return {
    all: () => [...lines],
    open: (client: Socket, upstream: Socket, conversation: Conversation): Line => {
      const line: Line = {
        ...{ client, upstream, conversation, toClient: createWriter(client), toUpstream: createWriter(upstream) },
        ...{ isSilent: false, isBroken: false, awaited: [] },
      };
      lines.add(line);
      const end = (): void => {
        lines.delete(line);
        cutLine(line);
      };
      client.on('error', end).on('close', end);
      // What the server sent before it ended still arrives.
      upstream.on('error', () => !line.isSilent && end()).on('close', () => !line.isSilent && line.toClient.end());
      carry(line, true);
      carry(line, false);
      return line;
    },
  };
};

/**
 * A proxy in front of one TCP server. It produces faults of the network and, where it knows the
 * protocol, of the server. It asks for `target` with each connection, because the server may move.
 */
export const startFaultyProxy = async (
  target: () => { host: string; port: number },
  converse: () => Conversation,
): Promise<FaultyProxy> => {
  const faults = new Set<ProxyFault>();
  let hits = 0;
  const struck = (): void => {
    hits += 1;
  };
  const faultOf = (line: Line): ProxyFault | undefined => [...faults].find((fault) => concerns(fault, line));
  const lines = createLines(faultOf, struck);
  const server = createServer({ noDelay: true }, (client) => {
    if ([...faults].some(({ kind, victim }) => kind === 'refuse' && victim === undefined)) {
      struck();
      return client.destroy();
    }
    const upstream = connect({ ...target(), noDelay: true });
    const line = lines.open(client, upstream, converse());
    // The first bytes show which service it is.
    client.on('data', () => faultOf(line)?.kind === 'refuse' && cutLine(line));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const strikeOnce = ({ kind }: ProxyFault, line: Line): void => {
    if (kind === 'cut' || kind === 'refuse') cutLine(line);
    else if (kind === 'half-open') silence(line);
    else if (kind === 'close-channel' || kind === 'close-connection')
      for (const frame of line.conversation.provoke(kind)) line.upstream.write(frame);
    else return;
    struck();
  };

  return {
    port,
    through: (url) => {
      const through = new URL(url);
      through.host = `127.0.0.1:${port}`;
      return through.toString();
    },
    begin: (fault) => {
      faults.add(fault);
      for (const line of lines.all().filter((each) => concerns(fault, each))) strikeOnce(fault, line);
      return () => {
        faults.delete(fault);
        // Bytes are missing, so these connections cannot continue.
        for (const line of lines.all()) if (line.isBroken && !line.isSilent) cutLine(line);
      };
    },
    owners: () => lines.all().flatMap(({ conversation }) => conversation.owner() ?? []),
    struck: () => hits,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const line of lines.all()) cutLine(line);
      }),
  };
};
