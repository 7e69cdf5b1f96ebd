import type { ErrorName } from '@assay/contracts';

/**
 * Where an error comes from: a file that names it, `policies` for those that policies tell of an
 * evidence, or why it never comes.
 */
export type ErrorOrigin = { in: string } | { policies: true } | { why: string };

const sides = { in: 'libs/engine/src/rules/side-rules.ts' };
const engine = { in: 'libs/engine/src/rules/document-indicators.ts' };
const gateway = (file: string) => ({ in: `services/gateway/src/${file}` });
const worker = (file: string) => ({ in: `services/verification-worker/src/${file}` });
const policies = { policies: true } as const;

export const ERROR_ORIGINS: Record<ErrorName, ErrorOrigin> = {
  BAD_FIELD: { in: 'libs/http/src/body.ts' },
  BAD_IMAGE: { in: 'libs/engine/src/jobs.ts' },
  DOCUMENT_EXPIRED: engine,
  TYPE_NOT_SUPPORTED: engine,
  INVALID_DOCUMENT: engine,
  IMAGE_TOO_LARGE: { in: 'services/evidence-intake/src/flows/media-storage.ts' },
  TOO_MANY_PIXELS: { in: 'services/evidence-intake/src/domain/image-rules.ts' },
  QUALITY_TOO_LOW: engine,
  SIDE_MISSING: sides,
  UNEXPECTED_ISSUER: worker('flows/image-ocr.ts'),
  UNREADABLE: engine,
  TOO_DARK: engine,
  GLARE: engine,
  BLUR: engine,
  DAMAGED: { why: 'no measure of damage was found that tells a tear from print' },
  PART_MISSING: engine,
  SEVERAL_DOCUMENTS: engine,
  JURISDICTION: { why: 'another jurisdiction than the declared one is no error: DOC_ISSUING_COUNTRY_WARNING says it' },
  TEXT_IN_BACKGROUND: engine,
  KEYSTONE: engine,
  TOO_CLOSE: { why: 'a document that reaches out of the picture is told as PART_MISSING' },
  TOO_FAR: {
    why: 'a document that is too far is told as QUALITY_TOO_LOW where its characters get too small (4 of 12, indicators.md)',
  },
  BARCODE_UNREADABLE: engine,
  OBSCURED: engine,
  RESOLUTION_TOO_LOW: { in: 'services/evidence-intake/src/domain/image-rules.ts' },
  PORTRAIT_QUALITY: { in: 'libs/engine/src/rules/portrait-indicators.ts' },
  PORTRAIT_MISMATCH: policies,
  NO_REFERENCE: policies,
  PORTRAIT_UNDECIDED: policies,
  CHIP_MALFORMED: worker('flows/chip.ts'),
  CHIP_PORTRAIT: worker('flows/chip.ts'),
  CHIP_NOT_READ: worker('flows/chip.ts'),
  CONSENT_MISSING: gateway('domain/submissions.ts'),
  UNAUTHENTICATED: gateway('http/authenticate.ts'),
  WRONG_ROLE: gateway('http/authenticate.ts'),
  PROOF_WHILE_PROCESSING: gateway('domain/retrieval.ts'),
  FOREIGN_ORIGIN: gateway('http/authenticate.ts'),
  NO_SANDBOX: { in: 'services/gateway/src/http/sandbox.ts' },
  NOT_FOUND: { in: 'libs/http/src/app.ts' },
  METHOD_NOT_ALLOWED: { in: 'libs/http/src/app.ts' },
  NOT_ACCEPTABLE: { why: 'a reply has one form, whatever `Accept` says' },
  REQUEST_TIMEOUT: { in: 'libs/http/src/slow-senders.ts' },
  STATE_CONFLICT: gateway('domain/change.ts'),
  IDEMPOTENCY_RUNNING: gateway('http/idempotency.ts'),
  CLOSED: gateway('domain/identity.ts'),
  SESSION_ELSEWHERE: gateway('domain/user-agent-session.ts'),
  BODY_TOO_LARGE: { in: 'libs/http/src/body.ts' },
  UNSUPPORTED_MEDIA_TYPE: { in: 'libs/http/src/body.ts' },
  IDEMPOTENCY_MISMATCH: gateway('http/idempotency.ts'),
  TOO_MANY_REQUESTS: gateway('http/limits.ts'),
  OTP_EXPIRED: gateway('domain/contacts.ts'),
  OTP_WRONG: gateway('flows/contacts.ts'),
  OTP_LOCKED: gateway('domain/contacts.ts'),
  OTP_NOT_STARTED: gateway('domain/contacts.ts'),
  INTERNAL: { in: 'libs/http/src/app.ts' },
  UPSTREAM: { in: 'services/issuing-source-adapter/src/flows/ask-source.ts' },
  UNAVAILABLE: { in: 'libs/http/src/internal-client.ts' },
  PROOF_NOT_READY: { in: 'services/proof-builder/src/flows/await-history.ts' },
  PROCESSING_FAILED: { in: 'services/evidence-intake/src/domain/reissue.ts' },
  ADJUDICATION_REJECTED: policies,
  ADJUDICATION_EXPIRED: policies,
  ISSUER_MISMATCH: policies,
  ISSUER_INCONCLUSIVE: policies,
  CHECKS_MISSING: worker('domain/evaluate-evidence.ts'),
  FIELDS_DISAGREE: policies,
  ATTRIBUTES_DISAGREE: policies,
  SAME_SIDE_TWICE: sides,
  SIDES_SWAPPED: sides,
  SESSION_TIMEOUT: { in: 'services/evidence-intake/src/flows/session-timeouts.ts' },
};
