import { INDICATOR_NAMES, INDICATOR_STATUSES } from '@assay/contracts';
import { fits } from './patterns.ts';
import type { Condition, KindRules, Policy } from './schema.ts';

/** A pattern of a policy, and where it stands. */
type Placed = readonly [place: string, pattern: string];

const listed = (place: string, patterns: readonly string[] = []): Placed[] =>
  patterns.map((pattern, at) => [`${place}[${at}]`, pattern]);

const groups = (place: string, all: readonly (readonly string[])[] = []): Placed[] =>
  all.flatMap((patterns, at) => listed(`${place}[${at}]`, patterns));

const ofCondition = (place: string, { all, anyOf, none }: Condition): Placed[] => [
  ...listed(`${place}.all`, all),
  ...groups(`${place}.anyOf`, anyOf),
  ...listed(`${place}.none`, none),
];

const ofKind = (place: string, { mandatory, blocking, mitigations, scores, adjudicable }: KindRules): Placed[] => [
  ...mandatory.flatMap(({ anyOf }, at) => listed(`${place}.mandatory[${at}].anyOf`, anyOf)),
  ...blocking.flatMap(({ indicator, softenedBy }, at): Placed[] => [
    [`${place}.blocking[${at}].indicator`, indicator],
    ...listed(`${place}.blocking[${at}].softenedBy`, softenedBy),
  ]),
  ...mitigations.flatMap(({ mitigated, mitigating }, at) => [
    ...groups(`${place}.mitigations[${at}].mitigated`, mitigated),
    ...listed(`${place}.mitigations[${at}].mitigating`, mitigating),
  ]),
  ...scores.flatMap(({ when }, at) => ofCondition(`${place}.scores[${at}].when`, when)),
  ...adjudicable.flatMap(({ when }, at) => ofCondition(`${place}.adjudicable[${at}].when`, when)),
];

const KNOWN: ReadonlySet<string> = new Set(
  Object.values(INDICATOR_NAMES)
    .flat()
    .flatMap((name) => INDICATOR_STATUSES.map((status) => `${name}_${status}`)),
);
const isNamed = (pattern: string): boolean =>
  KNOWN.has(pattern) || [...KNOWN].some((indicator) => fits(pattern, indicator));

/**
 * The patterns of a policy that no indicator fits, and where they stand: a misspelt one would never
 * block, and a misspelt check would never be passed.
 */
export const unknownIndicators = ({ kinds }: Policy): string[] => {
  const placed = Object.entries(kinds).flatMap(([kind, rules]) => ofKind(`kinds.${kind}`, rules));
  return placed.filter(([, pattern]) => !isNamed(pattern)).map(([place]) => place);
};
