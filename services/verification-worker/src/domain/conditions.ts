import type { Condition, Mitigation } from '@assay/policy';

const INDICATOR = /^[A-Z0-9_]+$/;

/**
 * Whether the parts stand in the text in their order, each with something before it; the first
 * begins it and the last ends it. A policy may be a stranger's: a regular expression of many stars
 * tries every way to spread them.
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

/** True when an indicator is the one named, or of the family (`OCR_*_FAILED`). */
export const fits = (pattern: string, indicator: string): boolean =>
  pattern.includes('*')
    ? INDICATOR.test(indicator) && matchesInOrder(pattern.split('*'), indicator)
    : pattern === indicator;

export const raisedOf = (patterns: readonly string[], raised: readonly string[]): string[] =>
  raised.filter((indicator) => patterns.some((pattern) => fits(pattern, indicator)));

const some = (patterns: readonly string[], raised: readonly string[]): boolean =>
  patterns.some((pattern) => raised.some((indicator) => fits(pattern, indicator)));

/** `effective` is what was raised without what is mitigated. */
export const holds = (condition: Condition, raised: readonly string[], effective: readonly string[]): boolean =>
  (condition.all ?? []).every((pattern) => some([pattern], raised)) &&
  (condition.anyOf ?? []).every((group) => some(group, raised)) &&
  !some(condition.none ?? [], effective);

/** A mitigation as StatusAndScoring shows it: the sets it took the effect from, and what did it. */
export interface AppliedMitigation {
  mitigatedIndicators: string[][];
  mitigatingIndicators: string[];
}

/**
 * The mitigations that take effect: all mitigating indicators raised, and at least one of the
 * mitigated sets.
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
