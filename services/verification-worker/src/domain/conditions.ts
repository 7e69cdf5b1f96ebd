import type { Condition, Mitigation } from '@assay/policy';

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

/** True if an indicator is the named one, or matches the pattern (`OCR_*_FAILED`). */
export const fits = (pattern: string, indicator: string): boolean =>
  pattern.includes('*')
    ? INDICATOR.test(indicator) && matchesInOrder(pattern.split('*'), indicator)
    : pattern === indicator;

export const raisedOf = (patterns: readonly string[], raised: readonly string[]): string[] =>
  raised.filter((indicator) => patterns.some((pattern) => fits(pattern, indicator)));

const some = (patterns: readonly string[], raised: readonly string[]): boolean =>
  patterns.some((pattern) => raised.some((indicator) => fits(pattern, indicator)));

/** `effective`: the raised indicators without those that are mitigated. */
export const holds = (condition: Condition, raised: readonly string[], effective: readonly string[]): boolean =>
  (condition.all ?? []).every((pattern) => some([pattern], raised)) &&
  (condition.anyOf ?? []).every((group) => some(group, raised)) &&
  !some(condition.none ?? [], effective);

/**
 * A mitigation as StatusAndScoring shows it: the indicator sets that lose their effect, and the
 * indicators that cause it.
 */
export interface AppliedMitigation {
  mitigatedIndicators: string[][];
  mitigatingIndicators: string[];
}

/**
 * The mitigations in effect: all of their mitigating indicators were raised, and at least one of
 * the mitigated sets.
 */
export const mitigationsOf = (rules: readonly Mitigation[], raised: readonly string[]): AppliedMitigation[] =>
  rules
    .filter(({ mitigating }) => mitigating.every((pattern) => some([pattern], raised)))
    .map(({ mitigated, mitigating }) => ({
      mitigatedIndicators: mitigated
        .filter((set) => set.every((pattern) => some([pattern], raised)))
        .map((set) => raisedOf(set, raised)),
      mitigatingIndicators: raisedOf(mitigating, raised),
    }))
    .filter(({ mitigatedIndicators }) => mitigatedIndicators.length > 0);
