const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  (Array.isArray(value)
    ? value.length === 0
    : value !== null && typeof value === 'object' && Object.keys(value).length === 0);

/**
 * Removes undefined members, empty objects and empty lists: an optional field without content is
 * absent from the proof.
 */
export const withoutEmpty = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value))) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

// Lists that are required by the specification, also if they are empty.
const REQUIRED = new Set([
  'evidences',
  'mitigatedIndicators',
  'mitigatingIndicators',
  'additionalFile.metadata',
  'paths',
]);

/** `withoutEmpty` at every level, for what other services sent. */
export const withoutEmptyThroughout = <T>(value: T, within = ''): T => {
  if (Array.isArray(value)) return value.map((item) => withoutEmptyThroughout(item, within)) as T;
  if (value === null || typeof value !== 'object') return value;
  const fields = Object.entries(value)
    .map(([key, inner]): [string, unknown] => [key, withoutEmptyThroughout(inner, key)])
    .filter(([key, inner]) => !isEmpty(inner) || REQUIRED.has(key) || REQUIRED.has(`${within}.${key}`));
  return Object.fromEntries(fields) as T;
};
