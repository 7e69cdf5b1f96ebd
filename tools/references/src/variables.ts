import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { read, root } from './sources.ts';

/** A variable as a service's config.ts declares it. */
export interface Variable {
  name: string;
  kind: string;
  /** In the form in which it is given; undefined where it has to be. */
  preset: string | undefined;
  says: string;
}

const KINDS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/\b(integer|atLeast|port|milliseconds|seconds)\b/, 'whole number'],
  [/\bflag\b/, 'true or false'],
  [/\b(list|segments|ranges|proxies)\b/, 'list, separated by commas'],
  [/\b(url|address)\b/, 'address'],
  [/\bbase64Key\((\d+)\)/, '$1 bytes in base64'],
  [/\bbase64Keys\((\d+)\)/, 'list of $1 bytes in base64 each, separated by commas'],
  [/\b(text|logLevel|environment|databasePrefix|namespace)\b/, 'text'],
];
const kindOf = (expression: string): string => {
  for (const [pattern, words] of KINDS) {
    const found = pattern.exec(expression);
    if (found) return words.replace('$1', found[1] ?? '');
  }
  throw new Error(`no words for ${expression}`);
};

const DAY_SECONDS = 24 * 3600;
const presetOf = (expression: string): string | undefined => {
  if (expression.startsWith('optional(')) return '';
  const given = /^withDefault\(\w+(?:\((?:[^()]|\([^()]*\))*\))?, (.+)\)$/s.exec(expression)?.[1];
  if (given === undefined) return undefined;
  if (given === 'availableParallelism()') return 'number of cores';
  const days = /^(?:(\d+) \* )?DAY$/.exec(given);
  if (days) return String(Number(days[1] ?? 1) * DAY_SECONDS);
  return given
    .replace(/^\[(.*)\]$/, '$1')
    .replaceAll("'", '')
    .replace(/(?<=\d)_(?=\d)/g, '');
};

const DECLARED =
  /(?:\/\*\*[\s*]*(?<says>(?:(?!\*\/).)+?)\s*\*\/\s*)?^\s+(?<name>[A-Z][A-Z0-9_]+): (?<expression>[^\n]+),$/gms;

/** The variables that a source declares. @throws where one says nothing of itself */
export const variablesOf = (source: string): Variable[] =>
  [...source.matchAll(DECLARED)].map(({ groups }) => {
    const { says = '', name = '', expression = '' } = groups ?? {};
    if (says === '') throw new Error(`${name} has no comment that says what it is`);
    const words = says.replace(/\s*\n\s*\* ?/g, ' ');
    return { name, kind: kindOf(expression), preset: presetOf(expression), says: words };
  });

/** What every service reads, and what each reads besides. */
export const allVariables = (): { common: Variable[]; services: [string, Variable[]][] } => {
  const runtime = read('libs/runtime/src/config.ts');
  const services = readdirSync(join(root, 'services')).sort();
  return {
    common: variablesOf(runtime.slice(runtime.indexOf('export const COMMON_CONFIG'))),
    services: services.map((name) => [name, variablesOf(read(`services/${name}/src/config.ts`))]),
  };
};
