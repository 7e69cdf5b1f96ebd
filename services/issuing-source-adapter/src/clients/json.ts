/** A text of JSON that is the name of a member, or is none. */
const TEXTS = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/**
 * A reply in JSON; undefined if it is none, or if an object names a member twice: readers disagree
 * on which of the two counts, so neither is an answer.
 */
export const readJson = (text: string): unknown => {
  try {
    let members = 0;
    const value: unknown = JSON.parse(text, (_name, inner: unknown) => {
      if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) members += Object.keys(inner).length;
      return inner;
    });
    const named = [...text.matchAll(TEXTS)].filter(([, colon]) => colon !== undefined);
    return named.length === members ? value : undefined;
  } catch {
    return undefined;
  }
};
