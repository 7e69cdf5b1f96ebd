import {
  formatDateTime,
  type ParticipantDetails,
  type ParticipantType,
  present,
  type VerificationService,
} from '@assay/contracts';

/** The report of every participant about its part: times, result, indicators and calls. */
export interface ParticipantResult {
  participantType: ParticipantType;
  accepted: boolean;
  raised: readonly string[];
  services: VerificationService[];
  errors?: ParticipantDetails['errors'];
  /** Engine and version, of IMAGE_OCR. */
  mainOcrService?: string;
}

/** ParticipantDetails of one participant's part in verifying an evidence. */
export const detailsOf = (
  { participantType, accepted, raised, services, errors = [], mainOcrService }: ParticipantResult,
  context: { evidenceId: string; startedAt: Date; endedAt: Date; blocking: boolean; sessionId?: string | undefined },
): ParticipantDetails => ({
  startDateTime: formatDateTime(context.startedAt),
  endDateTime: formatDateTime(context.endedAt),
  participantType,
  participantState: accepted ? 'ACCEPTED' : 'REJECTED',
  isBlockingParticipant: context.blocking,
  verificationId: context.evidenceId,
  ...present({ sessionId: context.sessionId, mainOcrService }),
  raisedIndicators: [...raised],
  ...(errors.length > 0 ? { errors } : {}),
  verificationServices: services,
});
