import type {
  CaseWithdrawal,
  ClientRole,
  Consent,
  ConsentFacts,
  EvidenceType,
  ParticipantDetails,
  VerificationSettings,
} from '@assay/contracts';
import type { EvidenceKind } from '@assay/policy';

/**
 * Everything an evaluation looks at; nothing personal is in it. Facts are only added, replaced by
 * newer ones of the same kind, or removed with a deleted evidence. The order in which they arrived
 * makes no difference.
 */
export interface CaseFacts {
  evidences: EvidenceFacts[];
  consents: ConsentFacts;
  /** Every portrait against every other face of the case. */
  comparisons: FaceComparison[];
  /** Every two evidences that state a name, a date of birth or an address. */
  agreements: Agreement[];
}

export interface EvidenceFacts {
  evidenceId: string;
  /** The declared type; once the document was recognised, the recognised one. */
  type: EvidenceType;
  kind: EvidenceKind;
  submitDateTime: string;
  /** Settings of the tenant and consents in force when it was submitted. */
  settings: VerificationSettings;
  consents: Consent[];
  /** What each participant did. Face matching is not among them: it follows from `comparisons`. */
  participants: ParticipantDetails[];
  /** An issuing source was asked and has not answered. */
  awaitingIssuer?: boolean;
  /** Role of the key that submitted it; absent where a former version stored it. */
  submittedBy?: ClientRole;
  /**
   * Of a portrait: the documents that were in verification when it was submitted. It is PROCESSING
   * until each of them has ended or was deleted.
   */
  awaits?: string[];
  /** Data was read from it. */
  extracted?: boolean;
  /** The document expired after it was submitted and before the case was evaluated. */
  expired?: true;
  /** Its face can be compared; `width` in pixels of its picture. */
  face?: { width: number };
  /** Of a chip: the image evidence whose zone gave the key to the chip. */
  imageEvidenceId?: string;
  /** Of a sandbox: the result that a comparison with a reference has. */
  playedMatching?: string[];
  /** The error with which the evidence ends NOT_VERIFIED, whatever else was found. */
  endedBy?: 'SESSION_TIMEOUT' | 'PROCESSING_FAILED';
  adjudication?: Adjudication;
}

/**
 * One question to the operators, and their answer. The answer about a portrait applies to the
 * reference it was compared with.
 */
export interface Adjudication {
  caseId: string;
  requestedAt: string;
  expiresAt: string;
  referenceId?: string;
  /** Chips that the operators were shown. */
  chipIds?: string[];
  /**
   * Whether the operators were told that the portrait is a document's own photograph. Questions of
   * former versions do not say.
   */
  samePhoto?: boolean;
  /**
   * The evidence left ADJUDICATION before anybody decided; it is asked about anew if it comes back.
   */
  withdrawn?: { at: string; reason: CaseWithdrawal };
  answer?: {
    decision: 'ACCEPT' | 'REJECT' | 'EXPIRED';
    reasons: string[];
    decidedAt: string;
    details: AdjudicationStep[];
  };
}

interface AdjudicationStep {
  operatorId: string;
  decision: 'ACCEPT' | 'REJECT';
  reasons: string[];
  startTime: string;
  endTime: string;
}

export interface FaceComparison {
  portraitId: string;
  referenceId: string;
  distance: number;
  /** Width in pixels of the face on the reference. */
  referenceWidth: number;
  model: string;
  startedAt: string;
  responseTimeMs: number;
}

export type FieldAgreement = 'AGREE' | 'DISAGREE' | 'UNKNOWN';

/**
 * The result of comparing a statement with a document: the document confirms ALL of it, SOME or
 * NONE, or something is CONTRADICTED.
 */
export type StatementResult = 'ALL' | 'SOME' | 'NONE' | 'CONTRADICTED';

export interface StatementAgreement {
  all: StatementResult;
  names: StatementResult;
}

/** How two evidences agree about the person; UNKNOWN if one of them states nothing. */
export interface Agreement {
  a: string;
  b: string;
  surname: FieldAgreement;
  givenNames: FieldAgreement;
  dateOfBirth: FieldAgreement;
  /** Other values both state: gender, eye colour, height. */
  others: FieldAgreement;
  address: FieldAgreement;
  /**
   * Whether both are the same document: type and number are the same, or, for an image and a chip,
   * issuer and number.
   */
  sameDocument: boolean;
  /** Of a statement and a document: all that is stated, and its names. */
  statement?: StatementAgreement;
  /** The same without what only the issuer of the document confirmed, once it confirmed it. */
  statementWithoutIssuer?: StatementAgreement;
  /**
   * Whether the machine-readable zones of an image and a chip are equal; absent if one of the two
   * has no zone that was read without doubt.
   */
  zone?: FieldAgreement;
}

export const noFacts = (): CaseFacts => ({
  evidences: [],
  consents: { known: [], revision: 0, deleted: [] },
  comparisons: [],
  agreements: [],
});

const pairOf = (one: string, other: string): string => (one < other ? `${one} ${other}` : `${other} ${one}`);

const agreementsByPair = new WeakMap<readonly Agreement[], Map<string, Agreement>>();

/** Agreements by pair: a hundred evidences are 4,950 pairs, and an evaluation looks up each. */
const indexed = (agreements: readonly Agreement[]): Map<string, Agreement> => {
  const known = agreementsByPair.get(agreements);
  if (known) return known;
  const index = new Map(agreements.map((one) => [pairOf(one.a, one.b), one]));
  agreementsByPair.set(agreements, index);
  return index;
};

/** The agreement of two evidences, in either order. */
export const agreementOf = ({ agreements }: CaseFacts, one: string, other: string): Agreement | undefined =>
  indexed(agreements).get(pairOf(one, other));

const DOCUMENT_KINDS: readonly EvidenceKind[] = ['documentImage', 'documentChip', 'documentText', 'healthCard'];
export const isDocument = ({ kind }: { kind: EvidenceKind }): boolean => DOCUMENT_KINDS.includes(kind);

/**
 * Sorts by time; ids decide between two of one millisecond, so that the order is the same
 * everywhere.
 */
export const bySubmission = (
  a: { submitDateTime: string; evidenceId: string },
  b: { submitDateTime: string; evidenceId: string },
): number => a.submitDateTime.localeCompare(b.submitDateTime) || a.evidenceId.localeCompare(b.evidenceId);
