/** A node of a syntax tree, as far as the rules ask. */
export interface Node {
  type: string;
  start: number;
  end: number;
  [member: string]: unknown;
}

export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
/** A member that is a node. */
export const nodeAt = (node: Node, member: string): Node | undefined => {
  const value = node[member];
  return isNode(value) ? value : undefined;
};
