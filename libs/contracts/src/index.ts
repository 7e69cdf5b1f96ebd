/**
 * What services say to each other and to clients: vocabulary, indicators, errors, shapes, events.
 * The only door of this lib.
 */

export { AUDIT_ACTS, type AuditAct } from './audit-acts.ts';
export { type ConsentFacts, decisiveConsents } from './consent-facts.ts';
export { ISO_COUNTRIES, isCountryCode } from './countries.ts';
export {
  beginsAt,
  endsAt,
  formatDateTime,
  formatTimestamp,
  hasBegun,
  instantOf,
  isCalendarDate,
  isOver,
  isPast,
  parseDateTime,
  pastFrom,
  type Today,
  todayAt,
} from './dates.ts';
export { brokerAddressesOf, mongoAddressOf } from './doctor/addresses.ts';
export {
  CHECKS,
  type CheckName,
  type DoctorReply,
  DoctorReplySchema,
  type Finding,
  type FindingStatus,
  type ServiceFindings,
  ServiceFindingsSchema,
} from './doctor/checks.ts';
export { type Environment, environmentFindings, environmentOf } from './doctor/environment.ts';
export {
  type DataOf,
  type Envelope,
  type EventType,
  eventType,
} from './envelope.ts';
export { ERRORS, type ErrorName, type ErrorObject, errorObject } from './errors.ts';
export {
  adjudicationDecided,
  adjudicationRequested,
  adjudicationWaiting,
  adjudicationWithdrawn,
} from './events/adjudication.ts';
export { consentsChanged } from './events/consents-changed.ts';
export { evaluationPublished } from './events/evaluation-published.ts';
export { evidenceDeleted } from './events/evidence-deleted.ts';
export {
  type EvaluatedEvidence,
  EvaluatedEvidenceSchema,
  type EvaluatedIdentity,
  EvaluatedIdentitySchema,
  evidenceEvaluated,
} from './events/evidence-evaluated.ts';
export {
  evidenceSubmitted,
  MEDIA_ROLES,
  type MediaReference,
  MediaReferenceSchema,
} from './events/evidence-submitted.ts';
export {
  identityClosed,
  identityCreated,
  identityStatusChanged,
  SHORTEST_TOMBSTONE_SECONDS,
} from './events/identity.ts';
export { issuingCheckCompleted, issuingCheckRequested } from './events/issuing-check.ts';
export { contactChanged, oneTimeCodeRequested, oneTimeCodeSent } from './events/one-time-code.ts';
export { type Operation, OperationSchema, operationRecorded } from './events/operation.ts';
export { dateFormatsBy, FORMATS, isPrintable, printableOf, UNSEEN } from './formats.ts';
export {
  INDICATOR_NAMES,
  INDICATOR_STATUSES,
  type Indicator,
  type IndicatorLists,
  type IndicatorName,
  type IndicatorStatus,
  indicator,
  isIndicator,
  listIndicators,
  nameOfIndicator,
  OPERATOR_REASONS,
  oneStateEach,
  statusOfIndicator,
} from './indicators.ts';
export {
  type AcceptedSubmission,
  AcceptedSubmissionSchema,
  ChipFilesReplySchema,
  EndpointsAskedSchema,
  EndpointsHealthReplySchema,
  GrantReplySchema,
  IdentityKeyReplySchema,
  MediaReplySchema,
  RetainedMediaReplySchema,
} from './internal/replies.ts';
export { countValues } from './json-values.ts';
export { usState } from './jurisdictions.ts';
export { CM_AN_INCH, eyeColorCode, heightOf } from './measures.ts';
export { OPTIONAL_MARKS, plainLetters } from './plain-letters.ts';
export { type Present, present } from './present.ts';
export {
  SANDBOX_CODE,
  SANDBOX_CODES,
  SANDBOX_KINDS,
  SANDBOX_OUTCOMES,
  type SandboxCode,
  type SandboxKind,
  type SandboxOutcome,
  sandboxCodeFor,
  sandboxKindOf,
  sandboxOutcome,
} from './sandbox.ts';
export { SERVICE_NAMES, type ServiceName } from './services.ts';
export {
  type Deliveries,
  DeliveriesSchema,
  type Delivery,
  DeliverySchema,
  type EndpointHealth,
  EndpointHealthSchema,
  IDENTITY_SUMMARY_STATUSES,
  type IdentitySummary,
  IdentitySummarySchema,
  type IdentitySummaryStatus,
  RecoveredSchema,
  RecoverSchema,
  type ShownEndpoint,
  ShownEndpointSchema,
  type TestAttempt,
  TestAttemptSchema,
  type Timeline,
  type TimelineItem,
  TimelineItemSchema,
  TimelineSchema,
} from './shapes/administration.ts';
export {
  CalendarDate,
  CountryCode,
  DateTime,
  Exact,
  Id,
  Instant,
  LanguageTag,
  OneOf,
  ProofDateTime,
  Sealed,
  Text,
} from './shapes/building-blocks.ts';
export {
  type Consent,
  type ConsentRequest,
  ConsentRequestSchema,
  ConsentSchema,
  ConsentsRequestSchema,
} from './shapes/consent.ts';
export { ErrorSchema, type Problem, ProblemSchema } from './shapes/error.ts';
export {
  type EvidenceRecord,
  EvidenceRecordSchema,
  type EvidenceStatus,
  type EvidenceStatusReply,
  EvidenceStatusReplySchema,
  EvidenceStatusSchema,
  type PortraitRecord,
  PortraitRecordSchema,
  type SubmissionReply,
  SubmissionReplySchema,
} from './shapes/evidence.ts';
export {
  GlobalStatusSchema,
  type Identity,
  type IdentityCreated,
  IdentityCreatedSchema,
  IdentitySchema,
  type IdentityStatusReply,
  IdentityStatusReplySchema,
  type PathStep,
  PathStepSchema,
  type UpgradePaths,
  UpgradePathsSchema,
} from './shapes/identity.ts';
export {
  type DocumentSessionRequest,
  declaredTypeOf,
  LIVENESS_TYPES,
  LiveSessionReplySchema,
  LiveSessionRequestSchema,
  type PortraitSessionRequest,
} from './shapes/live-session.ts';
export {
  type AccessKey,
  CHIP_DATA_BYTES,
  type ChipAuthenticationReply,
  ChipAuthenticationReplySchema,
  ChipAuthenticationRequestSchema,
  type ChipDataRequest,
  ChipDataRequestSchema,
  type ChipSubmission,
  type NfcSession,
  NfcSessionReplySchema,
  type NfcSessionRequest,
  NfcSessionRequestSchema,
  WANTED_DATA_GROUPS,
} from './shapes/nfc.ts';
export {
  type EvaluationNotification,
  EvaluationNotificationSchema,
  type StatusNotification,
  StatusNotificationSchema,
  type WaitingNotification,
  WaitingNotificationSchema,
} from './shapes/notification.ts';
export {
  CASE_CLOSINGS,
  CASE_STATES,
  CASE_WITHDRAWALS,
  type CaseClosing,
  type CaseDay,
  type CaseDecision,
  CaseDecisionSchema,
  type CaseOperatorDay,
  type CaseReasonDay,
  type CaseState,
  type CaseStatistics,
  CaseStatisticsSchema,
  type CaseSummary,
  CaseSummarySchema,
  type CaseView,
  CaseViewSchema,
  type CaseWithdrawal,
  type ChipFound,
  type DecisionValue,
  type FieldPlace,
  FieldPlacesSchema,
  type Operator,
  OperatorSchema,
  type PlacedFieldName,
  type Similarity,
  StaffSessionShape,
} from './shapes/operator.ts';
export {
  type AddressData,
  AddressDataSchema,
  type AttributesData,
  AttributesDataSchema,
  type IdDocumentData,
  IdDocumentDataSchema,
} from './shapes/person.ts';
export { MediaSchema, type Proof, type ProofMedia, ProofSchema } from './shapes/proof.ts';
export {
  type ContactDetails,
  ContactDetailsSchema,
  ProofElementsSchema,
  RestDetailsSchema,
  type VerificationAndEvaluationDetails,
  VerificationAndEvaluationDetailsSchema,
} from './shapes/proof-elements.ts';
export {
  type EvaluationDetails,
  EvaluationDetailsSchema,
  type ProofEvidence,
  ProofEvidenceSchema,
  type StatusAndScoring,
  StatusAndScoringSchema,
} from './shapes/proof-evaluation.ts';
export {
  CALL_KEYS,
  type CaptureImage,
  CaptureImageSchema,
  CropSchema,
  DeviceInfoSchema,
  type DocumentData,
  DocumentDataSchema,
  type EvidenceDetails,
  EvidenceDetailsSchema,
  FURTHER_FILE_KEY,
  type Metadata,
  type OriginLanguageData,
  OriginLanguageDataSchema,
} from './shapes/proof-evidence.ts';
export {
  PROOF_PART_NAME,
  type ProofReady,
  ProofReadySchema,
  type ProofRequest,
  ProofRequestSchema,
  type RetainedMedium,
  RetainedMediumSchema,
  type RetainRequest,
  RetainRequestSchema,
  SIGNED_KINDS,
  type SignatureReply,
  SignatureReplySchema,
  type SignatureRequest,
  SignatureRequestSchema,
} from './shapes/proof-request.ts';
export {
  AdjudicationDetailsSchema,
  type ParticipantDetails,
  ParticipantDetailsSchema,
  type VerificationDetails,
  VerificationDetailsSchema,
  type VerificationService,
  VerificationServiceSchema,
} from './shapes/proof-verification.ts';
export { type SandboxPlay, SandboxPlaySchema } from './shapes/sandbox.ts';
export {
  DEFAULT_SETTINGS,
  type TenantSettings,
  TenantSettingsSchema,
  type VerificationSettings,
  VerificationSettingsSchema,
  type WebhookSettings,
  WebhookSettingsSchema,
} from './shapes/settings.ts';
export {
  type SigningKeyRotation,
  SigningKeyRotationSchema,
  type SigningKeysReply,
  SigningKeysSchema,
} from './shapes/signing-keys.ts';
export {
  type AddressRequest,
  AddressRequestSchema,
  type AttributesRequest,
  AttributesRequestSchema,
  type CaptureDetails,
  CaptureDetailsSchema,
  type DocumentText,
  DocumentTextSchema,
  type HealthCard,
  HealthCardSchema,
} from './shapes/submissions.ts';
export { consentInForce, consentRefused, type InternalClaims } from './token.ts';
export {
  EVENTS,
  EXCHANGE,
  FORMER_QUEUES,
  type FormerQueue,
  QUEUES,
  RETIRED_BINDINGS,
  SURPLUS_QUEUES,
} from './topology.ts';
export {
  firstViolationOf,
  isTooDeep,
  matches,
  readTolerantly,
  type Violation,
  violationsOf,
  withoutEmpty,
} from './validation.ts';
export {
  CAPTURE_CHANNELS,
  CAPTURE_DOCUMENT_TYPES,
  CAPTURE_SOURCES,
  type CaptureDocumentType,
  CLIENT_ROLES,
  type ClientRole,
  CONSENT_TYPES,
  type ConsentType,
  EVIDENCE_FAMILIES,
  EVIDENCE_OPERATIONS,
  EVIDENCE_STATUSES,
  EVIDENCE_TYPES,
  type EvidenceFamily,
  type EvidenceStatusValue,
  type EvidenceType,
  FAMILY_OF_TYPE,
  GENDERS,
  type Gender,
  HEALTH_CARD_TYPES,
  IDENTITY_OPERATION_NAMES,
  IDENTITY_OPERATION_TYPES,
  IDENTITY_STATUSES,
  type IdentityOperationName,
  type IdentityOperationType,
  type IdentityStatus,
  isStable,
  isTransient,
  KEY_ROLES,
  type KeyRole,
  LEVELS_OF_ASSURANCE,
  type LevelOfAssurance,
  OTP_STATUSES,
  type OtpStatus,
  PARTICIPANT_STATES,
  PARTICIPANT_TYPES,
  type ParticipantState,
  type ParticipantType,
  PROGRESS_VALUES,
  type Progress,
  SIDES,
  type Side,
  STABLE_STATUSES,
  type StableStatus,
  TEXT_DOCUMENT_TYPES,
  type TextDocumentType,
  TRANSIENT_STATUSES,
  TRUST_LEVELS,
  type TransientStatus,
  type TrustLevel,
  WEBHOOK_EVENTS,
  WEBHOOK_MODES,
  type WebhookEvent,
  type WebhookMode,
} from './vocabulary.ts';
