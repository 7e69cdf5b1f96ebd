import { type Comment, parseSync } from 'oxc-parser';
import type { SourceFile } from './files.ts';
import { type DeclaredName, namesDeclaredBy } from './names.ts';
import { isNode, type Node, nodeAt } from './nodes.ts';

/** One import, re-export or dynamic import as written. */
interface ImportOf {
  specifier: string;
  typeOnly: boolean;
}

interface FunctionLength {
  name: string;
  line: number;
  lines: number;
}

/** A constant in which text is looked up, made as an object that has a prototype. */
interface PlainTable {
  name: string;
  line: number;
}

export interface Counts {
  classes: number;
  tries: number;
  anys: number;
  casts: number;
  nonNulls: number;
  ignores: number;
  conditionalSpreads: number;
  commentLines: number;
  longCommentLines: number;
}

export interface Measured extends SourceFile {
  imports: ImportOf[];
  /** Modules that more than one import statement names. */
  importedAgain: string[];
  functions: FunctionLength[];
  plainTables: PlainTable[];
  /** Names of variables, functions, types and members, where they are declared. */
  names: DeclaredName[];
  /** Lines that ask the machine what time it is. */
  clockReads: number[];
  counts: Counts;
}

const LONGEST_COMMENT_LINE = 100;

const visit = (node: Node, parent: Node | undefined, see: (node: Node, parent: Node | undefined) => void): void => {
  see(node, parent);
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, node, see);
};

const isConstAssertion = (node: Node): boolean => {
  const name = nodeAt(nodeAt(node, 'typeAnnotation') ?? node, 'typeName');
  return name?.name === 'const';
};

const isEmptyObject = (node: Node | undefined): boolean =>
  node?.type === 'ObjectExpression' && (node.properties as unknown[]).length === 0;

const unwrapped = (node: Node | undefined): Node | undefined =>
  node?.type === 'ParenthesizedExpression' ? unwrapped(nodeAt(node, 'expression')) : node;

/** `...(x === undefined ? {} : { x })` and `...(x && { x })`. */
const isConditionalSpread = (node: Node): boolean => {
  const argument = unwrapped(nodeAt(node, 'argument'));
  if (argument?.type === 'ConditionalExpression')
    return isEmptyObject(nodeAt(argument, 'consequent')) || isEmptyObject(nodeAt(argument, 'alternate'));
  return argument?.type === 'LogicalExpression' && unwrapped(nodeAt(argument, 'right'))?.type === 'ObjectExpression';
};

/** `const NAME: Record<string, ...> = {`, read-only or not. */
const isPlainTable = (node: Node, text: string): boolean => {
  const type = nodeAt(nodeAt(node, 'id') ?? node, 'typeAnnotation');
  const isTable = type !== undefined && /^:\s*(Readonly<)?Record<string,/.test(text.slice(type.start, type.end));
  return isTable && nodeAt(node, 'init')?.type === 'ObjectExpression';
};

/** `new Date()`, or `Date.now`, called here or handed over to be called. */
const readsClock = (node: Node): boolean => {
  if (node.type === 'NewExpression')
    return nodeAt(node, 'callee')?.name === 'Date' && (node.arguments as unknown[]).length === 0;
  if (node.type !== 'MemberExpression') return false;
  return nodeAt(node, 'object')?.name === 'Date' && nodeAt(node, 'property')?.name === 'now';
};

const nameOf = (node: Node, parent: Node | undefined): string => {
  const named = nodeAt(node, 'id') ?? (parent && (nodeAt(parent, 'id') ?? nodeAt(parent, 'key')));
  return typeof named?.name === 'string' ? named.name : 'anonymous';
};

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/** What cannot be broken, an address or an exception from lint, may be longer. */
const isTooLong = (line: string): boolean =>
  line.length > LONGEST_COMMENT_LINE && /^\s*(\/\/|\/\*|\*)/.test(line) && !/:\/\/|biome-ignore/.test(line);

const commentFigures = ({ text }: SourceFile, comments: readonly Comment[]) => {
  const lines = comments.flatMap(({ start, end }) => text.slice(text.lastIndexOf('\n', start) + 1, end).split('\n'));
  return {
    commentLines: lines.filter((line) => /^\s*(\/\/|\/\*|\*)/.test(line)).length,
    longCommentLines: lines.filter(isTooLong).length,
    ignores: comments.filter(({ value }) => /biome-ignore|@ts-(ignore|expect-error|nocheck)/.test(value)).length,
  };
};

type Parsed = ReturnType<typeof parseSync>;

const importsOf = ({ module }: Parsed, { text }: SourceFile): ImportOf[] => [
  ...module.staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    typeOnly: entries.length > 0 && entries.every(({ isType }) => isType),
  })),
  ...module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest ? [{ specifier: moduleRequest.value, typeOnly: isType }] : [],
    ),
  ),
  ...module.dynamicImports.map(({ moduleRequest }) => ({
    specifier: text.slice(moduleRequest.start + 1, moduleRequest.end - 1),
    typeOnly: false,
  })),
];

const importedAgainIn = ({ module }: Parsed): string[] => {
  const specifiers = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  return [...new Set(specifiers.filter((specifier, index) => specifiers.indexOf(specifier) < index))];
};

/** Parses one file and counts what the table shows. */
export const measure = (file: SourceFile): Measured => {
  const parsed = parseSync(file.path, file.text);
  if (parsed.errors.length > 0) throw new Error(`${file.path} does not parse: ${parsed.errors[0]?.message}`);
  const counts = { classes: 0, tries: 0, anys: 0, casts: 0, nonNulls: 0, conditionalSpreads: 0 };
  const functions: FunctionLength[] = [];
  const constants: Node[] = [];
  const clockReads: number[] = [];
  const names: Node[] = [];
  const lineOf = (offset: number): number => file.text.slice(0, offset).split('\n').length;
  visit(parsed.program as unknown as Node, undefined, (node, parent) => {
    if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') counts.classes += 1;
    names.push(...namesDeclaredBy(node));
    if (node.type === 'TryStatement') counts.tries += 1;
    if (node.type === 'TSAnyKeyword') counts.anys += 1;
    if (node.type === 'TSAsExpression' && !isConstAssertion(node)) counts.casts += 1;
    if (node.type === 'TSNonNullExpression') counts.nonNulls += 1;
    if (
      node.type === 'VariableDeclaration' &&
      (parent?.type === 'Program' || parent?.type === 'ExportNamedDeclaration')
    )
      constants.push(...(node.declarations as Node[]).filter((one) => isPlainTable(one, file.text)));
    if (readsClock(node)) clockReads.push(lineOf(node.start));
    if (node.type === 'SpreadElement' && isConditionalSpread(node)) counts.conditionalSpreads += 1;
    if (FUNCTIONS.includes(node.type) && nodeAt(node, 'body')?.type === 'BlockStatement') {
      const line = lineOf(node.start);
      functions.push({ name: nameOf(node, parent), line, lines: lineOf(node.end) - line + 1 });
    }
  });
  return {
    ...file,
    imports: importsOf(parsed, file),
    importedAgain: importedAgainIn(parsed),
    functions,
    plainTables: constants.map((node) => ({ name: nameOf(node, undefined), line: lineOf(node.start) })),
    names: names.map((node) => ({ name: String(node.name), line: lineOf(node.start) })),
    clockReads,
    counts: { ...counts, ...commentFigures(file, parsed.comments) },
  };
};
