import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MappedSource } from '../domain/mapping.ts';
import { readSourceFiles } from './source-files.ts';

const example = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../examples/nz-licences.json'), 'utf8'),
) as MappedSource;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sources-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const readWith = (pattern: string, jurisdictions?: string) => {
  const [document] = example.documents;
  const fields = { number: { pattern } };
  const changed = jurisdictions
    ? { ...document, jurisdictions: { [jurisdictions]: { fields } } }
    : { ...document, fields };
  writeFileSync(join(folder, 'source.json'), JSON.stringify({ ...example, documents: [changed] }));
  return readSourceFiles(folder);
};

test('a valid pattern is accepted', () => {
  expect(readWith('^[A-Z]{2}\\d{6}$')).toMatchObject([{ name: example.name }]);
});

test.each([
  ['^(A', undefined, 'documents[0].fields.number.pattern is no expression of RE2'],
  ['(?=A)A', undefined, 'documents[0].fields.number.pattern is no expression of RE2'],
  ['^(A', 'AKL', 'documents[0].jurisdictions.AKL.fields.number.pattern is no expression of RE2'],
])('%s of %s stops the start of the service, and the error names the field', (pattern, jurisdiction, message) => {
  expect(() => readWith(pattern, jurisdiction)).toThrow(message);
});

test.each(['', '{"name": "s3cret",}', '\uFEFF{}'])('a file that is no JSON (%j) is refused by its name', (content) => {
  const file = join(folder, 'source.json');
  writeFileSync(file, content);
  expect(() => readSourceFiles(folder)).toThrow(`${file} holds no JSON`);
});

test('a folder that is named like a file is refused by its name', () => {
  const file = join(folder, 'source.json');
  rmSync(file, { recursive: true, force: true });
  mkdirSync(file);
  expect(() => readSourceFiles(folder)).toThrow(`configuration: ${file} cannot be read (EISDIR)`);
});

test('a file in place of the folder is refused by its variable', () => {
  const file = join(folder, 'no-folder');
  writeFileSync(file, '');
  expect(() => readSourceFiles(file)).toThrow('configuration: SOURCES_DIR cannot be read (ENOTDIR)');
});
