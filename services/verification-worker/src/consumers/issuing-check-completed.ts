import type { DataOf, Envelope, issuingCheckCompleted, ParticipantDetails } from '@assay/contracts';
import { type CaseEvidence, changeEvidence, withoutAgreements } from '../domain/case.ts';
import { withIssuerAnswer } from '../domain/confirmed-data.ts';
import type { EvidenceData } from '../domain/evidence-data.ts';
import { confirmedExpiry } from '../domain/expiry.ts';
import type { CaseChanger } from '../flows/change-case.ts';
import { sealedViews } from '../flows/run-participants.ts';
import type { Sealer } from '../flows/sealer.ts';

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

const answered = (evidence: CaseEvidence, event: Completed, sealer: Sealer | undefined): CaseEvidence => {
  const { raisedIndicators: raised, askedFields: asked, partlyFields: partly } = event.data;
  const answer = { raised, asked, partly };
  const isStated = evidence.kind === 'documentText' || evidence.kind === 'healthCard';
  const participants = [
    ...evidence.participants.filter(({ participantType }) => participantType !== 'GOV_VERIFICATION'),
    { ...detailsOf(event), raisedIndicators: [...raised, ...(isStated ? confirmedExpiry(answer) : [])] },
  ];
  const read =
    sealer && evidence.sealed.data ? sealer.open<EvidenceData>('evidence-data', evidence.sealed.data) : undefined;
  const sealed = read ? sealedViews(sealer!, withIssuerAnswer(read, answer)) : {};
  const { awaitingIssuer: _answered, ...rest } = evidence;
  return { ...rest, participants, sealed: { ...evidence.sealed, ...sealed } };
};

/**
 * issuing-check.completed: the answer of the source, or why there is none. The first conclusive
 * answer counts; one that comes late, after an inconclusive one was published, is evaluated like
 * any other change.
 */
export const onIssuingCheckCompleted =
  ({ changer }: { changer: CaseChanger }) =>
  (event: Completed): Promise<void> =>
    changer.change(event, (before, sealer) => {
      const { evidenceId, checkId } = event.data;
      const after = changeEvidence(before, evidenceId, (evidence) =>
        evidence.checkId !== checkId || isConclusive(evidence) ? undefined : answered(evidence, event, sealer),
      );
      // Values that the source confirmed may be compared from now on, values that it denied may
      // not.
      return after && { after: sealer ? withoutAgreements(after, evidenceId) : after };
    });
