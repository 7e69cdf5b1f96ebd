import {
  type ConsentFacts,
  type EvaluatedEvidence,
  type EvaluatedIdentity,
  present,
  type VerificationSettings,
} from '@assay/contracts';
import { bySubmission, type CaseFacts, type EvidenceFacts } from './facts.ts';

/**
 * One evidence in a case: its facts, its sealed personal data, and what was last published of it.
 */
export interface CaseEvidence extends EvidenceFacts {
  sealed: SealedParts;
  /**
   * The image that shows the face, while `sealed` has no template of it: the face is described when
   * it is compared for the first time.
   */
  undescribed?: string;
  /** Crops stored in evidence-intake. */
  crops: { mediaId: string; originalMediaId: string }[];
  /** Captures an operator may look at. */
  media: { mediaId: string; label: string }[];
  portraitData?: { source?: string; channel?: string };
  portraitQuality?: boolean;
  /** The check at an issuing source; it is repeated under the same id. */
  checkId?: string;
  contactRevision?: number;
  /** As last published. */
  lastPublished?: EvaluatedEvidence;
}

/** What replies show of an evidence while it is VERIFIED, sealed. */
export interface VerifiedViews {
  ifVerified?: string;
  /** Of a statement that a document confirms, by the id of the document. */
  agreed?: Record<string, string>;
}

/**
 * The personal data of an evidence, sealed with the key of the identity. They can be read only
 * while a message that brings the key is handled.
 */
export interface SealedParts extends VerifiedViews {
  /** EvidenceData: what was read or stated, and what of it is confirmed. */
  data?: string;
  /** What replies show while it is not VERIFIED. */
  otherwise?: string;
  /**
   * What replies show while the confirmation of an issuer is set aside: of a document that its
   * issuer confirmed, and of a statement beside such a document.
   */
  withoutIssuer?: VerifiedViews;
  /** What the proof shows. */
  details?: string;
  /** Template of its face. */
  face?: string;
  /** What operators see of the evidence. */
  fields?: string;
  /** The question to the issuing source. */
  question?: string;
}

/** A case: everything known of the evidence of one identity, in one document. */
export interface Case {
  _id: string;
  tenantId: string;
  revision: number;
  /** Policy and settings the identity was created under. */
  createdUnder?: VerificationSettings;
  /** The policy under which an administrator had the identity re-evaluated; it stays in force. */
  reevaluatedUnder?: { name: string; version: string };
  evidences: CaseEvidence[];
  consents: ConsentFacts;
  comparisons: CaseFacts['comparisons'];
  agreements: CaseFacts['agreements'];
  /** Ids of deleted evidences: late events of them have no effect. */
  deleted: string[];
  /**
   * When the case is evaluated again at the latest: on that day a date it depends on is reached.
   */
  dueAt?: Date;
  /** The identity's part as last published. */
  lastPublished?: EvaluatedIdentity;
}

/**
 * The policy an identity is evaluated under: the one of its creation, unless it was re-evaluated
 * under another one. If the creation event has not arrived yet, the policy of the first evidence.
 */
export const policyOf = (
  current: Pick<Case, 'createdUnder' | 'reevaluatedUnder' | 'evidences'>,
): { name: string; version?: string } =>
  current.reevaluatedUnder ??
  current.createdUnder?.policy ??
  [...current.evidences].sort(bySubmission)[0]?.settings.policy ?? { name: 'default' };

const withoutView = <V extends VerifiedViews>(views: V, evidenceId: string): V => {
  const { [evidenceId]: _deleted, ...agreed } = views.agreed ?? {};
  return { ...views, agreed };
};

const withoutAgreed = (evidence: CaseEvidence, evidenceId: string): CaseEvidence => {
  if (!evidence.sealed.agreed?.[evidenceId]) return evidence;
  const { withoutIssuer, ...sealed } = evidence.sealed;
  const left = withoutIssuer && withoutView(withoutIssuer, evidenceId);
  return { ...evidence, sealed: { ...withoutView(sealed, evidenceId), ...present({ withoutIssuer: left }) } };
};

/** A deleted document is waited for no longer. */
const withoutAwaited = (evidence: CaseEvidence, deleted: readonly string[]): CaseEvidence =>
  evidence.awaits?.some((id) => deleted.includes(id))
    ? { ...evidence, awaits: evidence.awaits.filter((id) => !deleted.includes(id)) }
    : evidence;

/** The case without the comparisons of one evidence, so that it is compared again. */
export const withoutAgreements = <C extends Case>(current: C, evidenceId: string): C => ({
  ...current,
  agreements: current.agreements.filter(({ a, b }) => a !== evidenceId && b !== evidenceId),
});

/** The case without an evidence and everything that was compared with it. */
export const withoutEvidence = <C extends Case>(current: C, evidenceId: string): C => ({
  ...current,
  evidences: current.evidences
    .filter((one) => one.evidenceId !== evidenceId)
    .map((one) => withoutAwaited(withoutAgreed(one, evidenceId), [evidenceId])),
  comparisons: current.comparisons.filter((one) => one.portraitId !== evidenceId && one.referenceId !== evidenceId),
  agreements: current.agreements.filter(({ a, b }) => a !== evidenceId && b !== evidenceId),
  deleted: current.deleted.includes(evidenceId) ? current.deleted : [...current.deleted, evidenceId],
});

/** Adds an evidence, unless it was deleted or is there already. */
export const withEvidence = <C extends Case>(current: C, evidence: CaseEvidence): C | undefined =>
  current.deleted.includes(evidence.evidenceId) ||
  current.evidences.some((one) => one.evidenceId === evidence.evidenceId)
    ? undefined
    : { ...current, evidences: [...current.evidences, withoutAwaited(evidence, current.deleted)] };

/** Changes an evidence; undefined if it is not there, or nothing changes. */
export const changeEvidence = <C extends Case>(
  current: C,
  evidenceId: string,
  change: (evidence: CaseEvidence) => CaseEvidence | undefined,
): C | undefined => {
  const before = current.evidences.find((one) => one.evidenceId === evidenceId);
  const after = before && change(before);
  if (!after) return undefined;
  return { ...current, evidences: current.evidences.map((one) => (one === before ? after : one)) };
};

/** The facts of a case: nothing personal is in them. */
export const factsOf = ({ evidences, consents, comparisons, agreements }: Case): CaseFacts => ({
  evidences,
  consents,
  comparisons,
  agreements,
});
