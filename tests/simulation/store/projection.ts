import { type Fields, isFields } from './paths.ts';

/** The part of a field that a projection names: all of it, or fields inside. */
type Tree = Map<string, true | Tree>;

const treeOf = (paths: readonly string[]): Tree => {
  const tree: Tree = new Map();
  for (const path of paths) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let at = tree;
    for (const name of names) {
      const found = at.get(name);
      const next: Tree = found instanceof Map ? found : new Map();
      at.set(name, next);
      at = next;
    }
    at.set(last, true);
  }
  return tree;
};

const partOf = (value: unknown, tree: Tree, picks: boolean): unknown => {
  if (Array.isArray(value))
    return value.flatMap((one: unknown) => {
      const part = partOf(one, tree, picks);
      return part === undefined ? [] : [part];
    });
  if (!isFields(value)) return picks ? undefined : value;
  const part: Fields = {};
  for (const [name, inner] of Object.entries(value)) {
    const said = tree.get(name);
    if (said === undefined ? !picks : said === true && picks) part[name] = inner;
    else if (said instanceof Map) {
      const picked = partOf(inner, said, picks);
      if (picked !== undefined) part[name] = picked;
    }
  }
  return part;
};

/**
 * The fields that a projection names, or all other fields. A projection that computes a value is an
 * error. Values are shared with the document.
 */
export const projected = (document: Fields, projection: Fields): Fields => {
  const { _id: id = 1, ...others } = projection;
  const said = Object.values(others).map(Number);
  if (said.some((one) => one !== 0 && one !== 1)) throw new Error('the simulated store computes no projections');
  const picks = said.length > 0 ? said[0] === 1 : Number(id) === 1;
  if (said.some((one) => (one === 1) !== picks)) throw new Error('a projection includes or excludes');
  const names = Object.keys(others);
  const isWithId = Number(id) === 1;
  return partOf(document, treeOf(isWithId === picks ? ['_id', ...names] : names), picks) as Fields;
};
