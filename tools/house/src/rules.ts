import { basename } from 'node:path';
import { cyclesOf, type Edge } from './graph.ts';
import type { Measured } from './measure.ts';
import { isRefused } from './names.ts';
import type { Unused } from './unused.ts';

/**
 * One breach of a rule. `key` is how the list of exceptions names it: without folders that may
 * still move.
 */
export interface Breach {
  rule: string;
  key: string;
  detail: string;
}

const LONGEST_FUNCTION = 60;
const LONGEST_FILE = 250;
/** Every service has them, whether or not another file takes them. */
const PART_OF_THE_PLAN = ['Config', 'Deps'];
const AT_THE_ROOT = /^(main|config|service|service(\.[\w-]+)?\.test)\.ts$/;

const serviceOf = (path: string): string | undefined => path.match(/^services\/([^/]+)\//)?.[1];
const roomOf = (path: string): string | undefined => path.match(/^services\/[^/]+\/src\/([^/]+)\//)?.[1];
const areaOf = (path: string): string => path.split('/')[0] ?? '';
const testOnly = ({ kind }: Measured): boolean => kind === 'test';

interface ImportRule {
  rule: string;
  forbids(from: Measured, to: Measured): boolean;
}

const between = (areas: readonly string[]) => (from: Measured, to: Measured) =>
  areas.includes(areaOf(from.path)) && serviceOf(to.path) !== undefined;

/** Rooms of a service that a room does not know, within the service. */
const OUTSIDE: Readonly<Record<string, readonly string[]>> = {
  domain: ['store', 'http', 'clients', 'consumers', 'flows'],
  flows: ['http', 'consumers'],
  store: ['http', 'consumers', 'flows', 'clients'],
  clients: ['http', 'consumers', 'flows', 'store'],
};

const crossesRooms = (from: Measured, to: Measured): boolean =>
  !testOnly(from) &&
  serviceOf(from.path) === serviceOf(to.path) &&
  OUTSIDE[roomOf(from.path) ?? '']?.includes(roomOf(to.path) ?? '') === true;

const IMPORT_RULES: readonly ImportRule[] = [
  {
    rule: 'a service imports no other service',
    forbids: (from, to) =>
      serviceOf(from.path) !== undefined &&
      serviceOf(to.path) !== undefined &&
      serviceOf(from.path) !== serviceOf(to.path),
  },
  { rule: 'libs, bench and tools import no service', forbids: between(['libs', 'bench', 'tools']) },
  { rule: 'a room imports only what lies further inside', forbids: crossesRooms },
  {
    rule: 'only tests import what is for tests',
    forbids: (from, to) => from.kind === 'src' && testOnly(to),
  },
];

/** `services/gateway/src/flows/x.ts` as `gateway/flows/x.ts`; others without `src/`. */
const short = (path: string): string => path.replace(/^(services|libs)\//, '').replace('/src/', '/');

const importBreaches = (files: readonly Measured[], edges: readonly Edge[]): Breach[] => {
  const known = new Map(files.map((file) => [file.path, file]));
  return edges.flatMap(({ from, to }) => {
    const one = known.get(from);
    const other = known.get(to);
    if (!one || !other) return [];
    return IMPORT_RULES.filter(({ forbids }) => forbids(one, other)).map(({ rule }) => ({
      rule,
      key:
        rule.includes('no service') || rule.includes('no other')
          ? short(from)
          : `${short(from)} -> ${roomOf(to) ?? short(to)}`,
      detail: `${from} imports ${to}`,
    }));
  });
};

const statementBreaches = (files: readonly Measured[]): Breach[] =>
  files.flatMap(({ path, importedAgain }) =>
    importedAgain.map((specifier) => ({
      rule: 'one import statement for each module',
      key: `${short(path)} ${specifier}`,
      detail: `${path} imports ${specifier} again`,
    })),
  );

const cycleBreaches = (edges: readonly Edge[]): Breach[] =>
  cyclesOf(edges).map((members) => ({
    rule: 'no circle of imports, of types included',
    key: members.map((path) => basename(path)).join(' '),
    detail: members.join(' '),
  }));

const rootBreaches = (files: readonly Measured[]): Breach[] =>
  files
    .filter(({ path }) => /^services\/[^/]+\/src\/[^/]+$/.test(path) && !AT_THE_ROOT.test(basename(path)))
    .map(({ path }) => ({
      rule: 'at the root of a service only main.ts, config.ts, service.ts and its test',
      key: short(path),
      detail: path,
    }));

const lengthBreaches = (files: readonly Measured[]): Breach[] =>
  files
    .filter(({ kind }) => kind === 'src')
    .flatMap(({ path, functions, lines }) => [
      ...functions
        .filter((one) => one.lines > LONGEST_FUNCTION)
        .map((one) => ({
          rule: `no function over ${LONGEST_FUNCTION} lines`,
          key: one.name,
          detail: `${path}:${one.line} ${one.name} has ${one.lines}`,
        })),
      ...(lines.length > LONGEST_FILE
        ? [{ rule: `no file over ${LONGEST_FILE} lines`, key: short(path), detail: `${path} has ${lines.length}` }]
        : []),
    ]);

/** The widest that comments are written; lint sees to the width of code. */
const commentBreaches = (files: readonly Measured[]): Breach[] =>
  files
    .filter(({ counts }) => counts.longCommentLines > 0)
    .map(({ path, counts }) => ({
      rule: 'no line of a comment over 100 columns',
      key: short(path),
      detail: `${path} has ${counts.longCommentLines}`,
    }));

/** Production code, to which text from outside comes; not the tools. */
const IN_PRODUCTION = ['libs', 'services', 'pages'];

const tableBreaches = (files: readonly Measured[]): Breach[] =>
  files
    .filter(({ kind, path }) => kind === 'src' && IN_PRODUCTION.includes(areaOf(path)))
    .flatMap(({ path, plainTables }) =>
      plainTables.map(({ name, line }) => ({
        rule: 'what text is looked up in is made by table(), and has no prototype',
        key: `${short(path)} ${name}`,
        detail: `${path}:${line} ${name}`,
      })),
    );

/** What runs in a service; the client library and the local stack run elsewhere. */
const inService = ({ kind, path }: Measured): boolean =>
  kind === 'src' && /^(services|libs)\//.test(path) && !/^libs\/(client|local-stack)\//.test(path);

const clockBreaches = (files: readonly Measured[]): Breach[] =>
  files.filter(inService).flatMap(({ path, clockReads }) =>
    clockReads.map((line) => ({
      rule: "what a service does goes by a Clock, not by the machine's",
      key: short(path),
      detail: `${path}:${line}`,
    })),
  );

const nameBreaches = (files: readonly Measured[]): Breach[] =>
  files.flatMap(({ path, names }) =>
    names
      .filter(({ name }) => isRefused(name))
      .map(({ name, line }) => ({
        rule: 'no name is made of a word that the glossary does not use',
        key: `${short(path)} ${name}`,
        detail: `${path}:${line} ${name}`,
      })),
  );

const unusedBreaches = ({ files, exports, dependencies }: Unused): Breach[] => [
  ...files.map((path) => ({ rule: 'no file that nothing uses', key: basename(path), detail: path })),
  ...exports
    .filter(({ name }) => !PART_OF_THE_PLAN.includes(name))
    .map(({ path, name }) => ({
      rule: 'no export that only its own file uses',
      key: name,
      detail: `${path} exports ${name}`,
    })),
  ...dependencies.map(({ path, name, why }) => ({
    rule: 'every package declares what it uses, and nothing else',
    key: `${path.replace(/\/?package\.json$/, '') || 'root'}: ${name}`,
    detail: `${path}: ${name} is ${why}`,
  })),
];

/** Every breach of the rules of the house, whether or not it is excepted. */
export const breachesOf = (files: readonly Measured[], edges: readonly Edge[], unused: Unused): Breach[] => [
  ...importBreaches(files, edges),
  ...statementBreaches(files),
  ...cycleBreaches(edges),
  ...rootBreaches(files),
  ...lengthBreaches(files),
  ...commentBreaches(files),
  ...tableBreaches(files),
  ...clockBreaches(files),
  ...nameBreaches(files),
  ...unusedBreaches(unused),
];

export type Exceptions = Record<string, string[]>;

/**
 * Breaches that are not excepted, and exceptions that are needed no more: the list may only become
 * shorter.
 */
export const against = (breaches: readonly Breach[], exceptions: Exceptions) => ({
  refused: breaches.filter(({ rule, key }) => !exceptions[rule]?.includes(key)),
  stale: Object.entries(exceptions).flatMap(([rule, keys]) =>
    keys.filter((key) => !breaches.some((one) => one.rule === rule && one.key === key)).map((key) => ({ rule, key })),
  ),
});
