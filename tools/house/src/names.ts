import { isNode, type Node, nodeAt } from './nodes.ts';

/** A name where it is declared. */
export interface DeclaredName {
  name: string;
  line: number;
}

/**
 * Words of our own, or of more than one meaning, that no name is made of. docs/glossary.md says
 * which word to take instead.
 */
const REFUSED = new Set(
  [
    ...['told', 'kept', 'gone', 'held', 'news', 'stands', 'standing', 'nobody', 'somebody'],
    ...['judge', 'judges', 'judged', 'heal', 'heals', 'healed', 'woken'],
    ...['verdict', 'verdicts', 'lane', 'lanes'],
  ].flatMap((word) => [word, `${word.charAt(0).toUpperCase()}${word.slice(1)}`]),
);

/** Whether a name is made of a word that the glossary refuses, or is `of`. */
export const isRefused = (name: string): boolean =>
  name === 'of' || name.split(/(?=[A-Z])|_/).some((part) => REFUSED.has(part));

const listAt = (node: Node, member: string): Node[] => {
  const value = node[member];
  return Array.isArray(value) ? value.filter(isNode) : [];
};

/** The names that a pattern binds anew: `{ a, b: [c] }` binds `c`, and takes `a` as it is. */
const bound = (pattern: Node | undefined): Node[] => {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern];
    case 'ObjectPattern':
      return listAt(pattern, 'properties')
        .filter(({ shorthand }) => shorthand !== true)
        .flatMap((one) => bound(nodeAt(one, 'value') ?? nodeAt(one, 'argument')));
    case 'ArrayPattern':
      return listAt(pattern, 'elements').flatMap(bound);
    case 'AssignmentPattern':
      return bound(nodeAt(pattern, 'left'));
    case 'RestElement':
      return bound(nodeAt(pattern, 'argument'));
    default:
      return [];
  }
};

const DECLARATIONS = [
  ...['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'ClassDeclaration'],
  ...['TSInterfaceDeclaration', 'TSTypeAliasDeclaration'],
];
const MEMBERS = ['TSPropertySignature', 'TSMethodSignature', 'PropertyDefinition', 'MethodDefinition'];

/** What names a node declares. A member called `of` is one: what it is of stands before it. */
export const namesDeclaredBy = (node: Node): Node[] => {
  if (node.type === 'VariableDeclarator') return bound(nodeAt(node, 'id'));
  if (DECLARATIONS.includes(node.type)) return [...bound(nodeAt(node, 'id')), ...listAt(node, 'params').flatMap(bound)];
  const key = MEMBERS.includes(node.type) && node.computed !== true ? nodeAt(node, 'key') : undefined;
  return key?.type === 'Identifier' && key.name !== 'of' ? [key] : [];
};
