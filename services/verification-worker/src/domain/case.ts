import type { EvaluatedEvidence, EvaluatedIdentity, VerificationSettings } from '@assay/contracts';
import { bySubmission, type CaseFacts, type ConsentFacts, type EvidenceFacts } from './facts.ts';

/** One evidence as the case keeps it: its facts, what of it is sealed, and what was last told of it. */
export interface CaseEvidence extends EvidenceFacts {
  sealed: SealedParts;
  /** Crops stored in evidence-intake. */
  crops: { mediaId: string; originalMediaId: string }[];
  /** Captures an operator may look at. */
  media: { mediaId: string; label: string }[];
  portraitData?: { source?: string; channel?: string };
  portraitQuality?: boolean;
  /** The question put to an issuing source; asked again under the same id. */
  checkId?: string;
  contactRevision?: number;
  /** As last published. */
  told?: EvaluatedEvidence;
}

/** Everything personal of an evidence, sealed with the identity's key; it can be read only while a message brings that key. */
export interface SealedParts {
  /** EvidenceData: what was read or stated, and what of it is confirmed. */
  data?: string;
  /** What replies show while it is VERIFIED, and while it is not. */
  ifVerified?: string;
  otherwise?: string;
  /** What the proof shows. */
  details?: string;
  /** Template of its face. */
  face?: string;
  /** What operators see of it. */
  fields?: string;
  /** The question to the issuing source. */
  question?: string;
}

/** A case: what an identity's evidence says. One document per identity. */
export interface Case {
  _id: string;
  tenantId: string;
  revision: number;
  /** Policy and settings the identity was created under. */
  createdUnder?: VerificationSettings;
  /** The policy an administrator had it re-evaluated under; it holds from then on. */
  judgedUnder?: { name: string; version: string };
  evidences: CaseEvidence[];
  consents: ConsentFacts;
  comparisons: CaseFacts['comparisons'];
  agreements: CaseFacts['agreements'];
  /** Ids of evidences that are gone: late news of them has no effect. */
  deleted: string[];
  /** The identity's part as last published. */
  told?: EvaluatedIdentity;
}

/**
 * The policy an identity is judged under: the one it began with, which is that of its creation, or of its first evidence while the creation was not heard of;
 * unless it was re-evaluated under another one on purpose.
 */
export const policyOf = (
  of: Pick<Case, 'createdUnder' | 'judgedUnder' | 'evidences'>,
): { name: string; version?: string } =>
  of.judgedUnder ??
  of.createdUnder?.policy ??
  [...of.evidences].sort(bySubmission)[0]?.settings.policy ?? { name: 'default' };

/** The case without an evidence and everything that was compared with it. */
export const withoutEvidence = <C extends Case>(of: C, evidenceId: string): C => ({
  ...of,
  evidences: of.evidences.filter((one) => one.evidenceId !== evidenceId),
  comparisons: of.comparisons.filter((one) => one.portraitId !== evidenceId && one.referenceId !== evidenceId),
  agreements: of.agreements.filter(({ a, b }) => a !== evidenceId && b !== evidenceId),
  deleted: of.deleted.includes(evidenceId) ? of.deleted : [...of.deleted, evidenceId],
});

/** Adds an evidence, unless it is gone or there already. */
export const withEvidence = <C extends Case>(of: C, evidence: CaseEvidence): C | undefined =>
  of.deleted.includes(evidence.evidenceId) || of.evidences.some((one) => one.evidenceId === evidence.evidenceId)
    ? undefined
    : { ...of, evidences: [...of.evidences, evidence] };

/** Changes an evidence; undefined when it is not there or the change is none. */
export const changeEvidence = <C extends Case>(
  of: C,
  evidenceId: string,
  change: (evidence: CaseEvidence) => CaseEvidence | undefined,
): C | undefined => {
  const before = of.evidences.find((one) => one.evidenceId === evidenceId);
  const after = before && change(before);
  if (!after) return undefined;
  return { ...of, evidences: of.evidences.map((one) => (one === before ? after : one)) };
};

/** The facts of a case: nothing personal is in them. */
export const factsOf = ({ evidences, consents, comparisons, agreements }: Case): CaseFacts => ({
  evidences,
  consents,
  comparisons,
  agreements,
});
