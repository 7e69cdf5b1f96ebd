import { type Static, Type } from 'typebox';
import {
  CAPTURE_CHANNELS,
  CAPTURE_SOURCES,
  CLIENT_ROLES,
  EVIDENCE_FAMILIES,
  EVIDENCE_STATUSES,
  EVIDENCE_TYPES,
  IDENTITY_OPERATION_NAMES,
  IDENTITY_OPERATION_TYPES,
  LEVELS_OF_ASSURANCE,
  OTP_STATUSES,
  PARTICIPANT_STATES,
  PARTICIPANT_TYPES,
  PROGRESS_VALUES,
  SIDES,
  TRUST_LEVELS,
} from '../vocabulary.ts';
import { CalendarDate, CountryCode, Exact, OneOf } from './building-blocks.ts';
import { ConsentSchema } from './consent.ts';
import { ErrorSchema } from './error.ts';
import { PathStepSchema } from './identity.ts';

/** Date-time inside the proof: yyyy-MM-ddTHH:mm:ss with 0 to 7 digits of a second. */
export const ProofDateTime = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,7})?$' });
const opt = Type.Optional;
const str = Type.String();
const strings = Type.Array(str);
const errors = opt(Type.Array(ErrorSchema));

export const MediaSchema = Exact({ hash: Type.String({ pattern: '^[0-9a-f]{64}$' }), id: str, path: str });
export type ProofMedia = Static<typeof MediaSchema>;

/** proof.json: references every other file of the archive, its hash, and the signature over all of it. */
export const ProofSchema = Exact({
  version: str,
  proofId: str,
  identityId: str,
  tenantId: str,
  tenantRole: OneOf(CLIENT_ROLES),
  tenantUsed: opt(str),
  transactionId: opt(str),
  previousProofId: opt(str),
  componentVersion: str,
  startDateTime: ProofDateTime,
  endDateTime: ProofDateTime,
  ips: opt(strings),
  hashes: Exact({
    identityDetails: str,
    verificationAndEvaluationDetails: str,
    images: opt(Type.Array(MediaSchema)),
    videos: opt(Type.Array(MediaSchema)),
    additionalFiles: opt(Type.Array(MediaSchema)),
  }),
  signature: str,
});
export type Proof = Static<typeof ProofSchema>;

export const AdjudicationDetailsSchema = Exact({
  id: opt(str),
  type: opt(str),
  submitDateTime: opt(str),
  decisionDateTime: opt(str),
  expirationDate: opt(str),
  globalStatus: opt(str),
  decisionsDetails: opt(
    Type.Array(
      Exact({
        comment: opt(str),
        documentRegistryId: opt(str),
        duration: opt(Type.Integer()),
        startTime: opt(str),
        endTime: opt(str),
        operatorId: opt(str),
        operatorProfile: opt(str),
        stationId: opt(str),
        status: opt(str),
      }),
    ),
  ),
});
export type AdjudicationDetails = Static<typeof AdjudicationDetailsSchema>;

/** One service a participant called. matchingScore is 1 - distance; times in milliseconds. */
export const VerificationServiceSchema = Exact({
  serviceName: str,
  isTechnicalError: Type.Boolean(),
  responseTimeMS: Type.Integer(),
  adjudicationDetails: opt(AdjudicationDetailsSchema),
  codingQualityOk: opt(Type.Boolean()),
  codingScore: opt(Type.Number()),
  matchingScore: opt(Type.Number()),
  score: opt(str),
  errors,
  raisedIndicators: opt(strings),
  serviceInternalReference: opt(str),
  serviceRequestId: opt(str),
  serviceVersion: opt(str),
});
export type VerificationService = Static<typeof VerificationServiceSchema>;

const participantDetails = {
  startDateTime: ProofDateTime,
  endDateTime: ProofDateTime,
  errors,
  isBlockingParticipant: opt(Type.Boolean()),
  linkedIdentityOperation: opt(str),
  mainOcrService: opt(str),
  participantState: opt(OneOf(PARTICIPANT_STATES)),
  participantType: opt(OneOf(PARTICIPANT_TYPES)),
  raisedIndicators: opt(strings),
  sessionId: opt(str),
  verificationId: opt(str),
  referenceId: opt(str),
  referenceType: opt(OneOf(EVIDENCE_TYPES)),
  candidateId: opt(str),
  candidateType: opt(OneOf(EVIDENCE_TYPES)),
  verificationServices: opt(Type.Array(VerificationServiceSchema)),
};

/** What one participant did for an evidence, as the worker tells it. */
export const ParticipantDetailsSchema = Exact(participantDetails);
export type ParticipantDetails = Static<typeof ParticipantDetailsSchema>;

/** The same in the proof, with the session it belongs to: that of the transaction, which proof-builder alone knows. */
export const VerificationDetailsSchema = Exact({ ...participantDetails, sessionCreationTime: ProofDateTime });
export type VerificationDetails = Static<typeof VerificationDetailsSchema>;

export const StatusAndScoringSchema = Exact({
  score: OneOf(TRUST_LEVELS),
  strength: OneOf(TRUST_LEVELS),
  status: OneOf(EVIDENCE_STATUSES),
  allNonOKVerifications: opt(strings),
  mandatoryCheckRulesMissing: opt(strings),
  positiveIndicators: opt(strings),
  unverifiedIndicators: opt(strings),
  warningIndicators: opt(strings),
  blockingIndicators: opt(strings),
  indicatorsMitigations: opt(
    Type.Array(Exact({ mitigatedIndicators: Type.Array(strings), mitigatingIndicators: strings })),
  ),
  isBlockingindicatorFound: opt(Type.Boolean()),
  isMandatoryIndicatorMissing: opt(Type.Boolean()),
  isTechnicalError: opt(Type.Boolean()),
  strengthRuleUsed: opt(str),
});
export type StatusAndScoring = Static<typeof StatusAndScoringSchema>;

export const ProofEvidenceSchema = Exact({
  id: str,
  type: opt(OneOf(EVIDENCE_TYPES)),
  consentApproved: opt(Type.Boolean()),
  errors,
  extracted: opt(Type.Boolean()),
  externallyVerified: opt(Type.Boolean()),
  externalVerificationScore: opt(Type.Integer()),
  raisedIndicators: opt(strings),
  attributesReferenceAndConsistency: opt(
    Exact({
      isReference: opt(Type.Boolean()),
      isTechnicalError: opt(Type.Boolean()),
      mismatchedAttributes: opt(strings),
    }),
  ),
  evidencesAdjudicationEligibility: opt(
    Exact({ isAdjudicable: opt(Type.Boolean()), isTechnicalError: opt(Type.Boolean()) }),
  ),
  portraitMatchingReference: opt(Exact({ isReference: opt(Type.Boolean()), isTechnicalError: opt(Type.Boolean()) })),
  statusAndScoring: opt(StatusAndScoringSchema),
});
export type ProofEvidence = Static<typeof ProofEvidenceSchema>;

export const EvaluationDetailsSchema = Exact({
  evaluationDateTime: ProofDateTime,
  evidences: Type.Array(ProofEvidenceSchema),
  loaAndUpgradePath: opt(
    Exact({
      isTechnicalError: opt(Type.Boolean()),
      levelOfAssurance: opt(OneOf(LEVELS_OF_ASSURANCE)),
      upgradePaths: opt(Type.Array(Exact({ levelOfAssurance: str, paths: Type.Array(Type.Array(PathStepSchema)) }))),
    }),
  ),
  updateOnIdentitySuccess: opt(Type.Boolean()),
});
export type EvaluationDetails = Static<typeof EvaluationDetailsSchema>;

const holder = (date: typeof CalendarDate | typeof str) =>
  Exact({
    dateOfBirth: opt(date),
    fullname: opt(str),
    gender: opt(str),
    givenNames: opt(strings),
    nationality: opt(str),
    surname: opt(str),
    usageName: opt(str),
  });
export const MetadataSchema = Exact({ key: str, value: str });
export type Metadata = Static<typeof MetadataSchema>;

export const DocumentDataSchema = Exact({
  documentNumber: opt(str),
  expiryDate: opt(CalendarDate),
  issuingDate: opt(CalendarDate),
  issuingCountry: opt(CountryCode),
  holderInformation: opt(Type.Array(holder(CalendarDate))),
  metadata: opt(Type.Array(MetadataSchema)),
  mrz: opt(strings),
});
export type DocumentData = Static<typeof DocumentDataSchema>;

/** The visual zone as printed on the document: free-form strings. */
export const OriginLanguageDataSchema = Exact({
  documentNumber: opt(str),
  expiryDate: opt(str),
  issuingCountry: opt(str),
  issuingDate: opt(str),
  holderInformation: opt(Type.Array(holder(str))),
});
export type OriginLanguageData = Static<typeof OriginLanguageDataSchema>;

export const CaptureImageSchema = Exact({
  channel: opt(OneOf(CAPTURE_CHANNELS)),
  deviceModel: opt(str),
  id: opt(str),
  osType: opt(str),
  osVersion: opt(str),
  side: opt(OneOf(SIDES)),
  source: opt(OneOf(CAPTURE_SOURCES)),
});
export type CaptureImage = Static<typeof CaptureImageSchema>;
/** `source` is our addition to the specification's Crop: DOCUMENT_CROP, as its list of sources has it. */
export const CropSchema = Exact({ id: opt(str), originalCaptureId: opt(str), source: opt(OneOf(CAPTURE_SOURCES)) });

export const DeviceInfoSchema = Exact({
  browserName: opt(str),
  browserVersion: opt(str),
  deviceManufacturer: opt(str),
  deviceModel: opt(str),
  osType: opt(str),
  osVersion: opt(str),
  sdkInfo: opt(str),
});

export const EvidenceDetailsSchema = Exact({
  id: str,
  family: OneOf(EVIDENCE_FAMILIES),
  type: OneOf(EVIDENCE_TYPES),
  addressReferenceId: opt(str),
  attributesReferenceId: opt(str),
  captureImages: opt(Type.Array(CaptureImageSchema)),
  photoCrops: opt(Type.Array(CropSchema)),
  data: opt(DocumentDataSchema),
  originLanguageData: opt(OriginLanguageDataSchema),
  deviceInfo: opt(DeviceInfoSchema),
  sdkInfo: opt(Exact({ sdkVersion: opt(str) })),
  video: opt(str),
});
export type EvidenceDetails = Static<typeof EvidenceDetailsSchema>;

/** One REST call that changed the identity; `submissionId` is the request id, `uri` carries no query. */
export const RestDetailsSchema = Exact({
  uri: str,
  method: OneOf(['POST', 'PUT', 'DELETE']),
  httpCode: Type.Integer(),
  startDateTime: ProofDateTime,
  endDateTime: ProofDateTime,
  submissionId: str,
  tokenRole: OneOf(CLIENT_ROLES),
  errors,
});
export type RestDetails = Static<typeof RestDetailsSchema>;

const otp = Exact({ creationTime: opt(ProofDateTime), status: opt(OneOf(OTP_STATUSES)), timeout: opt(Type.Integer()) });
const phone = Exact({
  value: str,
  verified: opt(Type.Boolean()),
  language: opt(str),
  system: opt(str),
  otp: opt(otp),
  errors,
});
export const ContactDetailsSchema = Exact({
  email: opt(Exact({ value: opt(str), verified: opt(Type.Boolean()), otp: opt(otp), errors })),
  landline: opt(phone),
  mobile: opt(phone),
  username: opt(Exact({ username: str })),
});
export type ContactDetails = Static<typeof ContactDetailsSchema>;

export const VerificationAndEvaluationDetailsSchema = Exact({
  identityOperation: Exact({
    id: opt(str),
    name: OneOf(IDENTITY_OPERATION_NAMES),
    type: OneOf(IDENTITY_OPERATION_TYPES),
  }),
  participantContextId: str,
  progress: OneOf(PROGRESS_VALUES),
  startDateTime: ProofDateTime,
  sessionId: opt(str),
  businessId: opt(str),
  identityOperationParent: opt(str),
  identityOperationChild: opt(str),
  additionalFile: opt(Exact({ id: str, metadata: Type.Array(MetadataSchema) })),
  consentsDetails: opt(Exact({ consents: opt(Type.Array(ConsentSchema)) })),
  contactDetails: opt(ContactDetailsSchema),
  evaluationDetails: opt(EvaluationDetailsSchema),
  evidenceDetails: opt(EvidenceDetailsSchema),
  processingDetails: opt(RestDetailsSchema),
  verificationDetails: opt(Type.Array(VerificationDetailsSchema)),
});
export type VerificationAndEvaluationDetails = Static<typeof VerificationAndEvaluationDetailsSchema>;

/** verificationAndEvaluationDetails.json: one element for each evidence and consent, two for a deleted one. */
export const ProofElementsSchema = Type.Array(VerificationAndEvaluationDetailsSchema);
