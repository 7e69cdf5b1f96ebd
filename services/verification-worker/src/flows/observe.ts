import type { ParticipantType } from '@assay/contracts';
import type { Log } from '@assay/runtime';

/** Called when a participant begins to look at an evidence. */
export type OnParticipantStarted = (identityId: string, evidenceId: string, participantType: ParticipantType) => void;

/**
 * One log line when a participant begins: who follows the log sees how far an evidence has come.
 */
export const logParticipantStarted =
  (log: Log): OnParticipantStarted =>
  (identityId, evidenceId, participantType) =>
    log.info({ msg: 'participant.started', identityId, evidenceId, participantType });
