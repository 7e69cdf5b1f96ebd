import { createInternalClient } from '@assay/http';
import type { Log } from '@assay/runtime';
import { createEvidenceIntake } from './evidence-intake.ts';
import { createNotifier } from './notifier.ts';
import { createProofBuilder } from './proof-builder.ts';
import { createVerificationWorker } from './verification-worker.ts';

export interface Addresses {
  EVIDENCE_INTAKE_URL: string;
  PROOF_BUILDER_URL: string;
  NOTIFIER_URL: string;
  VERIFICATION_WORKER_URL: string;
  INTERNAL_SECRET: string;
}

/** An upload may take as long as its client; an archive as long as its media. */
const UPLOAD_MS = 60_000;
const ARCHIVE_MS = 120_000;

/** The services the gateway calls. */
export const createClients = (at: Addresses, log: Log) => {
  const client = (baseUrl: string, timeoutMs = 10_000) =>
    createInternalClient({ baseUrl, secret: at.INTERNAL_SECRET, service: 'gateway', timeoutMs, log });
  return {
    intake: createEvidenceIntake(client(at.EVIDENCE_INTAKE_URL, UPLOAD_MS)),
    proofBuilder: createProofBuilder(client(at.PROOF_BUILDER_URL, ARCHIVE_MS)),
    notifier: createNotifier(client(at.NOTIFIER_URL)),
    worker: createVerificationWorker(client(at.VERIFICATION_WORKER_URL)),
  };
};
