/**
 * Every enumeration of the service specification, spelled exactly as clients see it, also the
 * values that nothing produces yet. Each is a readonly list and the type of its members.
 */

/**
 * Transaction status (specification, Identity status). `EXPECTED_INPUT` is understood by clients,
 * never sent.
 */
export const IDENTITY_STATUSES = [
  'EXPECTING_INPUT',
  'EXPECTED_INPUT',
  'PROCESSING',
  'PAUSED',
  'ERROR',
  'TIMEOUT',
] as const;
export type IdentityStatus = (typeof IDENTITY_STATUSES)[number];

/** Levels of assurance. The specification shows LOA0 to LOA2; the policies reach LOA6. */
export const LEVELS_OF_ASSURANCE = ['LOA0', 'LOA1', 'LOA2', 'LOA3', 'LOA4', 'LOA5', 'LOA6'] as const;
export type LevelOfAssurance = (typeof LEVELS_OF_ASSURANCE)[number];

/**
 * Consent types. PORTRAIT covers biometric processing, GIV covers checking a document against its
 * issuer.
 */
export const CONSENT_TYPES = [
  'ATTRIBUTES',
  'ID_DOCUMENT',
  'PORTRAIT',
  'ADDRESS',
  'EMAIL',
  'EMAIL_OTP',
  'LANDLINE',
  'MOBILE',
  'MOBILE_OTP',
  'VISA',
  'GIV',
  'ID_CLAIM',
] as const;
export type ConsentType = (typeof CONSENT_TYPES)[number];

export const STABLE_STATUSES = ['VERIFIED', 'NOT_VERIFIED', 'INVALID'] as const;
export type StableStatus = (typeof STABLE_STATUSES)[number];
export const TRANSIENT_STATUSES = ['PROCESSING', 'ADJUDICATION'] as const;
export type TransientStatus = (typeof TRANSIENT_STATUSES)[number];
/** Evidence status: two transient, three stable. */
export const EVIDENCE_STATUSES = [...STABLE_STATUSES, ...TRANSIENT_STATUSES] as const;
export type EvidenceStatusValue = (typeof EVIDENCE_STATUSES)[number];

const includes = <T extends string>(list: readonly T[], value: string): value is T =>
  (list as readonly string[]).includes(value);
export const isStable = (status: string): status is StableStatus => includes(STABLE_STATUSES, status);
export const isTransient = (status: string): status is TransientStatus => includes(TRANSIENT_STATUSES, status);

/**
 * Score reached and strength reachable. Scoring uses LEVEL1 to LEVEL4; the proof schema admits
 * LEVEL5.
 */
export const TRUST_LEVELS = ['LEVEL1', 'LEVEL2', 'LEVEL3', 'LEVEL4', 'LEVEL5'] as const;
export type TrustLevel = (typeof TRUST_LEVELS)[number];

export const EVIDENCE_TYPES = [
  'PASSPORT',
  'IDENTITY_CARD',
  'RESIDENT_CARD',
  'BIRTH_CERTIFICATE',
  'MARRIAGE_CERTIFICATE',
  'POLL_CARD',
  'ADDRESS',
  'EMAIL',
  'MOBILE_OTP',
  'MAIL_OTP',
  'SMS_OTP',
  'DRIVING_LICENSE',
  'CONSENT',
  'ATTRIBUTES',
  'ID_DOCUMENT',
  'PORTRAIT',
  'VISA',
  'CERTIFICATE',
  'ID_DOCUMENT_DATA',
  'TAX_CARD',
  'VOTER_CARD',
  'TRUSTED_ID_CLAIM',
  'ID_CLAIM',
  'PORTRAIT_REFERENCE',
  'PARTNER_ASSESSMENT',
  'ADDITIONAL_FILE',
  'MEDICARE',
] as const;
export type EvidenceType = (typeof EVIDENCE_TYPES)[number];

export const EVIDENCE_FAMILIES = [
  'IDDOCUMENT',
  'ATTRIBUTES',
  'ADDRESS',
  'DOCUMENT',
  'IDENTIFICATION',
  'PORTRAIT_REFERENCE',
  'TRUSTED_ID_CLAIM',
  'ID_CLAIM',
  'CONTACT',
  'ADJ',
] as const;
export type EvidenceFamily = (typeof EVIDENCE_FAMILIES)[number];

/**
 * Family of each evidence type, as the proof's evidenceDetails names it (IDENTIFICATION is a
 * portrait).
 */
export const FAMILY_OF_TYPE: Readonly<Record<EvidenceType, EvidenceFamily>> = {
  PASSPORT: 'IDDOCUMENT',
  IDENTITY_CARD: 'IDDOCUMENT',
  RESIDENT_CARD: 'IDDOCUMENT',
  DRIVING_LICENSE: 'IDDOCUMENT',
  VISA: 'IDDOCUMENT',
  MEDICARE: 'IDDOCUMENT',
  ID_DOCUMENT: 'IDDOCUMENT',
  ID_DOCUMENT_DATA: 'IDDOCUMENT',
  TAX_CARD: 'IDDOCUMENT',
  VOTER_CARD: 'IDDOCUMENT',
  POLL_CARD: 'IDDOCUMENT',
  BIRTH_CERTIFICATE: 'DOCUMENT',
  MARRIAGE_CERTIFICATE: 'DOCUMENT',
  CERTIFICATE: 'DOCUMENT',
  PARTNER_ASSESSMENT: 'DOCUMENT',
  ADDITIONAL_FILE: 'DOCUMENT',
  CONSENT: 'DOCUMENT',
  ATTRIBUTES: 'ATTRIBUTES',
  ADDRESS: 'ADDRESS',
  PORTRAIT: 'IDENTIFICATION',
  PORTRAIT_REFERENCE: 'PORTRAIT_REFERENCE',
  TRUSTED_ID_CLAIM: 'TRUSTED_ID_CLAIM',
  ID_CLAIM: 'ID_CLAIM',
  EMAIL: 'CONTACT',
  MOBILE_OTP: 'CONTACT',
  MAIL_OTP: 'CONTACT',
  SMS_OTP: 'CONTACT',
};

/**
 * Types a capture may declare (DocumentCaptureDetails.documentType). TAX_CARD and VOTER_CARD end
 * NOT_VERIFIED with 1502.
 */
export const CAPTURE_DOCUMENT_TYPES = [
  'PASSPORT',
  'DRIVING_LICENSE',
  'RESIDENT_CARD',
  'IDENTITY_CARD',
  'TAX_CARD',
  'VOTER_CARD',
] as const;
export type CaptureDocumentType = (typeof CAPTURE_DOCUMENT_TYPES)[number];

/** Types that can be submitted as text (endpoint 4). */
export const TEXT_DOCUMENT_TYPES = ['DRIVING_LICENSE', 'IDENTITY_CARD', 'PASSPORT', 'RESIDENT_CARD', 'VISA'] as const;
export type TextDocumentType = (typeof TEXT_DOCUMENT_TYPES)[number];

/** The source of a capture. No client declares DOCUMENT_CROP. */
export const CAPTURE_SOURCES = ['LIVE_CAPTURE_IMAGE', 'LIVE_CAPTURE_VIDEO', 'SCAN', 'DOCUMENT_CROP', 'OTHER'] as const;

export const CAPTURE_CHANNELS = ['nativeSDK', 'webSDK'] as const;

export const SIDES = ['FRONT', 'BACK'] as const;
export type Side = (typeof SIDES)[number];

/**
 * Roles of the two kinds of client application, as the proof's tenantRole and tokenRole name them.
 */
export const CLIENT_ROLES = ['RELYING_SERVICE', 'USER_AGENT'] as const;
export type ClientRole = (typeof CLIENT_ROLES)[number];
/**
 * The roles of API keys. Operators adjudicate. A tenant's administrators manage that tenant,
 * administrators manage everything.
 */
export const KEY_ROLES = [...CLIENT_ROLES, 'OPERATOR', 'TENANT_ADMINISTRATOR', 'ADMINISTRATOR'] as const;
export type KeyRole = (typeof KEY_ROLES)[number];

export const IDENTITY_OPERATION_NAMES = [
  'EMAIL_OTP',
  'EMAIL_OTP_VERIFICATION',
  'MOBILE_OTP',
  'OTP_VERIFICATION',
  'CONSENTS',
  'ATTRIBUTES',
  'PORTRAIT_CAPTURE',
  'LIVENESS_VIDEO',
  'ID_DOCUMENT',
  'ID_DOCUMENT_CAPTURE',
  'ID_DOCUMENT_LIVE_CAPTURE',
  'EVIDENCE_NFC_VERIFICATION',
  'ADJUDICATION',
  'MEDICARE',
  'CERTIFICATES',
  'TRUSTED_ID_CLAIM',
  'PORTRAIT_REFERENCE',
  'ID_CLAIM',
  'ADDITIONAL_FILE',
] as const;
export type IdentityOperationName = (typeof IDENTITY_OPERATION_NAMES)[number];

export const IDENTITY_OPERATION_TYPES = ['ADD', 'DELETE'] as const;
export type IdentityOperationType = (typeof IDENTITY_OPERATION_TYPES)[number];

/** The progress of one element in verificationAndEvaluationDetails.json. */
export const PROGRESS_VALUES = ['STARTING', 'PROCESSING', 'DONE', 'BLOCKED', 'ERROR', 'PAUSE'] as const;
export type Progress = (typeof PROGRESS_VALUES)[number];

export const PARTICIPANT_TYPES = [
  'IMAGE_OCR',
  'BIOMETRIC_QUALITY_CHECK',
  'BIOMETRIC_MATCHING',
  'BIOMETRIC_LIVENESS',
  'ADJUDICATION',
  'ANTIFRAUD',
  'GOV_VERIFICATION',
  'NFC_CHIP_VERIFICATION',
  'CLAIM_VERIFICATION',
  'OPEN_ID_CONNECT',
] as const;
export type ParticipantType = (typeof PARTICIPANT_TYPES)[number];

export const PARTICIPANT_STATES = ['PROCESSING', 'ACCEPTED', 'REJECTED', 'ADJUDICATION'] as const;
export type ParticipantState = (typeof PARTICIPANT_STATES)[number];

export const OTP_STATUSES = ['INITIATE', 'NOT_INITIATED', 'PENDING', 'PROCESSING', 'DONE', 'ERROR', 'TIMEOUT'] as const;
export type OtpStatus = (typeof OTP_STATUSES)[number];

export const GENDERS = ['M', 'F', 'X'] as const;
export type Gender = (typeof GENDERS)[number];

/** Health-card models (endpoint 5): blue, green, yellow. */
export const HEALTH_CARD_TYPES = ['B', 'G', 'Y'] as const;

/**
 * The names of webhook events, and the operation on the evidence that they report (specification,
 * Events).
 */
export const WEBHOOK_EVENTS = ['Evaluation', 'IdentityStatusUpdate', 'AdjudicationWaiting'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
export const EVIDENCE_OPERATIONS = ['CREATED', 'DELETED', 'UPDATED'] as const;
export const WEBHOOK_MODES = ['NONE', 'API_KEY', 'HMAC'] as const;
export type WebhookMode = (typeof WEBHOOK_MODES)[number];
