import type {
  ClientRole,
  Consent,
  DataOf,
  EvidenceType,
  evidenceSubmitted,
  IdentityOperationName,
  MediaReference,
  VerificationSettings,
} from '@assay/contracts';
import { formatDateTime, present } from '@assay/contracts';

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
  ...(evidence.identityCreationDateTime ? { identityCreationDateTime: evidence.identityCreationDateTime } : {}),
  media: evidence.media,
  ...(evidence.sealedSubmission ? { sealedSubmission: evidence.sealedSubmission } : {}),
  ...present({ sessionId: evidence.session?.sessionId }),
  consents: evidence.consents,
  settings: evidence.settings,
  ...present({ submittedBy: evidence.submittedBy, awaitedDocumentIds: evidence.awaitedDocumentIds }),
});
