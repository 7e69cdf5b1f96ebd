import {
  formatDateTime,
  type ParticipantType,
  type VerificationDetails,
  type VerificationService,
} from '@assay/contracts';

/** What every participant says about its part: when, what became of it, what it raised and whom it called. */
export interface ParticipantResult {
  participantType: ParticipantType;
  accepted: boolean;
  raised: readonly string[];
  services: VerificationService[];
  errors?: VerificationDetails['errors'];
}

/** VerificationDetails of one participant's part in verifying an evidence. */
export const detailsOf = (
  { participantType, accepted, raised, services, errors = [] }: ParticipantResult,
  context: { evidenceId: string; startedAt: Date; endedAt: Date; blocking: boolean; sessionId?: string | undefined },
): VerificationDetails => ({
  startDateTime: formatDateTime(context.startedAt),
  endDateTime: formatDateTime(context.endedAt),
  sessionCreationTime: formatDateTime(context.startedAt),
  participantType,
  participantState: accepted ? 'ACCEPTED' : 'REJECTED',
  isBlockingParticipant: context.blocking,
  verificationId: context.evidenceId,
  ...(context.sessionId ? { sessionId: context.sessionId } : {}),
  ...(participantType === 'IMAGE_OCR' ? { mainOcrService: 'assay-reading' } : {}),
  raisedIndicators: [...raised],
  ...(errors.length > 0 ? { errors } : {}),
  verificationServices: services,
});
