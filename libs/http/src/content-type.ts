/** `; name=value`, the value plain or in quotes (RFC 9110, 5.6.6). */
const PARAMETER = /;\s*([^\s;="]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"][^\s;]*)?)/g;

/**
 * A parameter of a content type; undefined where it has none of this name, or an empty one. What
 * stands within the quotes of another parameter is none.
 */
export const parameterIn = (type: string, name: string): string | undefined => {
  for (const [, each = '', quoted, plain] of type.matchAll(PARAMETER))
    if (each.toLowerCase() === name) return quoted?.replace(/\\(.)/g, '$1') || plain || undefined;
  return undefined;
};

/** The boundary that a content type names, if it names one. */
export const boundaryIn = (type: string): string | undefined => parameterIn(type, 'boundary');

/** The content type of a form with this boundary, whatever characters that has. */
export const formTypeWith = (boundary: string): string =>
  `multipart/form-data; boundary="${boundary.replace(/["\\]/g, '\\$&')}"`;
