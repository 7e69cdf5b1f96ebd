import { dirname, join } from 'node:path';
import type { Measured } from './measure.ts';

/** One import from a file of the repository to another. */
export interface Edge {
  from: string;
  to: string;
  typeOnly: boolean;
}

/** The file of the repository that an import means; undefined for packages of others. */
const resolver = (paths: ReadonlySet<string>) => (from: string, specifier: string) => {
  const own = specifier.match(/^@assay\/([\w-]+)(?:\/([\w-]+))?$/);
  const path = own
    ? ['libs', 'tools'].map((area) => `${area}/${own[1]}/src/${own[2] ?? 'index'}.ts`).find((one) => paths.has(one))
    : specifier.startsWith('.') && join(dirname(from), specifier);
  return path && paths.has(path) ? path : undefined;
};

export const edgesOf = (files: readonly Measured[]): Edge[] => {
  const resolve = resolver(new Set(files.map(({ path }) => path)));
  return files.flatMap(({ path: from, imports }) =>
    imports.flatMap(({ specifier, typeOnly }) => {
      const to = resolve(from, specifier);
      return to ? [{ from, to, typeOnly }] : [];
    }),
  );
};

/** Sets of files that import each other in a circle (Tarjan's strongly connected components). */
export const cyclesOf = (edges: readonly Edge[]): string[][] => {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const number = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const enter = (file: string): number => {
    const mine = number.size;
    number.set(file, mine);
    let lowest = mine;
    stack.push(file);
    for (const other of next.get(file) ?? []) {
      if (!number.has(other)) lowest = Math.min(lowest, enter(other));
      else if (stack.includes(other)) lowest = Math.min(lowest, number.get(other) ?? lowest);
    }
    if (lowest === mine) {
      const members = stack.splice(stack.indexOf(file));
      if (members.length > 1) cycles.push(members.sort());
    }
    return lowest;
  };
  for (const file of next.keys()) if (!number.has(file)) enter(file);
  return cycles;
};

const ENTRY = /^services\/[^/]+\/src\/(http|consumers)\//;

/**
 * For each route and each consumer, how many files of its service a reader crosses who follows it
 * to its end: itself and all that it imports, types included, for what a flow is given (stores,
 * clients) it names by type.
 */
export const flowLengths = (edges: readonly Edge[], paths: readonly string[]): number[] => {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const lengthFrom = (entry: string): number => {
    const [, service = ''] = entry.split('/');
    const crossed = new Set([entry]);
    for (const file of crossed)
      for (const other of next.get(file) ?? []) if (other.startsWith(`services/${service}/`)) crossed.add(other);
    return crossed.size;
  };
  return paths.filter((path) => ENTRY.test(path)).map(lengthFrom);
};
