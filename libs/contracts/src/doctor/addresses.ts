/** Schemes that encrypt. */
const ENCRYPTED = /^(https|amqps|smtps|mongodb\+srv):/;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

/**
 * The parts of a MongoDB address. It may name several hosts or a socket, so no URL parser accepts
 * it.
 */
interface MongoAddress {
  user: string | undefined;
  password: string | undefined;
  hosts: string[];
  options: URLSearchParams;
}

export const mongoAddressOf = (url: string): MongoAddress | undefined => {
  const found = /^mongodb(?:\+srv)?:\/\/(?:([^@/]*)@)?([^/?]+)(?:\/[^?]*)?(?:\?(.*))?$/.exec(url);
  if (!found) return undefined;
  const [, login, hosts = '', options = ''] = found;
  const [user, password] = (login ?? '').split(':').map(decodeURIComponent);
  return { user: user || undefined, password, hosts: hosts.split(','), options: new URLSearchParams(options) };
};

/** The address of each node in a RabbitMQ address, which may name several hosts. */
export const brokerAddressesOf = (url: string): string[] => {
  const [, login = '', hosts = '', rest = ''] = /^(amqps?:\/\/(?:[^@/]*@)?)([^/?]+)(.*)$/.exec(url) ?? [];
  return hosts === '' ? [url] : hosts.split(',').map((host) => `${login}${host.trim()}${rest}`);
};

/** Whether a host is this machine, or a socket of its file system. */
const isLocalHost = (host: string): boolean =>
  /^(%2f|\/)/i.test(host) || LOOPBACK.test(host.replace(/:\d+$/, '')) || LOOPBACK.test(host);

/** Whether what is sent to this address stays on this machine. */
export const staysHere = (url: string): boolean => {
  const mongo = url.startsWith('mongodb') ? mongoAddressOf(url) : undefined;
  if (mongo) return mongo.hosts.every(isLocalHost);
  const addresses = url.startsWith('amqp') ? brokerAddressesOf(url) : [url];
  return addresses.every((address) => URL.canParse(address) && isLocalHost(new URL(address).hostname));
};

/** Whether what is sent to this address is encrypted. */
const isEncrypted = (url: string): boolean => {
  const options = url.startsWith('mongodb') ? mongoAddressOf(url)?.options : undefined;
  return ENCRYPTED.test(url) || options?.get('tls') === 'true' || options?.get('ssl') === 'true';
};

export const goesInClear = (url: string): boolean => !staysHere(url) && !isEncrypted(url);

const COMMON_PASSWORDS =
  /^(guest|admin|root|user|pass(word)?|secret|change-?me|test|assay|mongo(db)?|rabbit(mq)?)\d*$/i;
const SHORTEST_PASSWORD = 16;

/** Why a password is too weak; undefined if it is strong enough. */
export const weaknessOf = (password: string | undefined): string | undefined => {
  if (!password) return 'there is none';
  if (COMMON_PASSWORDS.test(password)) return 'it is one that everybody tries first';
  return password.length < SHORTEST_PASSWORD ? `it is shorter than ${SHORTEST_PASSWORD} characters` : undefined;
};
