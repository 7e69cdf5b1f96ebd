import type { Policy } from '@assay/policy';
import { LONGEST } from './candidate-paths.ts';
import type { Position } from './upgrade-paths.ts';

/**
 * How many evidences of the same kind, type and levels can matter: one for each minimum of a
 * profile, and one for each step of a path, which may be of the same document.
 */
const mostAlike = ({ profiles }: Policy): number =>
  LONGEST + Math.max(0, ...profiles.map(({ evidence }) => evidence.length));

/**
 * The same position with no more of evidences that are alike than can matter: the upgrade paths are
 * the same. Finding them takes a time that grows with the square of the evidence, and an identity
 * may have a hundred.
 */
export const condensed = (policy: Policy, position: Position): Position => {
  const { counted, scores, reference } = position;
  const most = mostAlike(policy);
  const alike = new Map<string, number>();
  const places = counted.flatMap((item, at) => {
    const key = JSON.stringify([item, scores.evidence[at]]);
    const number = (alike.get(key) ?? 0) + 1;
    alike.set(key, number);
    return number <= most || at === reference?.at ? [at] : [];
  });
  return {
    ...position,
    scores: { ...scores, evidence: places.map((at) => scores.evidence[at]!) },
    counted: places.map((at) => counted[at]!),
    ...(reference?.at === undefined ? {} : { reference: { ...reference, at: places.indexOf(reference.at) } }),
  };
};
