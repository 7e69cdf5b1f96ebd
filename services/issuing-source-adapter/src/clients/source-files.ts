import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { violationsOf } from '@assay/contracts';
import { namingFile, readJsonFile } from '@assay/runtime';
import { type MappedSource, MappedSourceSchema } from '../domain/mapping.ts';
import { isWrittenAs } from '../domain/pattern.ts';
import type { FieldRules } from '../domain/source.ts';

const isExpression = (text: string): boolean => {
  try {
    isWrittenAs(text, '');
    return true;
  } catch {
    return false;
  }
};

interface Located {
  field: string;
  pattern: string;
}

const patternsIn = (field: string, rules: FieldRules): Located[] =>
  Object.entries(rules).flatMap(([name, { pattern }]) =>
    pattern === undefined ? [] : [{ field: `${field}.${name}.pattern`, pattern }],
  );

const patternsOf = ({ documents }: MappedSource): Located[] =>
  documents.flatMap(({ fields, jurisdictions = {} }, at) => [
    ...patternsIn(`documents[${at}].fields`, fields),
    ...Object.entries(jurisdictions).flatMap(([code, rule]) =>
      patternsIn(`documents[${at}].jurisdictions.${code}.fields`, rule.fields ?? {}),
    ),
  ]);

const wrongPattern = (source: MappedSource): string | undefined => {
  const wrong = patternsOf(source).find(({ pattern }) => !isExpression(pattern));
  return wrong && `${wrong.field} is no expression of RE2 (it knows neither lookaround nor back-references)`;
};

const read = (file: string): MappedSource => {
  const value = readJsonFile(file, file);
  const [violation] = violationsOf(MappedSourceSchema, value);
  if (violation) throw new Error(`${file}: ${violation.field} ${violation.message}`);
  const wrong = wrongPattern(value as MappedSource);
  if (wrong) throw new Error(`${file}: ${wrong}`);
  return value as MappedSource;
};

/**
 * The mapping files of a folder, in order of their names; one that is wrong keeps the service from
 * starting, with the file and the field at fault.
 */
export const readSourceFiles = (folder: string | undefined): MappedSource[] =>
  folder === undefined
    ? []
    : namingFile('SOURCES_DIR', () => readdirSync(folder))
        .filter((name) => name.endsWith('.json'))
        .sort()
        .map((name) => read(join(folder, name)));
