export type Fields = Record<string, unknown>;

/** Whether a value is a document inside a document, not a date, an id or bytes. */
export const isFields = (value: unknown): value is Fields => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

const isHolder = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** The value at a path of names and array positions, such as `session.batches.0`. */
export const valueAt = (document: unknown, path: string): unknown => {
  let value = document;
  for (const key of path.split('.')) {
    if (!isHolder(value)) return undefined;
    value = value[key];
  }
  return value;
};

/**
 * The object that contains the last name of a path, and that name. `makes` creates missing objects
 * on the way.
 */
const holderOf = (document: Fields, path: string, makes: boolean): { holder: Fields; key: string } | undefined => {
  const keys = path.split('.');
  const key = keys.pop() ?? '';
  let holder = document;
  for (const name of keys) {
    const next = holder[name];
    if (isHolder(next)) holder = next;
    else if (makes && next === undefined) {
      const made: Fields = {};
      holder[name] = made;
      holder = made;
    } else return undefined;
  }
  return { holder, key };
};

/** @throws if something on the way is not an object, as the server does */
export const setAt = (document: Fields, path: string, value: unknown): void => {
  const found = holderOf(document, path, true);
  if (!found) throw new Error(`cannot create field in ${path}`);
  found.holder[found.key] = value;
};

export const unsetAt = (document: Fields, path: string): void => {
  const found = holderOf(document, path, false);
  if (!found) return;
  if (Array.isArray(found.holder)) found.holder[Number(found.key)] = null;
  else delete found.holder[found.key];
};
