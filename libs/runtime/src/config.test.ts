import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { base64Key, integer, optional, readConfig, secret, text, withDefault } from './config.ts';

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

  test('refuses a secret that is too short', () => {
    expect(() => readConfig({ SECRET: secret(32) }, { SECRET: 'x'.repeat(31) })).toThrow('SECRET is shorter than 32');
    expect(readConfig({ SECRET: secret(32) }, { SECRET: 'x'.repeat(32) }).SECRET).toHaveLength(32);
  });
});
