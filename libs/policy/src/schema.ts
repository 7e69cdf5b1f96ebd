import {
  CONSENT_TYPES,
  ERRORS,
  type ErrorName,
  EVIDENCE_TYPES,
  Exact,
  LEVELS_OF_ASSURANCE,
  OneOf,
  PARTICIPANT_TYPES,
  TRUST_LEVELS,
} from '@assay/contracts';
import { type Static, Type } from 'typebox';

const opt = Type.Optional;

/**
 * An indicator as it is on the wire, or a family of them with `*` (`OCR_*_FAILED`). The longest
 * indicator has 64 characters.
 */
const Pattern = Type.String({ pattern: '^[A-Z0-9*]+(_[A-Z0-9*]+)*$', maxLength: 128 });
// Bounds far above what a framework needs: whoever brings a policy has it evaluated at once.
const MOST_PATTERNS = 200;
const MOST_RULES = 200;
const MOST_PROFILES = 100;
const MOST_MINIMA = 6;
const Patterns = Type.Array(Pattern, { minItems: 1, maxItems: MOST_PATTERNS });
const RuleName = Type.String({ pattern: '^[A-Z0-9][A-Z0-9_]*$' });
const Level = OneOf(TRUST_LEVELS);

/** The kinds of evidence that are evaluated alike, whatever their type. */
export const EVIDENCE_KINDS = [
  'documentImage',
  'documentChip',
  'documentText',
  'healthCard',
  'portrait',
  'portraitReference',
  'attributes',
  'address',
  'contact',
] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/**
 * Holds when all of `all`, at least one of each group of `anyOf`, and none of `none` was raised
 * (what is mitigated does not count as raised in `none`).
 */
const ConditionSchema = Exact({
  all: opt(Patterns),
  anyOf: opt(Type.Array(Patterns, { minItems: 1, maxItems: MOST_RULES })),
  none: opt(Patterns),
});
export type Condition = Static<typeof ConditionSchema>;

/**
 * One check that must have been passed for the evidence to be VERIFIED; any of the indicators shows
 * that it was.
 */
const MandatorySchema = Exact({ rule: RuleName, anyOf: Patterns });

/**
 * An indicator that keeps the evidence from being VERIFIED. `outcome` is the status it leads to,
 * `error` the error reported with it. `unlessSetting` names the tenant's switch that takes it off.
 * Where one of `softenedBy` was raised too, the check was made on too poor a picture and the
 * outcome is NOT_VERIFIED.
 */
const BlockingSchema = Exact({
  indicator: Pattern,
  outcome: OneOf(['INVALID', 'NOT_VERIFIED']),
  error: opt(OneOf(Object.keys(ERRORS) as ErrorName[])),
  unlessSetting: opt(OneOf(['acceptSpecimens'])),
  softenedBy: opt(Patterns),
});
export type BlockingRule = Static<typeof BlockingSchema>;

/** Each set of `mitigated` loses its effect when all of `mitigating` were raised. */
const MitigationSchema = Exact({
  mitigated: Type.Array(Patterns, { minItems: 1, maxItems: MOST_RULES }),
  mitigating: Patterns,
});
export type Mitigation = Static<typeof MitigationSchema>;

/** REFERENCE is the score of the evidence that the portrait was compared with. */
const ScoreRuleSchema = Exact({
  rule: RuleName,
  score: Type.Union([Level, Type.Literal('REFERENCE')]),
  when: ConditionSchema,
});

const AdjudicableSchema = Exact({ rule: RuleName, when: ConditionSchema });

/** How evidence of one kind is evaluated. */
export const KindRulesSchema = Exact({
  /**
   * REQUIRED: without this consent in force the evidence is not VERIFIED. NOT_REFUSED: only a
   * refusal or withdrawal stops it.
   */
  consent: opt(Exact({ type: OneOf(CONSENT_TYPES), need: OneOf(['REQUIRED', 'NOT_REFUSED']) })),
  /** Highest level the evidence can reach, by type; `*` stands for every other type. */
  strength: Type.Record(Type.String({ pattern: `^(\\*|${EVIDENCE_TYPES.join('|')})$` }), Level),
  /** When one of these participants rejects, no further verification runs, only the evaluation. */
  blockingParticipants: Type.Array(OneOf(PARTICIPANT_TYPES), { maxItems: PARTICIPANT_TYPES.length }),
  mandatory: Type.Array(MandatorySchema, { maxItems: MOST_RULES }),
  blocking: Type.Array(BlockingSchema, { maxItems: MOST_RULES }),
  mitigations: Type.Array(MitigationSchema, { maxItems: MOST_RULES }),
  /** In order: the first that holds gives the score. None holds: NOT_VERIFIED. */
  scores: Type.Array(ScoreRuleSchema, { minItems: 1, maxItems: MOST_RULES }),
  /** What an operator may decide when it would end NOT_VERIFIED otherwise. */
  adjudicable: Type.Array(AdjudicableSchema, { maxItems: MOST_RULES }),
  /** Whether evidence of this kind is assigned to the profiles' minima. */
  counts: Type.Boolean(),
});
export type KindRules = Static<typeof KindRulesSchema>;

const Minimum = Type.Integer({ minimum: 0, maximum: 5 });

/**
 * Minima of one evidence; `ownership` 1 asks that a verified portrait matches this very document.
 */
const EvidenceMinimaSchema = Exact({ score: opt(Minimum), strength: opt(Minimum), ownership: opt(Minimum) });
export type EvidenceMinima = Static<typeof EvidenceMinimaSchema>;

/**
 * A way to reach a level of assurance: evidence assigned one-to-one to the minima, a portrait of at
 * least this score, and what else the framework asks of the person (activity history, fraud checks
 * ...), each at least so high.
 */
const ProfileSchema = Exact({
  level: OneOf(LEVELS_OF_ASSURANCE),
  name: Type.String(),
  evidence: Type.Array(EvidenceMinimaSchema, { maxItems: MOST_MINIMA }),
  portrait: opt(Minimum),
  person: opt(Type.Record(Type.String(), Minimum)),
});
export type Profile = Static<typeof ProfileSchema>;

export const CONSISTENCY_ATTRIBUTES = ['surname', 'givenNames', 'dateOfBirth'] as const;

export const PolicySchema = Exact(
  {
    $schema: opt(Type.String()),
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$', maxLength: 64 }),
    version: Type.String({ pattern: '^\\d+\\.\\d+$' }),
    description: Type.String({ minLength: 1 }),
    /** Where the rules come from, and what was decided where the source leaves something open. */
    sources: Type.Array(Type.String(), { minItems: 1 }),
    kinds: Exact(
      Object.fromEntries(EVIDENCE_KINDS.map((kind) => [kind, KindRulesSchema])) as Record<
        EvidenceKind,
        typeof KindRulesSchema
      >,
    ),
    /**
     * What a further document must share with the name reference to count; unknown is not shared.
     */
    consistency: Exact({
      attributes: Type.Array(OneOf(CONSISTENCY_ATTRIBUTES), { minItems: 1 }),
      /** Of several evidences of one type only the best counts. */
      oneOfEachType: Type.Boolean(),
    }),
    /**
     * Distances of two faces: at most `match` is one person; between `refuse` and that an operator
     * decides; below `samePhoto` it is the same photograph.
     */
    faces: Exact({
      match: Type.Number({ minimum: 0, maximum: 2 }),
      matchWithoutReview: Type.Number({ minimum: 0, maximum: 2 }),
      refuse: Type.Number({ minimum: 0, maximum: 2 }),
      samePhoto: Type.Number({ minimum: 0, maximum: 2 }),
    }),
    profiles: Type.Array(ProfileSchema, { minItems: 1, maxItems: MOST_PROFILES }),
  },
  { title: 'Assay evaluation policy' },
);
export type Policy = Static<typeof PolicySchema>;
