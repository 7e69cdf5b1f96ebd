import {
  type contactChanged,
  type DataOf,
  DEFAULT_SETTINGS,
  type Envelope,
  present,
  type VerificationSettings,
} from '@assay/contracts';
import { type Case, type CaseEvidence, changeEvidence, withEvidence } from '../domain/case.ts';
import { bySubmission } from '../domain/facts.ts';
import type { CaseChanger } from '../flows/change-case.ts';
import { detailsOf } from '../flows/participant-details.ts';

type Changed = Envelope<DataOf<typeof contactChanged>>;

/** Contacts bring no settings of their own: those of the creation, or of the latest evidence. */
const settingsOf = (caseDocument: Case): VerificationSettings =>
  caseDocument.createdUnder ??
  [...caseDocument.evidences].sort(bySubmission).at(-1)?.settings ?? {
    policy: { name: DEFAULT_SETTINGS.policy, version: '' },
    acceptSpecimens: DEFAULT_SETTINGS.acceptSpecimens,
    issuingSources: { ...DEFAULT_SETTINGS.issuingSources },
    adjudication: { ...DEFAULT_SETTINGS.adjudication },
  };

const evidenceOf = ({ data }: Changed, caseDocument: Case, now: Date): CaseEvidence => {
  const raised = [`${data.channel === 'EMAIL' ? 'EMAIL' : 'MOBILE'}_OTP_VALIDATION_OK`];
  const result = { participantType: 'CLAIM_VERIFICATION' as const, accepted: true, raised, services: [] };
  const context = { evidenceId: data.evidenceId, startedAt: now, endedAt: now, blocking: false };
  return {
    evidenceId: data.evidenceId,
    type: data.channel === 'EMAIL' ? 'EMAIL' : 'MOBILE_OTP',
    kind: 'contact',
    submitDateTime: data.submitDateTime,
    settings: settingsOf(caseDocument),
    consents: [],
    participants: [detailsOf(result, context)],
    sealed: {},
    crops: [],
    media: [],
    contactRevision: data.contactRevision,
  };
};

/**
 * contact.changed: a contact whose one-time code was confirmed is an evidence, EMAIL or MOBILE_OTP;
 * before that it is none.
 */
export const onContactChanged =
  ({ changer, now }: { changer: CaseChanger; now: () => Date }) =>
  (event: Changed): Promise<void> =>
    changer.change(event, (before) => {
      const { evidenceId, verified, contactRevision } = event.data;
      if (!verified) return undefined;
      const fresh = evidenceOf(event, before, now());
      const after =
        withEvidence(before, fresh) ??
        changeEvidence(before, evidenceId, ({ lastPublished, ...former }) =>
          (former.contactRevision ?? 0) < contactRevision ? { ...fresh, ...present({ lastPublished }) } : undefined,
        );
      return after && { after };
    });
