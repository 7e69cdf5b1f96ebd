import { type Condition, fitting, type Mitigation } from '@assay/policy';

export const raisedOf = (patterns: readonly string[], raised: readonly string[]): string[] => {
  const named = patterns.map(fitting);
  return raised.filter((indicator) => named.some((isNamed) => isNamed(indicator)));
};

const some = (patterns: readonly string[], raised: readonly string[]): boolean =>
  patterns.some((pattern) => raised.some(fitting(pattern)));

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
