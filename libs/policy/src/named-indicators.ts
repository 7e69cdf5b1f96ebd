import { INDICATOR_NAMES, INDICATOR_STATUSES } from '@assay/contracts';
import { fitting } from './patterns.ts';
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

const KNOWN: readonly string[] = Object.values(INDICATOR_NAMES)
  .flat()
  .flatMap((name) => INDICATOR_STATUSES.map((status) => `${name}_${status}`));

/** Shipped policies have not a tenth. Each is compared with every indicator that there is. */
const MOST_NAMED = 5000;

/**
 * What is wrong with the patterns of a policy: there are too many, or no indicator fits one. A
 * misspelt one would never block, and a misspelt check would never be passed.
 */
export const faultsOfPatterns = ({ kinds }: Policy): string[] => {
  const placed = Object.entries(kinds).flatMap(([kind, rules]) => ofKind(`kinds.${kind}`, rules));
  if (placed.length > MOST_NAMED) return [`kinds has more than ${MOST_NAMED} names and patterns of indicators`];
  return placed
    .filter(([, pattern]) => !KNOWN.some(fitting(pattern)))
    .map(([place]) => `${place} names no indicator that there is`);
};
