import type { LookupFunction } from 'node:net';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';

export interface Address {
  address: string;
  family: number;
}

/** The agents of a request: they connect only to the addresses that were checked. */
export interface Connections {
  httpAgent: RequestFilteringHttpAgent;
  httpsAgent: RequestFilteringHttpsAgent;
}

/** Most receivers close a silent connection after five seconds: ours are closed before. */
const SILENT_MS = 4000;
/** Receivers whose connections are kept; those of the one that was met first are let go. */
const MOST_RECEIVERS = 1000;
const MOST_FREE = 32;

/**
 * Answers every question with the addresses that were checked: none other is connected to, whatever
 * the name says a moment later.
 */
const pinned =
  (addresses: readonly Address[]): LookupFunction =>
  (_host, options, done) => {
    if (options.all) done(null, addresses as never);
    else done(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 4);
  };

const connectionsTo = (addresses: readonly Address[], keepAlive: boolean): Connections => {
  const checked = { allowIPAddressList: addresses.map(({ address }) => address), lookup: pinned(addresses) };
  const options = { ...checked, ...(keepAlive ? { keepAlive, timeout: SILENT_MS, maxFreeSockets: MOST_FREE } : {}) };
  return {
    httpAgent: new RequestFilteringHttpAgent(options),
    httpsAgent: new RequestFilteringHttpsAgent(options),
  };
};

/** A connection for one request alone. */
export const newConnection = (addresses: readonly Address[]): Connections => connectionsTo(addresses, false);

/**
 * Connections that are kept for the next webhook of the same receiver: to shake hands anew costs
 * more than to send one. They are found by the receiver and all its addresses, which are checked
 * for each request: a name that leads elsewhere by now gets connections of its own.
 */
export const createConnections = () => {
  const receivers = new Map<string, Connections>();
  return (url: URL, addresses: readonly Address[]): Connections => {
    const receiver = [url.origin, ...addresses.map(({ address }) => address).sort()].join(' ');
    const known = receivers.get(receiver);
    if (known) return known;
    const [first] = receivers.keys();
    // Its sockets close by themselves once they are silent.
    if (receivers.size >= MOST_RECEIVERS && first !== undefined) receivers.delete(first);
    const made = connectionsTo(addresses, true);
    receivers.set(receiver, made);
    return made;
  };
};
