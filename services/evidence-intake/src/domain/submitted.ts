import {
  type ClientRole,
  type Consent,
  type DataOf,
  type EvidenceType,
  type evidenceSubmitted,
  formatDateTime,
  type IdentityOperationName,
  type MediaReference,
  present,
  type VerificationSettings,
} from '@assay/contracts';

/** What evidence.submitted tells of an evidence, from its record. */
export const submittedData = (evidence: {
  _id: string;
  type: EvidenceType;
  operation: IdentityOperationName;
  submitDateTime: Date;
  identityCreationDateTime?: string;
  media: MediaReference[];
  sealedSubmission?: string;
  session?: { sessionId: string };
  consents: Consent[];
  settings: VerificationSettings;
  submittedBy?: ClientRole;
  awaitedDocumentIds?: string[];
}): DataOf<typeof evidenceSubmitted> => ({
  evidenceId: evidence._id,
  type: evidence.type,
  operation: evidence.operation,
  submitDateTime: formatDateTime(evidence.submitDateTime),
  ...present({ identityCreationDateTime: evidence.identityCreationDateTime }),
  media: evidence.media,
  ...present({ sealedSubmission: evidence.sealedSubmission, sessionId: evidence.session?.sessionId }),
  consents: evidence.consents,
  settings: evidence.settings,
  ...present({ submittedBy: evidence.submittedBy, awaitedDocumentIds: evidence.awaitedDocumentIds }),
});
