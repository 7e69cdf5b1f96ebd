import { EVIDENCE_TYPES, Exact, OneOf } from '@assay/contracts';
import { type Static, Type } from 'typebox';

/**
 * How a document reached us: by its images, as text (endpoint 4), or as a health-card record
 * (endpoint 5).
 */
const MODES = ['IMAGE', 'TEXT', 'HEALTH_CARD'] as const;
const USER_CATEGORIES = ['COMMERCIAL', 'GOVERNMENT'] as const;

/** Everything a question to a source can hold, flat: what mapping files and field rules name. */
const QUESTION_FIELDS = [
  'number',
  'cardNumber',
  'cardType',
  'individualReference',
  'issuingDate',
  'expiryDate',
  'dateOfBirth',
  'givenName',
  'middleName',
  'surname',
  'suffix',
  'fullName',
  'fullName2',
  'fullName3',
  'fullName4',
  'gender',
  'height',
  'eyeColor',
  'passportCountry',
  'street1',
  'street2',
  'city',
  'state',
  'postcode',
] as const;
export type QuestionField = (typeof QUESTION_FIELDS)[number];

/**
 * The rule of a source for one field. REQUIRED: without it no question is sent. EXPECTED: without
 * it the question is sent with a warning. A value that does not match `pattern` is sent with a
 * warning: the source decides.
 */
const FieldRuleSchema = Exact({
  need: Type.Optional(OneOf(['REQUIRED', 'EXPECTED', 'OPTIONAL'])),
  pattern: Type.Optional(Type.String()),
});

const FieldRulesSchema = Type.Partial(
  Exact(
    Object.fromEntries(QUESTION_FIELDS.map((name) => [name, FieldRuleSchema])) as Record<
      QuestionField,
      typeof FieldRuleSchema
    >,
  ),
);
export type FieldRules = Static<typeof FieldRulesSchema>;

const JurisdictionRuleSchema = Exact({
  /** Only these users may ask; absent: everybody. */
  userCategories: Type.Optional(Type.Array(OneOf(USER_CATEGORIES))),
  /**
   * The jurisdiction answers for some of its cards only: the question is put, with
   * GIV_ELIGIBILITY_WARNING.
   */
  someCardsOnly: Type.Optional(Type.Boolean()),
  fields: Type.Optional(FieldRulesSchema),
});
export type JurisdictionRule = Static<typeof JurisdictionRuleSchema>;

const DocumentRuleSchema = Exact({
  type: OneOf(EVIDENCE_TYPES),
  modes: Type.Array(OneOf(MODES), { minItems: 1 }),
  fields: FieldRulesSchema,
  /** Present where the issuer is a state or territory: only these are covered. */
  jurisdictions: Type.Optional(Type.Record(Type.String(), JurisdictionRuleSchema)),
});
export type DocumentRule = Static<typeof DocumentRuleSchema>;

/**
 * A time at which a source does not answer. `weekdays` 0 is Sunday; `nth` which of the month's such
 * weekdays; `months` from 1.
 */
const WindowSchema = Exact({
  jurisdictions: Type.Optional(Type.Array(Type.String())),
  timeZone: Type.String(),
  weekdays: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 6 }))),
  nth: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 5 }))),
  months: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 12 }))),
  from: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }),
  minutes: Type.Integer({ minimum: 1, maximum: 1440 }),
});
export type MaintenanceWindow = Static<typeof WindowSchema>;

const LimitsSchema = Exact({
  /** Questions in flight at once, for each jurisdiction and for the whole source. */
  concurrent: Type.Integer({ minimum: 1 }),
  concurrentTotal: Type.Integer({ minimum: 1 }),
  /** Questions a second, for each jurisdiction. */
  perSecond: Type.Number({ exclusiveMinimum: 0 }),
});
export type Limits = Static<typeof LimitsSchema>;

/** How the values of a document are written for a source. */
const NORMALISATIONS = ['DVS', 'AAMVA', 'FOLDED', 'AS_SUBMITTED'] as const;
export type Normalisation = (typeof NORMALISATIONS)[number];

/**
 * One issuing source as data: what it covers, the fields it needs, its maintenance and its limits.
 */
export const sourceFields = {
  name: Type.String({ pattern: '^[A-Z][A-Z0-9_]{1,31}$' }),
  version: Type.String({ minLength: 1, maxLength: 32 }),
  country: Type.String({ pattern: '^[A-Z]{3}$' }),
  normalisation: OneOf(NORMALISATIONS),
  documents: Type.Array(DocumentRuleSchema, { minItems: 1 }),
  windows: Type.Array(WindowSchema),
  limits: LimitsSchema,
};
const SourceSchema = Exact(sourceFields);
export type Source = Static<typeof SourceSchema>;
