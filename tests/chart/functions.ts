import { stringify } from 'yaml';

/**
 * The template functions that the chart uses, as Helm defines them. Any other function is an error.
 */
type Function = (...given: never[]) => unknown;

/** Whether a condition treats a value as false. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === '' ||
  value === 0 ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** A number of a values file is a float to Helm, which prints a million and more so: 1.2e+06. */
const MILLION = 1e6;
const floatOf = (value: number): string =>
  Math.abs(value) < MILLION ? String(value) : value.toExponential().replace(/e\+(\d)$/, 'e+0$1');

export const textOf = (value: unknown): string => {
  if (typeof value === 'number') return floatOf(value);
  return value === undefined || value === null ? '' : String(value);
};

const indented = (by: number, text: string): string => text.replace(/^/gm, ' '.repeat(by));

const pairs = (given: unknown[]): Record<string, unknown> => {
  const made: Record<string, unknown> = {};
  for (let at = 0; at < given.length; at += 2) made[String(given[at])] = given[at + 1];
  return made;
};

const ALL: Record<string, Function> = {
  add: (...given: number[]) => given.reduce((sum, one) => sum + one, 0),
  and: (...given: unknown[]) => given.find(isEmpty) ?? given.at(-1),
  default: (otherwise: unknown, value?: unknown) => (isEmpty(value) ? otherwise : value),
  dict: (...given: unknown[]) => pairs(given),
  div: (one: number, other: number) => Math.trunc(one / other),
  eq: (one: unknown, other: unknown) => one === other,
  int: (value: unknown) => Math.trunc(Number(value)),
  kindIs: (kind: string, value: unknown) => kind === typeof value,
  index: (from: Record<string, unknown> | undefined, name: string) => from?.[name],
  nindent: (by: number, text: string) => `\n${indented(by, text)}`,
  not: isEmpty,
  omit: (from: Record<string, unknown>, ...names: string[]) =>
    Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name))),
  or: (...given: unknown[]) => given.find((value) => !isEmpty(value)) ?? given.at(-1),
  pick: (from: Record<string, unknown>, ...names: string[]) =>
    Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name))),
  quote: (value: unknown) => JSON.stringify(textOf(value)),
  replace: (from: string, to: string, text: string) => text.replaceAll(from, to),
  toJson: (value: unknown) => JSON.stringify(value),
  toYaml: (value: unknown) => stringify(value).trimEnd(),
  upper: (text: string) => text.toUpperCase(),
};

/** Calls a function of the templates. */
export const callFunction = (name: string, given: readonly unknown[]): unknown => {
  const known = ALL[name];
  if (!known) throw new Error(`the renderer does not know ${name}: add it here as Helm has it`);
  return known(...(given as never[]));
};
