import {
  AddressRequestSchema,
  AttributesRequestSchema,
  CaseSummarySchema,
  CaseViewSchema,
  ChipDataRequestSchema,
  ConsentRequestSchema,
  ConsentSchema,
  DocumentTextSchema,
  ErrorSchema,
  EvaluationNotificationSchema,
  EvidenceRecordSchema,
  EvidenceStatusReplySchema,
  EvidenceStatusSchema,
  GlobalStatusSchema,
  HealthCardSchema,
  IdDocumentDataSchema,
  IdentityCreatedSchema,
  IdentitySchema,
  IdentityStatusReplySchema,
  NfcSessionReplySchema,
  NfcSessionRequestSchema,
  PortraitRecordSchema,
  ProblemSchema,
  SandboxPlaySchema,
  StatusNotificationSchema,
  SubmissionReplySchema,
} from '@assay/contracts';
import { table } from '@assay/contracts/table';

/** Shapes that readers know by a name. */
const NAMED = table<object>({
  Problem: ProblemSchema,
  ErrorObject: ErrorSchema,
  IdentityCreated: IdentityCreatedSchema,
  Identity: IdentitySchema,
  GlobalStatus: GlobalStatusSchema,
  IdentityStatus: IdentityStatusReplySchema,
  IdDocumentData: IdDocumentDataSchema,
  EvidenceRecord: EvidenceRecordSchema,
  EvidenceEvaluation: EvidenceStatusSchema,
  PortraitRecord: PortraitRecordSchema,
  EvidenceStatus: EvidenceStatusReplySchema,
  Submission: SubmissionReplySchema,
  ConsentRequest: ConsentRequestSchema,
  Consent: ConsentSchema,
  DocumentText: DocumentTextSchema,
  HealthCard: HealthCardSchema,
  Attributes: AttributesRequestSchema,
  Address: AddressRequestSchema,
  ChipSessionRequest: NfcSessionRequestSchema,
  ChipSession: NfcSessionReplySchema,
  ChipData: ChipDataRequestSchema,
  SandboxPlay: SandboxPlaySchema,
  CaseSummary: CaseSummarySchema,
  Case: CaseViewSchema,
  EvaluationNotification: EvaluationNotificationSchema,
  StatusNotification: StatusNotificationSchema,
});

const nameOf = new Map(Object.entries(NAMED).map(([name, schema]) => [JSON.stringify(schema), name]));

const inside = (value: object): object =>
  Array.isArray(value)
    ? value.map(named)
    : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, named(inner)]));

/** The value with a reference in place of each shape that has a name. */
export const named = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null) return value;
  const name = nameOf.get(JSON.stringify(value));
  return (name ? { $ref: `#/components/schemas/${name}` } : inside(value)) as T;
};

/** The shapes themselves, each made of the others. */
export const namedSchemas = (): object =>
  Object.fromEntries(Object.entries(NAMED).map(([name, schema]) => [name, inside(schema)]));
