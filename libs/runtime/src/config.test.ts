import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import {
  base64Key,
  COMMON_CONFIG,
  integer,
  milliseconds,
  optional,
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
