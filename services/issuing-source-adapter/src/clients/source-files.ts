import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { violationsOf } from '@assay/contracts';
import { type MappedSource, MappedSourceSchema } from '../domain/mapping.ts';

const read = (file: string): MappedSource => {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const [violation] = violationsOf(MappedSourceSchema, value);
  if (violation) throw new Error(`${file}: ${violation.field} ${violation.message}`);
  return value as MappedSource;
};

/**
 * The mapping files of a folder, in order of their names; one that is wrong keeps the service from
 * starting, with the field at fault.
 */
export const readSourceFiles = (folder: string | undefined): MappedSource[] =>
  folder === undefined
    ? []
    : readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .sort()
        .map((name) => read(join(folder, name)));
