/** The client of the service: its API, webhooks, and proofs verified offline. */
export type { NfcSession } from '@assay/contracts';
export { type AssayClient, createAssayClient } from './api/client.ts';
export type { AssayClientOptions, CallOptions, OperationId, ReplyOf } from './api/connection.ts';
export { canonicalStatus, type WaitOptions } from './api/reading.ts';
export { AssayRefusal, AssayTimeout, AssayUnreachable } from './api/refusal.ts';
export {
  type AuditCheckpoint,
  type AuditEntry,
  type AuditExport,
  type AuditReport,
  type DeletionReceipt,
  type ReceiptReply,
  verifyAudit,
  verifyReceipt,
  verifyReceiptReply,
} from './audit/verify-audit.ts';
export { type NamedTrustFile, trustOf } from './chip/trust.ts';
export { readKeys, type VerificationKey } from './proof/keys.ts';
export {
  CHECKS,
  type CheckName,
  type ChipReport,
  type ProofFile,
  type ProofReport,
  type Reason,
  UnusableInput,
} from './proof/report.ts';
export { verifySignature } from './proof/signature.ts';
export { type Inspected, inspectProof, type VerifyOptions, verifyProof } from './proof/verify-proof.ts';
export { showProof } from './show/show-proof.ts';
export { verifyWebhook, type WebhookRequest, type WebhookSecurity } from './webhook/verify-webhook.ts';
