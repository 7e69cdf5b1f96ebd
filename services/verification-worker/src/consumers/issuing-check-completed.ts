import type { DataOf, Envelope, issuingCheckCompleted, ParticipantDetails } from '@assay/contracts';
import type { CaseChanger } from '../change-case.ts';
import { type CaseEvidence, changeEvidence } from '../domain/case.ts';
import { withIssuerAnswer } from '../domain/confirmed-data.ts';
import type { EvidenceData } from '../domain/evidence-data.ts';
import { sealedViews } from '../participants/gather.ts';
import type { Vault } from '../vault.ts';

type Completed = Envelope<DataOf<typeof issuingCheckCompleted>>;

const CONCLUSIVE = ['GIV_VERIFICATION_VERIFIED', 'GIV_VERIFICATION_FAILED'];

const isConclusive = ({ participants }: CaseEvidence): boolean =>
  participants.some(
    ({ participantType, raisedIndicators = [] }) =>
      participantType === 'GOV_VERIFICATION' && raisedIndicators.some((one) => CONCLUSIVE.includes(one)),
  );

const detailsOf = ({ data }: Completed): ParticipantDetails => ({
  startDateTime: data.startDateTime,
  endDateTime: data.endDateTime,
  participantType: 'GOV_VERIFICATION',
  participantState: data.result === 'UNVERIFIED' ? 'REJECTED' : 'ACCEPTED',
  isBlockingParticipant: false,
  verificationId: data.evidenceId,
  raisedIndicators: data.raisedIndicators,
  verificationServices: data.services,
});

const answered = (evidence: CaseEvidence, event: Completed, vault: Vault | undefined): CaseEvidence => {
  const participants = [
    ...evidence.participants.filter(({ participantType }) => participantType !== 'GOV_VERIFICATION'),
    detailsOf(event),
  ];
  const read =
    vault && evidence.sealed.data ? vault.open<EvidenceData>('evidence-data', evidence.sealed.data) : undefined;
  const sealed = read ? sealedViews(vault!, withIssuerAnswer(read, event.data.raisedIndicators)) : {};
  const { awaitingIssuer: _answered, ...rest } = evidence;
  return { ...rest, participants, sealed: { ...evidence.sealed, ...sealed } };
};

/**
 * issuing-check.completed: the answer of the source, or why there is none. The first conclusive answer stands; one that comes late, after an inconclusive one
 * was told, is evaluated like any other news.
 */
export const onIssuingCheckCompleted =
  ({ changer }: { changer: CaseChanger }) =>
  (event: Completed): Promise<void> =>
    changer.change(event, (before, vault) => {
      const { evidenceId, checkId } = event.data;
      const after = changeEvidence(before, evidenceId, (evidence) =>
        evidence.checkId !== checkId || isConclusive(evidence) ? undefined : answered(evidence, event, vault),
      );
      return after && { after };
    });
