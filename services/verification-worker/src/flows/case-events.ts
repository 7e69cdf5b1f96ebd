import {
  type ConsentFacts,
  decisiveConsents,
  type Envelope,
  evidenceEvaluated,
  issuingCheckRequested,
} from '@assay/contracts';
import { type CaseEvidence, policyOf } from '../domain/case.ts';
import type { CaseDocument } from '../store/cases.ts';
import { basisOf, eventOf, type Message } from './evaluate-change.ts';

/** How an issuing source is asked about an evidence of this kind. */
const modeOf = (kind: CaseEvidence['kind']): 'IMAGE' | 'HEALTH_CARD' | 'TEXT' => {
  if (kind === 'documentImage') return 'IMAGE';
  return kind === 'healthCard' ? 'HEALTH_CARD' : 'TEXT';
};

/**
 * issuing-check.requested, always under the evidence's first check id and with the consents of now.
 * None if the evidence waits for no issuing source.
 */
export const issuingCheckEvents = (
  message: Message,
  evidence: CaseEvidence,
  facts: ConsentFacts,
  at: Date,
): Envelope<unknown>[] => {
  const { evidenceId, type, kind, awaitingIssuer, checkId, consents, settings, sealed } = evidence;
  const { userCategory, recheckAfterSeconds } = settings.issuingSources;
  if (!awaitingIssuer || checkId === undefined || sealed.question === undefined) return [];
  const data = {
    checkId,
    evidenceId,
    type,
    mode: modeOf(kind),
    userCategory,
    sealedDocument: sealed.question,
    consents: decisiveConsents(consents, facts, 'GIV').filter((consent) => consent.type === 'GIV'),
    ...(recheckAfterSeconds ? { recheckAfterSeconds } : {}),
  };
  return [eventOf(issuingCheckRequested, message, at, data)];
};

/** evidence.evaluated as it was last published of an evidence; none if it was never published. */
export const lastEvaluationEvents = (
  message: Message,
  caseDocument: CaseDocument,
  evidence: CaseEvidence,
  at: Date,
): Envelope<unknown>[] => {
  const { lastPublished: identity } = caseDocument;
  if (!evidence.lastPublished || !identity) return [];
  const data = {
    caseRevision: caseDocument.revision,
    policy: { ...evidence.settings.policy, ...policyOf(caseDocument) },
    evidences: [evidence.lastPublished],
    identity,
    basis: basisOf(caseDocument),
  };
  return [eventOf(evidenceEvaluated, message, at, data)];
};
