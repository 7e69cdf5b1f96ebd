const INDICATOR = /^[A-Z0-9_]+$/;

/**
 * Whether the text consists of the parts in this order, with at least one character between two
 * parts; it starts with the first and ends with the last. Not a regular expression, because a
 * policy may come from anybody: one with many stars would try every way to match.
 */
const matchesInOrder = ([first = '', ...others]: readonly string[], text: string): boolean => {
  const last = others.pop() ?? '';
  let at = text.startsWith(first) ? first.length : -1;
  for (const part of others) {
    const found = at < 0 || at >= text.length ? -1 : text.indexOf(part, at + 1);
    at = found < 0 ? -1 : found + part.length;
  }
  return at >= 0 && text.endsWith(last) && text.length - last.length > at;
};

/** Whether an indicator is the named one, or matches the pattern (`OCR_*_FAILED`). */
export const fitting = (pattern: string): ((indicator: string) => boolean) => {
  if (!pattern.includes('*')) return (indicator) => indicator === pattern;
  const parts = pattern.split('*');
  return (indicator) => INDICATOR.test(indicator) && matchesInOrder(parts, indicator);
};

/** True if an indicator is the named one, or matches the pattern. */
export const fits = (pattern: string, indicator: string): boolean => fitting(pattern)(indicator);
