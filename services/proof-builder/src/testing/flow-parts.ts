import { createHash } from 'node:crypto';
import { adjudicationDecided, type ParticipantDetails, type StatusAndScoring, type TrustLevel } from '@assay/contracts';
import type { EventBuilder } from './event-builder.ts';

/**
 * Bytes that differ from all others, the same at every run, after the first bytes of a file of the
 * kind.
 */
export const bytesOf = (name: string, length: number, head: readonly number[] = [0xff, 0xd8, 0xff, 0xe0]): Buffer => {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, at) =>
    createHash('sha256').update(`${name} ${at}`).digest(),
  );
  return Buffer.concat([Buffer.from(head), ...blocks]).subarray(0, length);
};

export const good = (score: TrustLevel, positiveIndicators: string[]): StatusAndScoring => ({
  score,
  strength: 'LEVEL4',
  status: 'VERIFIED',
  positiveIndicators,
  unverifiedIndicators: ['VISUAL_SECURITY_UNVERIFIED'],
  warningIndicators: [],
  isBlockingindicatorFound: false,
  isMandatoryIndicatorMissing: false,
  isTechnicalError: false,
  strengthRuleUsed: 'by-image',
});

export const notVerified = (warningIndicators: string[]): StatusAndScoring => ({
  score: 'LEVEL1',
  strength: 'LEVEL1',
  status: 'NOT_VERIFIED',
  mandatoryCheckRulesMissing: ['BIOMETRIC_MATCHING_CHECK'],
  positiveIndicators: [],
  unverifiedIndicators: [],
  warningIndicators,
  isMandatoryIndicatorMissing: true,
});

/** One participant's work on an evidence, at the builder's time. */
export const participant = (
  flow: EventBuilder,
  verificationId: string,
  participantType: NonNullable<ParticipantDetails['participantType']>,
  raisedIndicators: string[],
  more: Partial<ParticipantDetails> = {},
): ParticipantDetails => ({
  startDateTime: flow.now(),
  endDateTime: flow.step(),
  participantState: 'ACCEPTED',
  participantType,
  raisedIndicators,
  verificationId,
  verificationServices: [
    { serviceName: 'assay', isTechnicalError: false, responseTimeMS: 412, raisedIndicators, serviceVersion: '0.1.0' },
  ],
  ...more,
});

/**
 * An operator's decision on an evidence: the event with the sealed comment, and the participant
 * that reports it.
 */
export const adjudicated = (flow: EventBuilder, evidenceId: string): ParticipantDetails => {
  const caseId = flow.idOf(`case of ${evidenceId}`);
  const submitDateTime = flow.step();
  const startTime = flow.step(5);
  const endTime = flow.step(30);
  flow.emit(adjudicationDecided, {
    caseId,
    evidenceId,
    decision: 'ACCEPT',
    reasons: [],
    decidedAt: endTime,
    details: [
      {
        operatorId: 'operator-1',
        decision: 'ACCEPT',
        reasons: [],
        startTime,
        endTime,
        sealedComment: flow.sealed('comment', 'Compared with the reference card.'),
      },
    ],
  });
  const adjudicationDetails = {
    id: caseId,
    type: 'IDENTITY_CARD',
    submitDateTime,
    decisionDateTime: endTime,
    globalStatus: 'ACCEPTED',
    decisionsDetails: [
      {
        ...{ startTime, endTime, duration: 30_000, operatorId: 'operator-1', status: 'ACCEPTED' },
        comment: 'OTHER_SUSPICIOUS_ELEMENT',
      },
    ],
  };
  return participant(flow, evidenceId, 'ADJUDICATION', ['DOCUMENT_ADJUDICATION_OK'], {
    verificationServices: [
      { serviceName: 'operators', isTechnicalError: false, responseTimeMS: 35_000, adjudicationDetails },
    ],
  });
};
