import type { Policy, Profile } from '@assay/policy';

/** The best that one evidence, and one portrait, can have under a policy. */
interface Reach {
  evidence: { strength: number; score: number }[];
  portrait: number;
}

const numberOf = (level: string): number => Number(level.slice(-1));

const best = (levels: readonly number[]): number => Math.max(0, ...levels);

/** `canCome` says whether an indicator is ever raised: rules that rest on others give nothing. */
export const reachOf = ({ kinds }: Policy, canCome: (pattern: string) => boolean): Reach => {
  const ways = Object.entries(kinds)
    .filter(([kind, { counts }]) => counts && kind !== 'portrait')
    .flatMap(([, { strength, scores, mandatory }]) => {
      if (!mandatory.every(({ anyOf }) => anyOf.some(canCome))) return [];
      const possible = scores.filter(
        ({ when }) => (when.all ?? []).every(canCome) && (when.anyOf ?? []).every((group) => group.some(canCome)),
      );
      const score = best(possible.map((rule) => numberOf(rule.score)));
      return Object.values(strength).map((level) => ({
        strength: numberOf(level),
        score: Math.min(score, numberOf(level)),
      }));
    });
  const portraits = kinds.portrait.scores.filter(({ when }) => (when.all ?? []).every(canCome));
  const scores = portraits.map(({ score }) =>
    score === 'REFERENCE' ? best(ways.map((way) => way.score)) : numberOf(score),
  );
  return { evidence: ways, portrait: best(scores) };
};

/** What would be needed for a profile beyond what can come; empty where it can be met. */
export const lacking = ({ evidence, portrait = 0, person = {} }: Profile, reach: Reach): string[] => {
  const beyond = evidence.filter(
    ({ strength = 0, score = 0 }) => !reach.evidence.some((way) => way.strength >= strength && way.score >= score),
  );
  const pieces = beyond.map(({ strength, score }) =>
    [strength === undefined ? '' : `strength ${strength}`, score === undefined ? '' : `score ${score}`]
      .filter(Boolean)
      .join(' and '),
  );
  return [
    ...Object.entries(person).map(([what, level]) => `a source that answers about ${what} (${level})`),
    ...(portrait > reach.portrait ? [`a portrait of ${portrait}: a liveness check`] : []),
    ...[...new Set(pieces)].map((piece) => `evidence of ${piece}, beyond chip and issuing source`),
  ];
};
