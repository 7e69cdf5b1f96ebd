/**
 * What the package `@assay/client` gives to Node: the API, webhooks, and proofs verified. Its
 * declarations name no other package.
 */
import type { VerificationKey } from './proof/keys.ts';
import type { ProofReport } from './proof/report.ts';
import { verifyProof as verify } from './proof/verify-proof.ts';
import { showProof as show } from './show/show-proof.ts';

export { type AssayClient, type CreationContext, createAssayClient } from './api/client.ts';
export type { AssayClientOptions, CallOptions, Input, OperationId, ReplyOf } from './api/connection.ts';
export type * from './api/operations.d.ts';
export { canonicalStatus, type WaitOptions } from './api/reading.ts';
export { AssayRefusal, AssayTimeout, AssayUnreachable, type RefusalError } from './api/refusal.ts';
export type { DocumentImages } from './api/submissions.ts';
export { readKeys, type VerificationKey } from './proof/keys.ts';
export { CHECKS, type CheckName, type ProofReport, type Reason, UnusableInput } from './proof/report.ts';
export { verifyWebhook, type WebhookRequest, type WebhookSecurity } from './webhook/verify-webhook.ts';

const bufferOf = (proof: string | Uint8Array): string | Buffer =>
  typeof proof === 'string' ? proof : Buffer.from(proof.buffer, proof.byteOffset, proof.byteLength);

/**
 * The keys a suite publishes, to verify its proofs with, of this address and no other. Keep them: a
 * proof is verified offline.
 */
export const publishedKeys = async (baseUrl: string): Promise<string> => {
  const answer = await fetch(`${baseUrl.replace(/\/$/, '')}/.well-known/jwks.json`, { redirect: 'error' });
  if (!answer.ok) throw new Error(`the keys cannot be had: ${answer.status}`);
  return answer.text();
};

/** Verifies a proof offline: its bytes, or the path of a file of any size. */
export const verifyProof = (proof: string | Uint8Array, keys: readonly VerificationKey[]): Promise<ProofReport> =>
  verify(bufferOf(proof), keys);

/** A proof as one HTML page that needs nothing else. */
export const showProof = (
  proof: string | Uint8Array,
  keys: readonly VerificationKey[],
): Promise<{ html: string; report: ProofReport }> => show(bufferOf(proof), keys);
