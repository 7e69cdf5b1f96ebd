import { type Static, Type } from 'typebox';
import {
  CLIENT_ROLES,
  IDENTITY_OPERATION_NAMES,
  IDENTITY_OPERATION_TYPES,
  OTP_STATUSES,
  PROGRESS_VALUES,
} from '../vocabulary.ts';
import { Exact, OneOf, ProofDateTime } from './building-blocks.ts';
import { ConsentSchema } from './consent.ts';
import { ErrorSchema } from './error.ts';
import { EvaluationDetailsSchema } from './proof-evaluation.ts';
import { EvidenceDetailsSchema, MetadataSchema } from './proof-evidence.ts';
import { VerificationDetailsSchema } from './proof-verification.ts';

const opt = Type.Optional;
const str = Type.String();
const errors = opt(Type.Array(ErrorSchema));

/**
 * One REST call that changed the identity. `submissionId` is the request id; `uri` has no query.
 */
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

/**
 * verificationAndEvaluationDetails.json: one element for each evidence and consent, two for a
 * deleted one.
 */
export const ProofElementsSchema = Type.Array(VerificationAndEvaluationDetailsSchema);
