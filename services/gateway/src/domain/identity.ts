import {
  type Consent,
  type ErrorObject,
  type EvaluatedIdentity,
  type EvidenceStatusValue,
  type EvidenceType,
  type IdentityOperationName,
  type KeyRole,
  present,
  type SandboxKind,
  type SandboxPlay,
  type TrustLevel,
  type VerificationSettings,
} from '@assay/contracts';
import type { Contact } from './contact.ts';

/**
 * The state of a transaction. PROVING: a proof was asked for and is being built or downloaded,
 * nothing can be submitted any more. CLOSING: decided for good, the key is being destroyed. ERROR:
 * work on a paused identity failed for good; readable until its time is up.
 */
export const STATES = ['OPEN', 'PAUSED', 'ERROR', 'PROVING', 'CLOSING', 'CLOSED'] as const;
type State = (typeof STATES)[number];
export const CLOSING_REASONS = ['PROOF_RETRIEVED', 'TIMEOUT', 'DELETED', 'ERROR'] as const;
export type ClosingReason = (typeof CLOSING_REASONS)[number];

/**
 * One evidence as the client sees it: what was submitted, and the newest evaluation of it
 * (`evidenceRevision` 0 before the first).
 */
export interface Evidence {
  evidenceId: string;
  type: EvidenceType;
  operation: IdentityOperationName;
  submitDateTime: string;
  status: EvidenceStatusValue;
  evidenceRevision: number;
  /** Revisions whose evaluation was announced to the client: each once. */
  publishedRevisions: number[];
  /** Set for live capture: frames go to this session. */
  sessionId?: string;
  /** False while a live capture session has no frames. */
  captured?: boolean;
  strength?: TrustLevel;
  score?: TrustLevel;
  isAdjudicable?: boolean;
  evaluationDateTime?: string;
  positiveIndicators?: string[];
  warningIndicators?: string[];
  unverifiedIndicators?: string[];
  errors?: ErrorObject[];
  referenceIds?: string[];
  portraitQuality?: boolean;
  portraitData?: { source?: string; channel?: string };
  /** Sealed JSON {idDocumentData?, attributesData?, addressData?}. */
  sealedData?: string;
  /** Of a sandbox tenant: the armed outcome of this evidence. */
  play?: SandboxPlay;
}

/**
 * A submission that is being sent to evidence-intake. It makes the identity PROCESSING, so that no
 * proof is built without it.
 */
export interface Reservation {
  evidenceId: string;
  type: EvidenceType;
  operation: IdentityOperationName;
  at: Date;
  /** Renewed while the request runs; after it, the request has ended without a result. */
  leaseUntil: Date;
  play?: SandboxPlay;
}

/** A retrieval of the proof: its id, its builder, and the result. */
export interface ProofState {
  proofId: string;
  leaseUntil: Date;
  tenantRole: 'RELYING_SERVICE' | 'USER_AGENT';
  /** `graceUntil` is prolonged while a client downloads, and once more when the identity closes. */
  built?: { bytes: number; filename: string; graceSeconds: number; graceUntil: Date };
}

/** An idempotency key whose effect is in this document, with the reply it gave. */
export interface Marker {
  lockId: string;
  status: number;
  /** Sealed JSON of the body. */
  sealedBody?: string;
  /** The same in clear, as former releases stored it. */
  body?: unknown;
}

/** An armed outcome. `leftBy`: the submission that had taken it and never arrived. */
export type ArmedPlay = SandboxPlay & { leftBy?: string };

/**
 * The transaction and the read model of every GET: one document, changed by one write at a time.
 */
export interface Identity {
  _id: string;
  tenantId: string;
  revision: number;
  state: State;
  createdAt: Date;
  /** End of the transaction, or of the pause. */
  expiresAt: Date;
  creatorRole: KeyRole;
  settings: VerificationSettings;
  /** What the relying service calls the person, sealed under the notice key. */
  sealedBusinessId?: string;
  /** Keyed hash of the business id, by which it is found. */
  businessRef?: string;
  /** The proof that this one continues, as the client calls it; sealed. */
  sealedPreviousProofId?: string;
  /** The same in clear, as former releases stored it. */
  previousProofId?: string;
  consents: Consent[];
  consentsRevision: number;
  evidences: Evidence[];
  reservations: Reservation[];
  deletedEvidenceIds: string[];
  operationIds: string[];
  caseRevision: number;
  evaluated?: EvaluatedIdentity;
  /**
   * The revisions that the next evaluation must include: until then, the former level is not in
   * force.
   */
  awaited?: { deletions: number; consentsRevision: number };
  proof?: ProofState;
  closing?: { reason: ClosingReason; since: Date };
  closedAt?: Date;
  /** Of a closed identity: the sessions of its evidences, whose ids answer 410 as its own does. */
  endedSessionIds?: string[];
  /** Until when a closed identity answers 410 and has a receipt; then nobody finds it. */
  answersUntil?: Date;
  /** When its tombstone is removed: no message about it is left by then. */
  forgetAt?: Date;
  /** When the closing is published again. */
  repeatAt?: Date;
  /** Published events that the outbox may republish; no rule reads them. */
  said?: object[];
  saidDueAt?: Date;
  /** The deletion receipt, once it was asked for. */
  receipt?: { jws: string; kid: string };
  markers: Marker[];
  contacts: Contact[];
  /** When the next one-time code runs out. */
  otpDueAt?: Date;
  /** Of a sandbox tenant: what the next submission of a kind is to come to. */
  armed?: Partial<Record<SandboxKind, ArmedPlay>>;
}

/** Bounds of the arrays above; beyond them a submission is refused. */
export const BOUNDS = {
  evidences: 100,
  /** Submissions at the same time. */
  reservations: 32,
  consents: 500,
  operations: 2000,
  markers: 100,
  publishedRevisions: 100,
} as const;

/** Whether there is no room for another evidence, those on their way included. */
export const isFull = ({ evidences, reservations }: Pick<Identity, 'evidences' | 'reservations'>): boolean =>
  evidences.length + reservations.length >= BOUNDS.evidences;

export interface Beginning {
  identityId: string;
  tenantId: string;
  role: KeyRole;
  settings: VerificationSettings;
  lifetimeSeconds: number;
  /** What the relying service calls the person, sealed under the notice key. */
  sealedBusinessId?: string;
  businessRef?: string;
  sealedPreviousProofId?: string;
}

export const secondsAfter = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1000);

/** A new transaction: EXPECTING_INPUT, LOA0, its clock running. */
export const begin = (from: Beginning, now: Date): Identity => ({
  _id: from.identityId,
  tenantId: from.tenantId,
  revision: 0,
  state: 'OPEN',
  createdAt: now,
  expiresAt: secondsAfter(now, from.lifetimeSeconds),
  creatorRole: from.role,
  settings: from.settings,
  ...present({
    sealedBusinessId: from.sealedBusinessId,
    businessRef: from.businessRef,
    sealedPreviousProofId: from.sealedPreviousProofId,
  }),
  consents: [],
  consentsRevision: 0,
  evidences: [],
  reservations: [],
  deletedEvidenceIds: [],
  operationIds: [],
  caseRevision: 0,
  markers: [],
  contacts: [],
});
