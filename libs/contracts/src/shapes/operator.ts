import { type Static, Type } from 'typebox';
import { OPERATOR_REASONS } from '../indicators.ts';
import { EVIDENCE_STATUSES } from '../vocabulary.ts';
import { OneOf } from './building-blocks.ts';

/** The states of an adjudication case. */
export const CASE_STATES = ['OPEN', 'CLAIMED', 'DECIDED'] as const;
export type CaseState = (typeof CASE_STATES)[number];

/** The fields of a document whose print is compared with its machine-readable part. */
export const PLACED_FIELDS = [
  'surname',
  'givenNames',
  'idDocumentNumber',
  'dateOfBirth',
  'expiryDate',
  'issuingDate',
  'gender',
] as const;
export type PlacedFieldName = (typeof PLACED_FIELDS)[number];

/** What an operator can decide. */
export const OPERATOR_DECISIONS = ['ACCEPT', 'REJECT'] as const;
export type DecisionValue = (typeof OPERATOR_DECISIONS)[number];

/** Why an evidence no longer waits for an operator. */
export const CASE_WITHDRAWALS = ['CONSENT_WITHDRAWN', 'REFERENCE_CHANGED', 'EVALUATED_OTHERWISE'] as const;
export type CaseWithdrawal = (typeof CASE_WITHDRAWALS)[number];

/** Why a case ended before anybody decided. */
export const CASE_CLOSINGS = [...CASE_WITHDRAWALS, 'EVIDENCE_DELETED', 'IDENTITY_FAILED', 'IDENTITY_CLOSED'] as const;
export type CaseClosing = (typeof CASE_CLOSINGS)[number];

const decisionMade = {
  operatorId: Type.String({ description: 'a person where one is known, else a key' }),
  operatorName: Type.Optional(Type.String()),
  decision: OneOf(OPERATOR_DECISIONS),
  reasons: Type.Array(Type.String()),
  at: Type.String(),
};
const summary = {
  caseId: Type.String(),
  identityId: Type.String(),
  evidenceId: Type.String(),
  type: Type.String(),
  state: OneOf(CASE_STATES),
  requestedAt: Type.String(),
  expiresAt: Type.String(),
  claimedBy: Type.Optional(Type.String()),
  claimedByName: Type.Optional(Type.String()),
  claimedUntil: Type.Optional(
    Type.String({
      description: 'from then on another operator may claim the case; claiming it again renews the claim',
    }),
  ),
  fourEyes: Type.Boolean(),
  decisions: Type.Array(Type.Object(decisionMade)),
  reasons: Type.Array(Type.String({ description: 'why the case came to operators' })),
  decision: Type.Optional(
    Type.String({ description: 'ACCEPT, REJECT, EXPIRED, or CLOSED when the question ended first' }),
  ),
  closedBecause: Type.Optional(
    Type.Enum([...CASE_CLOSINGS], { description: 'why the question ended; with the decision CLOSED' }),
  ),
};

/** A case as the queue lists it. */
export const CaseSummarySchema = Type.Object(summary);
export type CaseSummary = Static<typeof CaseSummarySchema>;

/** A chip of the identity, shown beside the evidence to decide. */
export const ChipFoundSchema = Type.Object({
  evidenceId: Type.String(),
  status: OneOf(EVIDENCE_STATUSES),
  raisedIndicators: Type.Array(Type.String()),
});
export type ChipFound = Static<typeof ChipFoundSchema>;

/**
 * The measured distance between a selfie and its reference, and its meaning under the policy: up to
 * `match` the same person, above `refuse` different people, below `samePhoto` the same photograph.
 */
export const SimilaritySchema = Type.Object({
  distance: Type.Number(),
  samePhoto: Type.Number(),
  match: Type.Number(),
  refuse: Type.Number(),
});
export type Similarity = Static<typeof SimilaritySchema>;

const share = Type.Number({ minimum: 0, maximum: 1 });
/**
 * Where a field is printed with another value than in the document's machine-readable part, in
 * shares of the image (upright by EXIF).
 */
export const FieldPlaceSchema = Type.Object({
  field: OneOf(PLACED_FIELDS),
  side: OneOf(['FRONT', 'BACK']),
  printed: Type.String({ description: 'what was read there' }),
  left: share,
  top: share,
  width: share,
  height: share,
});
export type FieldPlace = Static<typeof FieldPlaceSchema>;
export const FieldPlacesSchema = Type.Array(FieldPlaceSchema);

/** A case with its readings and indicators. */
export const CaseViewSchema = Type.Object({
  ...summary,
  businessId: Type.Optional(Type.String({ description: 'what the relying service calls the person' })),
  decisions: Type.Array(
    Type.Object({
      ...decisionMade,
      comment: Type.Optional(Type.String({ description: 'gone once the identity is closed' })),
    }),
  ),
  submitDateTime: Type.String(),
  raisedIndicators: Type.Array(Type.String()),
  fields: Type.Record(Type.String(), Type.Unknown()),
  places: Type.Optional(
    Type.Array(FieldPlaceSchema, { description: 'where print differs from the machine-readable part, as far as read' }),
  ),
  media: Type.Array(Type.Object({ mediaId: Type.String(), label: Type.String() })),
  similarity: Type.Optional(SimilaritySchema),
  chips: Type.Optional(
    Type.Array(ChipFoundSchema, { description: 'chips of the identity, as they were when the case began' }),
  ),
});
export type CaseView = Static<typeof CaseViewSchema>;

/** How the cases of one day (UTC) ended. */
export const CaseDaySchema = Type.Object({
  date: Type.String(),
  opened: Type.Integer(),
  accepted: Type.Integer(),
  rejected: Type.Integer(),
  /** No operator decided in time, or the identity was closed. */
  undecided: Type.Integer(),
  /** The time from the beginning of a case to its decision. */
  medianWaitSeconds: Type.Optional(Type.Number()),
});
export type CaseDay = Static<typeof CaseDaySchema>;

/** How the cases of one day (UTC) ended that were opened for one reason. */
export const CaseReasonDaySchema = Type.Object({
  date: Type.String(),
  reason: Type.String({ description: 'why the cases came to operators' }),
  opened: Type.Integer(),
  accepted: Type.Integer(),
  rejected: Type.Integer(),
  undecided: Type.Integer(),
});
export type CaseReasonDay = Static<typeof CaseReasonDaySchema>;

/** What one operator decided on one day (UTC). */
export const CaseOperatorDaySchema = Type.Object({
  date: Type.String(),
  operatorId: Type.String(),
  operatorName: Type.Optional(Type.String()),
  accepted: Type.Integer(),
  rejected: Type.Integer(),
  medianDecisionSeconds: Type.Number({ description: 'from claim to decision' }),
});
export type CaseOperatorDay = Static<typeof CaseOperatorDaySchema>;

/** Counts of a tenant's cases. */
export const CaseStatisticsSchema = Type.Object({
  open: Type.Integer(),
  claimed: Type.Integer(),
  decided: Type.Integer(),
  accepted: Type.Integer(),
  rejected: Type.Integer(),
  medianDecisionSeconds: Type.Optional(Type.Number()),
  days: Type.Array(CaseDaySchema, { description: 'the last 30, oldest first' }),
  reasons: Type.Array(CaseReasonDaySchema, { description: 'in the same days, where there were cases' }),
  operators: Type.Array(CaseOperatorDaySchema, { description: 'in the same days, who decided' }),
});
export type CaseStatistics = Static<typeof CaseStatisticsSchema>;

/** What an operator sends to decide a case. */
export const CaseDecisionSchema = Type.Object({
  decision: OneOf(OPERATOR_DECISIONS),
  reasons: Type.Optional(Type.Array(OneOf(OPERATOR_REASONS), { maxItems: 20, description: 'a rejection has one' })),
  comment: Type.Optional(Type.String({ maxLength: 1000, format: 'lines' })),
});
export type CaseDecision = Static<typeof CaseDecisionSchema>;

/** The session of a person who signed in to a page. */
export const StaffSessionShape = Type.Object({
  expireAt: Type.String({ description: 'its end, whatever it is used for' }),
  idleSeconds: Type.Integer({ description: 'after so long without an act of the person it ends' }),
});

/** Who calls the operator API. */
export const OperatorSchema = Type.Object({
  operatorId: Type.String(),
  name: Type.Optional(Type.String()),
  session: Type.Optional(StaffSessionShape),
  adjudicationEnabled: Type.Boolean({ description: 'whether cases come to the operators of this tenant at all' }),
});
export type Operator = Static<typeof OperatorSchema>;
