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
 * What a case knows, and all that an evaluation looks at: nothing personal. Facts are only added,
 * replaced by newer ones of the same kind, or go with a deleted evidence; the order in which they
 * came does not show in them.
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
  /** As declared, and as recognised from then on. */
  type: EvidenceType;
  kind: EvidenceKind;
  submitDateTime: string;
  /** Settings of the tenant and consents in force when it was submitted. */
  settings: VerificationSettings;
  consents: Consent[];
  /**
   * What each participant did; matching of faces is not among them, it follows from `comparisons`.
   */
  participants: ParticipantDetails[];
  /** An issuing source was asked and has not answered. */
  awaitingIssuer?: boolean;
  /** Role of the key that submitted it; absent where a former version stored it. */
  submittedBy?: ClientRole;
  /**
   * A portrait: documents that were being verified when it came. It is PROCESSING until each of
   * them ended or was deleted.
   */
  awaits?: string[];
  /** Data was read from it. */
  extracted?: boolean;
  /** A document whose last day was over when the case was evaluated, and not yet when it came. */
  expired?: true;
  /** Its face can be compared; `width` in pixels of its picture. */
  face?: { width: number };
  /** Of a chip: the image evidence whose zone opened it. */
  imageEvidenceId?: string;
  /** Of a sandbox: what the comparison with a reference is to say. */
  playedMatching?: string[];
  /** Ends NOT_VERIFIED with this, whatever was found. */
  endedBy?: 'SESSION_TIMEOUT' | 'PROCESSING_FAILED';
  adjudication?: Adjudication;
}

/**
 * One request to the operators, and their answer. A portrait's answer holds for the reference it
 * was compared with.
 */
export interface Adjudication {
  caseId: string;
  requestedAt: string;
  expiresAt: string;
  referenceId?: string;
  /** Chips that the operators were shown. */
  chipIds?: string[];
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
 * What comes of a statement beside a document: ALL it states is confirmed by it, SOME, NONE, or
 * something is CONTRADICTED.
 */
export type StatementResult = 'ALL' | 'SOME' | 'NONE' | 'CONTRADICTED';

/** What two evidences say of the same person; UNKNOWN where one of them says nothing. */
export interface Agreement {
  a: string;
  b: string;
  surname: FieldAgreement;
  givenNames: FieldAgreement;
  dateOfBirth: FieldAgreement;
  /** Other values both state: gender, eye colour, height. */
  others: FieldAgreement;
  address: FieldAgreement;
  /** The same document twice: same type and number; an image and a chip, same issuer and number. */
  sameDocument: boolean;
  /** Of a statement and a document: all that is stated, and its names. */
  statement?: { all: StatementResult; names: StatementResult };
  /**
   * The machine-readable zones of an image and a chip; absent where one of them has none that was
   * read without doubt.
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

/** A hundred evidences are five thousand pairs, and an evaluation looks up each of them. */
const indexed = (agreements: readonly Agreement[]): Map<string, Agreement> => {
  const known = agreementsByPair.get(agreements);
  if (known) return known;
  const index = new Map(agreements.map((one) => [pairOf(one.a, one.b), one]));
  agreementsByPair.set(agreements, index);
  return index;
};

/** The agreement of two evidences, whichever way round it was recorded. */
export const agreementOf = ({ agreements }: CaseFacts, one: string, other: string): Agreement | undefined =>
  indexed(agreements).get(pairOf(one, other));

const DOCUMENT_KINDS: readonly EvidenceKind[] = ['documentImage', 'documentChip', 'documentText', 'healthCard'];
export const isDocument = ({ kind }: { kind: EvidenceKind }): boolean => DOCUMENT_KINDS.includes(kind);

/** Earlier first; ids decide between two of one millisecond, so that every reader sorts alike. */
export const bySubmission = (
  a: { submitDateTime: string; evidenceId: string },
  b: { submitDateTime: string; evidenceId: string },
): number => a.submitDateTime.localeCompare(b.submitDateTime) || a.evidenceId.localeCompare(b.evidenceId);
