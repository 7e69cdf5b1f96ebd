import { existsSync, readFileSync } from 'node:fs';
import { isIP, isIPv4 } from 'node:net';

/** Parses one value of the environment; throws with what is wrong about it. */
export interface Reader<T> {
  read(raw: string): T;
  fallback?: { value: T };
}

const reader = <T>(read: (raw: string) => T): Reader<T> => ({ read });

export const text: Reader<string> = reader((raw) => raw);
export const integer: Reader<number> = reader((raw) => {
  if (!/^\d+$/.test(raw)) throw new Error('is not a whole number');
  return Number(raw);
});
/** A whole number up to a limit, which `words` name. */
export const upTo = (most: number, words: string): Reader<number> =>
  reader((raw) => {
    const number = integer.read(raw);
    if (number > most) throw new Error(`is more than ${most}, which is ${words}`);
    return number;
  });
/** A whole number from `least` on, as `within` reads it. */
export const atLeast = (least: number, within: Reader<number> = integer): Reader<number> =>
  reader((raw) => {
    const number = within.read(raw);
    if (number < least) throw new Error(`is less than ${least}`);
    return number;
  });
export const port: Reader<number> = upTo(65_535, 'the last port');
/** A time for which a timer may wait: beyond the limit of timers one fires at once. */
export const milliseconds: Reader<number> = upTo(2 ** 31 - 1, 'more than 24 days');
/** A time that is added to dates: much further on there are none. */
export const seconds: Reader<number> = upTo(100 * 366 * 24 * 3600, 'a hundred years');
export const flag: Reader<boolean> = reader((raw) => {
  if (!['true', 'false', '1', '0'].includes(raw)) throw new Error('is neither true nor false');
  return raw === 'true' || raw === '1';
});
export const list: Reader<string[]> = reader((raw) =>
  raw
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);
/** A list of which every item is what `words` say. */
export const listOf = (isItem: (item: string) => boolean, words: string): Reader<string[]> =>
  reader((raw) => {
    const items = list.read(raw);
    const wrong = items.find((item) => !isItem(item));
    if (wrong !== undefined) throw new Error(`holds ${wrong}, which is no ${words}`);
    return items;
  });
const isRange = (item: string): boolean => {
  const [, host = '', bits] = /^(.+)\/(\d+)$/.exec(item) ?? [];
  return isIP(host) !== 0 && Number(bits) <= (isIPv4(host) ? 32 : 128);
};
const isMasked = (item: string): boolean =>
  item.split('/').length === 2 && item.split('/').every((part) => isIPv4(part));
/** Ranges of addresses by their prefix. */
export const ranges: Reader<string[]> = listOf(isRange, 'range of addresses such as 10.0.0.0/8');
/** What express' `trust proxy` takes in a list. */
export const proxies: Reader<string[]> = listOf(
  (item) => /^(loopback|linklocal|uniquelocal)$/.test(item) || isIP(item) !== 0 || isRange(item) || isMasked(item),
  'address, range of addresses, or one of loopback, linklocal and uniquelocal',
);
/** One of a few words, in capitals or not. */
const oneOf = <const Word extends string>(...words: readonly Word[]): Reader<Word> =>
  reader((raw) => {
    const found = words.find((word) => word === raw.toLowerCase());
    if (found === undefined) throw new Error(`is none of ${words.join(', ')}`);
    return found;
  });
/** The levels of pino. */
export const logLevel = oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent');
/** Where a service runs. */
export const environment = oneOf('local', 'production');
/** What a name of MongoDB's databases may begin with: of its 63 bytes the longest end takes 22. */
const databasePrefix: Reader<string> = reader((raw) => {
  if (/[/\\. "$*<>:|?\0]/.test(raw)) throw new Error('has a character that no name of a database has');
  if (Buffer.byteLength(raw) > 41) throw new Error('is longer than 41 bytes');
  return raw;
});
/** What a name of RabbitMQ's queues may begin with. */
const namespace: Reader<string> = reader((raw) => {
  if (raw.startsWith('amq.') || Buffer.byteLength(raw) > 127) throw new Error('begins with amq. or is too long');
  return raw;
});
/** Whether an address has a host, or several with commas between, and can be read with each. */
const hasHosts = (raw: string): boolean => {
  const [, begin, hosts = '', rest] = /^(\w+:\/\/(?:[^@/]*@)?)([^/?#]*)(.*)$/.exec(raw) ?? [];
  return hosts.split(',').every((host) => host.trim() !== '' && URL.canParse(`${begin}${host.trim()}${rest}`));
};
/** The address of a server by one of these schemes; MongoDB's are read by its driver. */
export const address = (...schemes: readonly string[]): Reader<string> =>
  reader((raw) => {
    const begins = schemes.map((scheme) => `${scheme}://`);
    if (!begins.some((scheme) => raw.startsWith(scheme))) throw new Error(`does not begin with ${begins.join(' or ')}`);
    if (!raw.startsWith('mongodb') && !hasHosts(raw))
      throw new Error('is no address: in a user or password write @ as %40, / as %2F, # as %23, : as %3A');
    return raw;
  });
/** The address of a service that is called by HTTP, without a slash at its end. */
export const url: Reader<string> = reader((raw) =>
  new URL(address('http', 'https').read(raw)).toString().replace(/\/$/, ''),
);
/** A key of so many bytes, in base64. */
export const base64Key = (bytes: number): Reader<Buffer> =>
  reader((raw) => {
    const key = Buffer.from(raw, 'base64');
    if (key.length !== bytes) throw new Error(`is not ${bytes} bytes in base64`);
    return key;
  });

/** Keys of so many bytes each, in base64, separated by commas. */
export const base64Keys = (bytes: number): Reader<Buffer[]> =>
  reader((raw) =>
    raw
      .split(',')
      .filter((text) => text.trim() !== '')
      .map((text) => base64Key(bytes).read(text.trim())),
  );

/** A value that need not be set. */
export const withDefault = <T>(reader: Reader<T>, value: T): Reader<T> => ({ ...reader, fallback: { value } });
export const optional = <T>(reader: Reader<T>): Reader<T | undefined> => ({
  read: reader.read,
  fallback: { value: undefined },
});

type Shape = Record<string, Reader<unknown>>;
type Config<S extends Shape> = { [K in keyof S]: S[K] extends Reader<infer T> ? T : never };

/**
 * The value of a variable: that of NAME, else the content of the file that NAME_FILE names, as
 * container platforms mount secrets.
 */
const rawValue = (env: NodeJS.ProcessEnv, name: string): string | undefined => {
  if (env[name]) return env[name];
  const file = env[`${name}_FILE`];
  if (!file) return undefined;
  if (!existsSync(file)) throw new Error(`is missing: ${name}_FILE names no file that exists`);
  return readFileSync(file, 'utf8').trim();
};

/**
 * Reads the configuration of a service. Every variable NAME may be given as a file instead, by
 * NAME_FILE. @throws one error that names every variable that is missing or wrong; the service does
 * not start then
 */
export const readConfig = <S extends Shape>(shape: S, env: NodeJS.ProcessEnv = process.env): Config<S> => {
  const wrong: string[] = [];
  const read = ([key, { read: parse, fallback }]: [string, Reader<unknown>]): [string, unknown] => {
    try {
      const raw = rawValue(env, key);
      if (raw !== undefined && raw !== '') return [key, parse(raw)];
      if (!fallback) wrong.push(`${key} is missing`);
      return [key, fallback?.value];
    } catch (error) {
      wrong.push(`${key} ${error instanceof Error ? error.message : 'is wrong'}`);
      return [key, undefined];
    }
  };
  const values = Object.fromEntries(Object.entries(shape).map(read));
  if (wrong.length > 0) throw new Error(`configuration: ${wrong.join('; ')}`);
  return values as Config<S>;
};

/**
 * What reading a file or folder of the configuration gives.
 * @throws with `name` and the system's code if it cannot be read: of a folder in place of a file,
 *   the system's own words name nothing
 */
export const namingFile = <T>(name: string, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw new Error(`configuration: ${name} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
};

/**
 * The JSON in a file that holds secrets or settings; `name` says which to the operator: the
 * variable that names the file, or the file of a folder.
 * @throws with that name if it cannot be read, or is no JSON, as while it is written: the parser
 *   would show a part of the text, and with it of a secret
 */
export const readJsonFile = (name: string, file: string): unknown => {
  const text = namingFile(name, () => readFileSync(file, 'utf8'));
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`configuration: ${name} holds no JSON`);
  }
};

/**
 * The variables this process was started with, as they are, for a look at all of them; a service
 * reads its own by `readConfig`.
 */
export const startedWith = (): Readonly<NodeJS.ProcessEnv> => process.env;

/** The variables of every service; spread into the shape of its own configuration. */
export const COMMON_CONFIG = {
  /** Port the service answers on. */
  HTTP_PORT: port,
  /** Address it answers on. */
  HTTP_HOST: withDefault(text, '127.0.0.1'),
  /** Port of health and metrics. */
  ADMIN_PORT: port,
  /** Address of health and metrics. */
  ADMIN_HOST: withDefault(text, '127.0.0.1'),
  /**
   * How long a process that is told to stop goes on answering, while /health/ready says that it
   * stops: longer than a load balancer takes to notice.
   */
  STOP_DELAY_MS: withDefault(milliseconds, 5000),
  /** trace, debug, info, warn or error. */
  LOG_LEVEL: withDefault(logLevel, 'info'),
  /** MongoDB: a server, a replica set or a sharded cluster. */
  MONGO_URL: address('mongodb', 'mongodb+srv'),
  /** Put before the names of databases: several suites on one server. */
  DB_PREFIX: withDefault(databasePrefix, 'assay_'),
  /**
   * RabbitMQ, with this service's user. A cluster's nodes are hosts with commas between:
   * amqp://USER:PASSWORD@A:5672,B:5672,C:5672.
   */
  AMQP_URL: address('amqp', 'amqps'),
  /**
   * Put before the names of exchange and queues: several suites on one broker. A service refuses to
   * start where it is that of a suite with another DB_PREFIX.
   */
  BUS_NAMESPACE: withDefault(namespace, ''),
  /**
   * JSON: this service's private key and every service's public key, for the tokens of calls
   * between services.
   */
  INTERNAL_KEYS: text,
  /**
   * Certificate and key (PEM) by which the service shows the others who it is; without them they
   * talk plain HTTP.
   */
  TLS_CERT: optional(text),
  /** The key of that certificate. */
  TLS_KEY: optional(text),
  /**
   * How long after an event it is published again for the first time, in case a queue has lost it.
   */
  REPUBLISH_AFTER_MS: withDefault(milliseconds, 120_000),
};
