import type { AuditAct } from '@assay/contracts';

/** A submission that was answered 2xx: the suite must not lose it. */
interface Accepted {
  identityId: string;
  evidenceId: string;
  /** The number of a passport about which the issuer is asked. */
  number?: string;
  hasPicture?: boolean;
  /** Additional files are in the proof alone: no notification tells of them, and no retrieval. */
  isFile?: boolean;
  /** What the engine finds in its picture: a passport's page, its holder's face or another one. */
  shows?: 'page' | 'self' | 'other';
}

interface RecordedConsent {
  consentId: string;
  type: string;
  approved: boolean;
}

/** What a client knows of the consents of its identity. */
export interface ConsentLog {
  /** Those on record, the newest last. */
  onRecord: RecordedConsent[];
  /** Those on record before a deletion of which it is not known whether it had its effect. */
  before?: RecordedConsent[];
  /** The ids of all that were ever recorded. */
  answered: string[];
  /** Evidences that the client has seen VERIFIED by an issuer, with the consent. */
  verified: Set<string>;
}

/** The clients' own log, against which the suite is checked. */
export interface Ledger {
  identities: Set<string>;
  accepted: Accepted[];
  /** Evidences whose deletion was requested. */
  deleted: Set<string>;
  /** Identities whose deletion was requested. */
  ended: Set<string>;
  /** Digests of the archives that the client of each identity received. */
  proofs: Map<string, Set<string>>;
  /** The archive that the client of each identity received. */
  archives: Map<string, Buffer>;
  /** Identities whose consent to ask issuers was withdrawn and not given anew. */
  withoutConsent: Set<string>;
  /**
   * Evidences whose consent was withdrawn after their submission, also where it was given anew.
   */
  withdrawn: Set<string>;
  /** What some clients know of the consents of their identities. */
  consents: Map<string, ConsentLog>;
  /** What must become of each chip, and with which right answers of it it was brought. */
  chips: Map<string, { wanted: string; isActive: boolean; isChip: boolean }>;
  /** Identities of which no portrait of a chip may be stored. */
  withoutPortrait: Set<string>;
  /** Numbers whose one-time code was sent back and accepted. */
  verified: { identityId: string; value: string }[];
  /** Identities that expire soon. */
  brief: Set<string>;
  /** Identities that were closed because their time was up. */
  timedOut: Set<string>;
  /** The policy under which each of some identities was re-evaluated last. */
  policies: Map<string, string>;
  /** Evidences that operators decide on. */
  adjudicated: Set<string>;
  /** The decisions that operators sent, and whether they were answered. */
  decisions: { evidenceId: string; operator: number; decision: 'ACCEPT' | 'REJECT'; isAnswered: boolean }[];
  /** Acts that were answered, of which the audit log must know. */
  acts: { act: AuditAct; id: string }[];
  /** Answers that the suite must not give. */
  forbidden: string[];
  underWay: number;
}

export const newLedger = (): Ledger => ({
  identities: new Set(),
  accepted: [],
  deleted: new Set(),
  ended: new Set(),
  proofs: new Map(),
  archives: new Map(),
  withoutConsent: new Set(),
  withdrawn: new Set(),
  consents: new Map(),
  chips: new Map(),
  withoutPortrait: new Set(),
  verified: [],
  brief: new Set(),
  timedOut: new Set(),
  policies: new Map(),
  adjudicated: new Set(),
  decisions: [],
  acts: [],
  forbidden: [],
  underWay: 0,
});
