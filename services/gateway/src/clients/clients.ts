import { createInternalClient, type InternalKeys, type ServiceName } from '@assay/http';
import type { Log } from '@assay/runtime';
import { createDoctorClient } from './doctor.ts';
import { createEvidenceIntake } from './evidence-intake.ts';
import { createNotifier } from './notifier.ts';
import { createProofBuilder } from './proof-builder.ts';
import { createVerificationWorker } from './verification-worker.ts';

export interface Addresses {
  EVIDENCE_INTAKE_URL: string;
  PROOF_BUILDER_URL: string;
  NOTIFIER_URL: string;
  VERIFICATION_WORKER_URL: string;
  ISSUING_SOURCE_ADAPTER_URL: string;
}

/** An upload may take as long as its client; an archive as long as its media. */
const UPLOAD_MS = 60_000;
const ARCHIVE_MS = 120_000;

/** The services the gateway calls. */
export const createClients = (at: Addresses, keys: InternalKeys, log: Log) => {
  const client = (to: ServiceName, baseUrl: string, limits: { timeoutMs?: number; uploadMs?: number } = {}) =>
    createInternalClient({ baseUrl, keys, to, ...limits, log });
  return {
    intake: createEvidenceIntake(client('evidence-intake', at.EVIDENCE_INTAKE_URL, { uploadMs: UPLOAD_MS })),
    proofBuilder: createProofBuilder(
      client('proof-builder', at.PROOF_BUILDER_URL),
      client('proof-builder', at.PROOF_BUILDER_URL, { timeoutMs: ARCHIVE_MS }),
    ),
    notifier: createNotifier(client('notifier', at.NOTIFIER_URL)),
    worker: createVerificationWorker(client('verification-worker', at.VERIFICATION_WORKER_URL)),
    doctor: createDoctorClient({
      'evidence-intake': client('evidence-intake', at.EVIDENCE_INTAKE_URL),
      'verification-worker': client('verification-worker', at.VERIFICATION_WORKER_URL),
      'issuing-source-adapter': client('issuing-source-adapter', at.ISSUING_SOURCE_ADAPTER_URL),
      'proof-builder': client('proof-builder', at.PROOF_BUILDER_URL),
      notifier: client('notifier', at.NOTIFIER_URL),
    }),
  };
};
