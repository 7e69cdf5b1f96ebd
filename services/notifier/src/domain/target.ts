import ipaddr from 'ipaddr.js';

/**
 * A range of addresses an operator allows although it is private, or that we refuse although it is
 * not.
 */
export type Cidr = ReturnType<typeof ipaddr.parseCIDR>;

export const parseCidrs = (ranges: readonly string[]): Cidr[] => ranges.map((range) => ipaddr.parseCIDR(range));

/** Of IPv6 nothing else is routed on the internet; parsers call the rest unicast as well. */
const PUBLIC_IPV6 = parseCidrs(['2000::/3']);
/** Public by its number, and the host of the machine it is asked from: Azure's WireServer. */
const REFUSED = parseCidrs(['168.63.129.16/32']);

const isIn = (address: ipaddr.IPv4 | ipaddr.IPv6, ranges: readonly Cidr[]): boolean =>
  ranges.some(([range, bits]) => address.kind() === range.kind() && address.match([range, bits] as never));

/**
 * True when notifications may be sent to an address: a public unicast one, or one the operator
 * allows. Loopback, private, link-local, unique-local, mapped and translated forms are refused.
 */
export const mayReach = (address: string, allowed: readonly Cidr[]): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (isIn(parsed, allowed)) return true;
  const isRouted = parsed.kind() === 'ipv4' || isIn(parsed, PUBLIC_IPV6);
  return isRouted && parsed.range() === 'unicast' && !isIn(parsed, REFUSED);
};

// Ports of services that must never be talked to in HTTP, whoever listens there.
const REFUSED_PORTS = new Set([
  '22',
  '23',
  '25',
  '110',
  '143',
  '389',
  '445',
  '465',
  '587',
  '636',
  '993',
  '995',
  '3306',
]);
const REFUSED_ENGINE_PORTS = new Set(['5432', '5672', '6379', '9200', '11211', '27017']);

/**
 * The address of a webhook, if it is one: http or https, no user in it, no port of another
 * protocol.
 */
export const parseTarget = (text: string): URL | undefined => {
  if (!URL.canParse(text) || /\s/.test(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  const refused = REFUSED_PORTS.has(url.port) || REFUSED_ENGINE_PORTS.has(url.port);
  return isWeb && !refused && url.username === '' && url.password === '' && url.hostname !== '' ? url : undefined;
};

/**
 * The host as a name or address to connect to: an IPv6 address without its brackets, a name without
 * a final dot.
 */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

export const isAddress = (host: string): boolean => ipaddr.isValid(host);
