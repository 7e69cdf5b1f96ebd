import { type Static, Type } from 'typebox';
import { EVIDENCE_TYPES, PARTICIPANT_STATES, PARTICIPANT_TYPES } from '../vocabulary.ts';
import { Exact, OneOf, ProofDateTime } from './building-blocks.ts';
import { ErrorSchema } from './error.ts';

const opt = Type.Optional;
const str = Type.String();
const strings = Type.Array(str);
const errors = opt(Type.Array(ErrorSchema));

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

/** What one participant did for an evidence, as the worker reports it. */
export const ParticipantDetailsSchema = Exact(participantDetails);
export type ParticipantDetails = Static<typeof ParticipantDetailsSchema>;

/**
 * The same in the proof, with its session, which is that of the transaction; only proof-builder
 * knows it.
 */
export const VerificationDetailsSchema = Exact({ ...participantDetails, sessionCreationTime: ProofDateTime });
export type VerificationDetails = Static<typeof VerificationDetailsSchema>;
