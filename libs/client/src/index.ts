/** The client of the service: its API, webhooks, and proofs verified offline. */

export {
  type AssayClient,
  type AssayClientOptions,
  AssayRefusal,
  canonicalStatus,
  createAssayClient,
} from './api/client.ts';
export {
  type AuditCheckpoint,
  type AuditEntry,
  type AuditExport,
  type AuditReport,
  type DeletionReceipt,
  verifyAudit,
  verifyReceipt,
} from './audit/verify-audit.ts';
export { readKeys, type VerificationKey } from './proof/keys.ts';
export {
  CHECKS,
  type CheckName,
  type ProofFile,
  type ProofReport,
  type Reason,
  UnusableInput,
} from './proof/report.ts';
export { verifySignature } from './proof/signature.ts';
export { type Inspected, inspectProof, type VerifyOptions, verifyProof } from './proof/verify-proof.ts';
export { verifyWebhook, type WebhookRequest, type WebhookSecurity } from './webhook/verify-webhook.ts';
