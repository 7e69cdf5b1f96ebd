/** Reads one value of the environment; throws with what is wrong about it. */
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
export const url: Reader<string> = reader((raw) => new URL(raw).toString().replace(/\/$/, ''));
/** A key of so many bytes, in base64. */
export const base64Key = (bytes: number): Reader<Buffer> =>
  reader((raw) => {
    const key = Buffer.from(raw, 'base64');
    if (key.length !== bytes) throw new Error(`is not ${bytes} bytes in base64`);
    return key;
  });

/** A value that need not be set. */
export const withDefault = <T>(of: Reader<T>, value: T): Reader<T> => ({ ...of, fallback: { value } });
export const optional = <T>(of: Reader<T>): Reader<T | undefined> => ({
  read: of.read,
  fallback: { value: undefined },
});

type Shape = Record<string, Reader<unknown>>;
type Config<S extends Shape> = { [K in keyof S]: S[K] extends Reader<infer T> ? T : never };

/** Reads a service's configuration once. Throws one error that names everything missing or wrong: a service with a hole in it does not start. */
export const readConfig = <S extends Shape>(shape: S, env: NodeJS.ProcessEnv = process.env): Config<S> => {
  const wrong: string[] = [];
  const read = ([key, { read: parse, fallback }]: [string, Reader<unknown>]): [string, unknown] => {
    const raw = env[key];
    if (raw === undefined || raw === '') {
      if (!fallback) wrong.push(`${key} is missing`);
      return [key, fallback?.value];
    }
    try {
      return [key, parse(raw)];
    } catch (error) {
      wrong.push(`${key} ${error instanceof Error ? error.message : 'is wrong'}`);
      return [key, undefined];
    }
  };
  const values = Object.fromEntries(Object.entries(shape).map(read));
  if (wrong.length > 0) throw new Error(`configuration: ${wrong.join('; ')}`);
  return values as Config<S>;
};

/** What every service takes from its environment; spread into the shape of its own configuration. */
export const COMMON_CONFIG = {
  HTTP_PORT: integer,
  HTTP_HOST: withDefault(text, '127.0.0.1'),
  ADMIN_PORT: integer,
  ADMIN_HOST: withDefault(text, '127.0.0.1'),
  LOG_LEVEL: withDefault(text, 'info'),
  MONGO_URL: text,
  /** Put before the names of databases: several suites on one server. */
  DB_PREFIX: withDefault(text, 'assay_'),
  AMQP_URL: text,
  /** Put before the names of exchange and queues: several suites on one broker. */
  BUS_NAMESPACE: withDefault(text, ''),
  /** Signs the tokens of calls between services. */
  INTERNAL_SECRET: text,
};
