import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, parse as parseYaml } from 'yaml';
import { callFunction, isEmpty, textOf } from './functions.ts';
import { type Part, parse } from './parse.ts';

/*
 * Renders the chart like `helm template`, as far as this chart needs it. No package registry has
 * Helm, so a fresh machine cannot install it. Anything unknown is an error, so a template that
 * needs more fails.
 */

type Values = Record<string, unknown>;
type Variables = Readonly<Record<string, unknown>>;
interface Scope {
  dot: unknown;
  variables: Variables;
  defined: ReadonlyMap<string, Part[]>;
}

const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

/** One set of values over another, merged as `--values` merges them. */
const over = (below: Values, above: Values): Values => ({
  ...below,
  ...Object.fromEntries(
    Object.entries(above).map(([name, value]) => {
      const former = below[name];
      return [name, isMap(value) && isMap(former) ? over(former, value) : value];
    }),
  ),
});

const memberOf = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .filter(Boolean)
    .reduce<unknown>((found, name) => (isMap(found) ? found[name] : undefined), value);

const WORD = /\s*("(?:[^"\\]|\\.)*"|\(|\)|\||[^\s()|]+)/y;
const wordsOf = (expression: string): string[] => {
  WORD.lastIndex = 0;
  const words: string[] = [];
  for (let found = WORD.exec(expression); found; found = WORD.exec(expression)) words.push(found[1]!);
  return words;
};

/** Evaluates an expression of functions, pipes, parentheses, paths, strings and numbers. */
const evaluate = (expression: string, scope: Scope): unknown => {
  const words = wordsOf(expression);
  const operand = (word: string): unknown => {
    if (word === '(') return pipeline();
    if (word.startsWith('"')) return JSON.parse(word);
    if (/^\d+$/.test(word)) return Number(word);
    if (word.startsWith('.')) return memberOf(scope.dot, word);
    const [name = '', ...path] = word.split('.');
    if (name in scope.variables) return memberOf(scope.variables[name], path.join('.'));
    throw new Error(`${word} is no value`);
  };
  const command = (piped: readonly unknown[]): unknown => {
    const first = words.shift()!;
    const isFunction = /^[a-z]\w*$/i.test(first) || first.endsWith('.Files.Get');
    const head = isFunction ? undefined : operand(first);
    const given: unknown[] = [];
    while (words.length > 0 && !['|', ')'].includes(words[0]!)) given.push(operand(words.shift()!));
    if (!isFunction) return head;
    if (first === 'include') return render(scope.defined.get(String(given[0]))!, { ...scope, dot: given[1] });
    if (first.endsWith('.Files.Get'))
      return memberOf(scope.variables.$, 'Files.Get') && fileOf(scope, String(given[0]));
    return callFunction(first, [...given, ...piped]);
  };
  const pipeline = (): unknown => {
    let value = command([]);
    while (words[0] === '|') {
      words.shift();
      value = command([value]);
    }
    if (words[0] === ')') words.shift();
    return value;
  };
  return pipeline();
};

const fileOf = ({ variables }: Scope, name: string): string =>
  readFileSync(join(String(memberOf(variables.$, 'Files.Get')), name), 'utf8');

const entriesOf = (value: unknown): [string | number, unknown][] => {
  if (Array.isArray(value)) return value.map((each, at) => [at, each]);
  return isMap(value) ? Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)) : [];
};

const repeated = ({ content, names, body, otherwise }: Part, scope: Scope): string => {
  const entries = entriesOf(evaluate(content, scope));
  if (entries.length === 0) return render(otherwise, scope);
  return entries
    .map(([key, value]) => {
      const [last, first] = names.toReversed();
      const set = { ...(last && { [last]: value }), ...(first && { [first]: key }) };
      return render(body, { ...scope, dot: value, variables: { ...scope.variables, ...set } });
    })
    .join('');
};

const render = (parts: readonly Part[], given: Scope): string => {
  let scope = given;
  let text = '';
  for (const part of parts) {
    const { kind, content, names, body, otherwise } = part;
    if (kind === 'text') text += content;
    else if (kind === 'range') text += repeated(part, scope);
    else if (kind !== 'define') {
      const value = evaluate(content, scope);
      if (kind === 'print') text += textOf(value);
      if (kind === 'set') scope = { ...scope, variables: { ...scope.variables, [names[0]!]: value } };
      if (kind === 'if') text += render(isEmpty(value) ? otherwise : body, scope);
      if (kind === 'with') text += isEmpty(value) ? render(otherwise, scope) : render(body, { ...scope, dot: value });
    }
  }
  return text;
};

const read = (folder: string, name: string): Values =>
  (parseYaml(readFileSync(join(folder, name), 'utf8')) ?? {}) as Values;

/** The objects that a release renders. */
export const renderChart = (folder: string, values: readonly Values[], release = 'assay'): Values[] => {
  const names = readdirSync(join(folder, 'templates')).sort();
  const templates = names.map((name) => parse(readFileSync(join(folder, 'templates', name), 'utf8')));
  const defined = new Map(
    templates
      .flatMap((parts) => parts.filter(({ kind }) => kind === 'define'))
      .map((each) => [JSON.parse(each.content), each.body]),
  );
  const chart = read(folder, 'Chart.yaml');
  const root = {
    Values: [read(folder, 'values.yaml'), ...values].reduce(over),
    Release: { Name: release },
    Chart: { AppVersion: chart.appVersion, Name: chart.name },
    Files: { Get: folder },
  };
  return templates
    .flatMap((parts) => parseAllDocuments(render(parts, { dot: root, variables: { $: root }, defined })))
    .map((document) => {
      if (document.errors.length > 0) throw new Error(document.errors.map(({ message }) => message).join('; '));
      return document.toJS() as Values | null;
    })
    .filter((object) => object !== null);
};
