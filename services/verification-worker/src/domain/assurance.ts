import { LEVELS_OF_ASSURANCE, type LevelOfAssurance } from '@assay/contracts';
import type { EvidenceMinima, Policy, Profile } from '@assay/policy';

/**
 * What one counted evidence contributes: its levels as numbers, and 1 if a verified portrait
 * matches it.
 */
export interface Measures {
  score: number;
  strength: number;
  ownership: number;
}

/**
 * Everything that a level of assurance depends on. `person` holds what a framework asks for beside
 * evidence (activity, fraud and so on); 0 if nothing was checked.
 */
export interface AssuranceScores {
  evidence: Measures[];
  portrait: number;
  person?: Readonly<Record<string, number>>;
}

const meets = (measures: Measures, { score = 0, strength = 0, ownership = 0 }: EvidenceMinima): boolean =>
  measures.score >= score && measures.strength >= strength && measures.ownership >= ownership;

/**
 * True if each minimum can be given an evidence of its own. A minimum that finds none free takes
 * over the evidence of another minimum which can use a different one (augmenting paths). Trying
 * every order would take too long for an arbitrary policy.
 */
const assignable = (minima: readonly EvidenceMinima[], evidence: readonly Measures[]): boolean => {
  const givenTo = new Map<number, EvidenceMinima>();
  const give = (minimum: EvidenceMinima, tried: Set<number>): boolean =>
    evidence.some((one, at) => {
      if (tried.has(at) || !meets(one, minimum)) return false;
      tried.add(at);
      const holder = givenTo.get(at);
      if (holder && !give(holder, tried)) return false;
      givenTo.set(at, minimum);
      return true;
    });
  return minima.every((minimum) => give(minimum, new Set()));
};

/**
 * A profile is met if evidence can be assigned one-to-one to its minima, and the portrait and the
 * person reach theirs.
 */
export const isMet = (profile: Profile, { evidence, portrait, person = {} }: AssuranceScores): boolean =>
  portrait >= (profile.portrait ?? 0) &&
  Object.entries(profile.person ?? {}).every(([what, least]) => (person[what] ?? 0) >= least) &&
  evidence.length >= profile.evidence.length &&
  assignable(profile.evidence, evidence);

export const rankOf = (level: LevelOfAssurance): number => LEVELS_OF_ASSURANCE.indexOf(level);

/**
 * The highest level with a profile that is met, and the first such profile. LOA0 if there is none.
 */
export const assuranceOf = (
  { profiles }: Pick<Policy, 'profiles'>,
  scores: AssuranceScores,
): { level: LevelOfAssurance; profile?: Profile } => {
  let best: { level: LevelOfAssurance; profile?: Profile } = { level: 'LOA0' };
  for (const profile of profiles)
    if (rankOf(profile.level) > rankOf(best.level) && isMet(profile, scores)) best = { level: profile.level, profile };
  return best;
};
