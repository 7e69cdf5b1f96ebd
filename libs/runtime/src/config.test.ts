import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import {
  address,
  atLeast,
  base64Key,
  COMMON_CONFIG,
  environment,
  integer,
  listOf,
  milliseconds,
  optional,
  proxies,
  ranges,
  readConfig,
  readJsonFile,
  seconds,
  text,
  url,
  withDefault,
} from './config.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (content: string): string => {
  const file = join(folder, 'value');
  writeFileSync(file, content);
  return file;
};

describe('a configuration', () => {
  test('uses what is set, otherwise the default', () => {
    const shape = { PORT: integer, NAME: withDefault(text, 'assay'), NOTE: optional(text) };
    expect(readConfig(shape, { PORT: '8080' })).toEqual({ PORT: 8080, NAME: 'assay', NOTE: undefined });
  });

  test('reads any value from a file as well, without the line end', () => {
    const key = Buffer.alloc(32, 7);
    const env = { KEY_FILE: fileOf(`${key.toString('base64')}\n`) };
    expect(readConfig({ KEY: base64Key(32) }, env).KEY.equals(key)).toBe(true);
  });

  test('prefers the variable to the file', () => {
    expect(readConfig({ NAME: text }, { NAME: 'variable', NAME_FILE: fileOf('file') })).toEqual({ NAME: 'variable' });
  });

  test('names everything that is missing or wrong in one error', () => {
    const read = () => readConfig({ PORT: integer, NAME: text, KEY: text }, { PORT: 'x', KEY_FILE: '/not/there' });
    expect(read).toThrow(/PORT is not a whole number; NAME is missing; KEY is missing: KEY_FILE names no file/);
  });

  test('refuses a time that no timer can wait for, or that is later than all dates', () => {
    const shape = { WAIT_MS: milliseconds, AGE_SECONDS: seconds };
    const read = (WAIT_MS: string, AGE_SECONDS: string) => readConfig(shape, { WAIT_MS, AGE_SECONDS });
    expect(read('2147483647', '3162240000')).toEqual({ WAIT_MS: 2147483647, AGE_SECONDS: 3162240000 });
    expect(() => read('2592000000', '9007199254740991')).toThrow(
      'WAIT_MS is more than 2147483647, which is more than 24 days; AGE_SECONDS is more than 3162240000, which is a',
    );
  });

  test('refuses a time that is below what a service needs', () => {
    const read = (AGE_SECONDS: string) => readConfig({ AGE_SECONDS: atLeast(1, seconds) }, { AGE_SECONDS });
    expect(read('1')).toEqual({ AGE_SECONDS: 1 });
    expect(() => read('0')).toThrow('AGE_SECONDS is less than 1');
    expect(() => read('9007199254740991')).toThrow('AGE_SECONDS is more than 3162240000');
  });

  test('refuses such a time in a variable of every service', () => {
    for (const name of ['STOP_DELAY_MS', 'REPUBLISH_AFTER_MS'] as const)
      expect(() => readConfig({ [name]: COMMON_CONFIG[name] }, { [name]: '2592000000' })).toThrow(`${name} is more`);
  });

  test.each([
    ['MONGO_URL', 'mongo.example:27017', 'mongodb:// or mongodb+srv://'],
    ['AMQP_URL', 'http://broker.example:5672', 'amqp:// or amqps://'],
  ] as const)('refuses %s with another scheme, which no retry would mend', (name, wrong, begins) => {
    const read = (raw: string) => readConfig({ [name]: COMMON_CONFIG[name] }, { [name]: raw });
    expect(() => read(wrong)).toThrow(`configuration: ${name} does not begin with ${begins}`);
    for (const scheme of begins.split(' or ')) expect(read(`${scheme}a,b/`)).toEqual({ [name]: `${scheme}a,b/` });
  });

  test('refuses the address of a service without its scheme: the host would be taken for one', () => {
    expect(() => readConfig({ AT: url }, { AT: 'gateway:8081' })).toThrow('AT does not begin with http:// or https://');
    expect(readConfig({ AT: url }, { AT: 'https://gateway:8081/' })).toEqual({ AT: 'https://gateway:8081' });
  });
});

describe('a value that would start a service which does not work', () => {
  const shape = {
    ...{ LOG_LEVEL: COMMON_CONFIG.LOG_LEVEL, HTTP_PORT: COMMON_CONFIG.HTTP_PORT, DB_PREFIX: COMMON_CONFIG.DB_PREFIX },
    ...{ AMQP_URL: COMMON_CONFIG.AMQP_URL, BUS_NAMESPACE: COMMON_CONFIG.BUS_NAMESPACE, AT: url },
    ...{ PROCESSES: atLeast(1), SMTP_URL: address('smtp', 'smtps'), ENV: environment },
    ...{ RANGES: ranges, PROXIES: proxies, SEGMENTS: listOf((item) => !item.includes('/'), 'segment') },
  };
  type Name = keyof typeof shape;
  const read = (name: Name, raw: string) => readConfig({ [name]: shape[name] }, { [name]: raw })[name];

  test.each<[Name, string, string]>([
    ['LOG_LEVEL', 'verbose', 'is none of trace, debug, info, warn, error, fatal, silent'],
    ['ENV', 'prod', 'is none of local, production'],
    ['HTTP_PORT', '65536', 'is more than 65535, which is the last port'],
    ['PROCESSES', '0', 'is less than 1'],
    ['DB_PREFIX', 'a.b', 'has a character that no name of a database has'],
    ['DB_PREFIX', 'p'.repeat(42), 'is longer than 41 bytes'],
    ['BUS_NAMESPACE', 'amq.assay', 'begins with amq.'],
    ['BUS_NAMESPACE', 'n'.repeat(128), 'begins with amq. or is too long'],
    ['AMQP_URL', 'amqp://', 'is no address: '],
    ['AMQP_URL', 'amqp://assay:pass/word@broker:5672', 'is no address: in a user or password write @ as %40'],
    ['AMQP_URL', 'amqp://assay:pass#word@broker:5672', 'is no address: '],
    ['AMQP_URL', 'amqp://broker-1:5672,broker-2:port', 'is no address: '],
    ['AMQP_URL', 'amqp://broker:5672,', 'is no address: '],
    ['SMTP_URL', 'smtp://mail.example:port', 'is no address: '],
    ['SMTP_URL', 'smtps://', 'is no address: '],
    ['AT', 'http://gateway:99999', 'is no address: '],
    ['SMTP_URL', 'mail.example:25', 'does not begin with smtp:// or smtps://'],
    ['RANGES', '10.0.0.0/8,10.0.0.0/33', 'holds 10.0.0.0/33, which is no range of addresses such as 10.0.0.0/8'],
    ['RANGES', 'localhost', 'holds localhost, which is no range'],
    ['RANGES', '127.0.0.1', 'holds 127.0.0.1, which is no range'],
    ['PROXIES', '10.0.0.1, balancer', 'holds balancer, which is no address, range of addresses, or one of loopback'],
    ['PROXIES', '10.0.0.0/255.0.0', 'holds 10.0.0.0/255.0.0, which is no address'],
    ['SEGMENTS', '/svc', 'holds /svc, which is no segment'],
  ])('is refused by its variable: %s=%s', (name, raw, why) => {
    expect(() => read(name, raw)).toThrow(`configuration: ${name} ${why}`);
  });

  test.each<[Name, string, unknown]>([
    ['LOG_LEVEL', 'WARN', 'warn'],
    ['HTTP_PORT', '65535', 65535],
    ['PROCESSES', '1', 1],
    ['DB_PREFIX', 'p'.repeat(41), 'p'.repeat(41)],
    ['DB_PREFIX', 'assay-2_', 'assay-2_'],
    ['BUS_NAMESPACE', 'n'.repeat(127), 'n'.repeat(127)],
    ['AMQP_URL', 'amqp://a:%2F%40@[::1]:5672,b,c:5673/%2f?x=a@b', 'amqp://a:%2F%40@[::1]:5672,b,c:5673/%2f?x=a@b'],
    ['AT', 'https://[::1]:8081/path/a@b,c?d=e@f', 'https://[::1]:8081/path/a@b,c?d=e@f'],
    ['SMTP_URL', 'smtps://user:word@mail.example', 'smtps://user:word@mail.example'],
    ['RANGES', '10.0.0.0/8, fd00::/8', ['10.0.0.0/8', 'fd00::/8']],
    [
      'PROXIES',
      'loopback, ::1, 10.0.0.0/8, 10.0.0.0/255.0.0.0',
      ['loopback', '::1', '10.0.0.0/8', '10.0.0.0/255.0.0.0'],
    ],
    ['SEGMENTS', 'svc, api', ['svc', 'api']],
  ])('is read where it is right: %s=%s', (name, raw, value) => expect(read(name, raw)).toEqual(value));
});

describe('a file of JSON with secrets', () => {
  test('is read', () => expect(readJsonFile('SEED_FILE', fileOf('{"key": "s3cret"}'))).toEqual({ key: 's3cret' }));

  test.each(['{"key": s3cret}', 's3cret', '{"key": "s3cret', ''])(
    'that is no JSON (%j), as while it is written, is refused by its variable; nothing of it is shown',
    (content) => {
      const read = () => readJsonFile('SEED_FILE', fileOf(content));
      expect(read).toThrow(/^configuration: SEED_FILE holds no JSON$/);
    },
  );

  test.each([
    ['a folder', '.', 'EISDIR'],
    ['a file that is not there', 'none.json', 'ENOENT'],
  ])('that cannot be read, as %s, is refused by its variable', (_, name, code) => {
    const read = () => readJsonFile('SEED_FILE', join(folder, name));
    expect(read).toThrow(new RegExp(`^configuration: SEED_FILE cannot be read \\(${code}\\)$`));
  });
});
