import type { ParticipantType } from '@assay/contracts';
import type { Log } from '@assay/runtime';

/** Called when a participant begins with an evidence. */
export type OnParticipantStarted = (identityId: string, evidenceId: string, participantType: ParticipantType) => void;

/** One log line when a participant begins, so that the log shows the progress of an evidence. */
export const logParticipantStarted =
  (log: Log): OnParticipantStarted =>
  (identityId, evidenceId, participantType) =>
    log.info({ msg: 'participant.started', identityId, evidenceId, participantType });
