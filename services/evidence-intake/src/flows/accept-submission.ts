import {
  type AcceptedSubmission,
  CLIENT_ROLES,
  type ClientRole,
  type EvidenceType,
  formatDateTime,
  type InternalClaims,
  type MediaReference,
  parseDateTime,
  present,
} from '@assay/contracts';
import { ApiError } from '@assay/http';
import type { Outbox, Tombstones } from '@assay/mongo';
import { type Clock, crashPoint, type NextLook } from '@assay/runtime';
import { sealingContext, sealJson } from '@assay/sealing';
import { withAlpha3 } from '../domain/countries.ts';
import type { Evidence, EvidenceStore, LiveSession } from '../store/evidences.ts';
import { submittedEvent } from './submitted-event.ts';

/** The reply to every submission: the gateway makes the client's reply of it. */
export const acceptedSubmission = (evidence: Evidence): AcceptedSubmission => ({
  evidenceId: evidence._id,
  type: evidence.type,
  submitDateTime: formatDateTime(evidence.submitDateTime),
  media: evidence.media,
});

export interface NewEvidence {
  type: EvidenceType;
  media: MediaReference[];
  /**
   * Sealed with the identity's key; the shape is at `sealedSubmission` of evidence.submitted.
   */
  content: Record<string, unknown>;
  session?: LiveSession;
}

export interface Deps {
  evidences: EvidenceStore;
  tombstones: Tombstones;
  outbox: Pick<Outbox, 'publishSoon'>;
  /** When the sweep looks for sessions that end. */
  nextSession: Pick<NextLook, 'expect'>;
  now: Clock;
  reconcileAfterMs: number;
}

/** What the token of a submission must contain; a call without it is an error of the caller. */
export const grantOf = (claims: InternalClaims) => {
  const { evidenceId, operation, settings, key, tenantId, identityId } = claims;
  if (!evidenceId || !operation || !settings || !key)
    throw new ApiError('BAD_FIELD', { message: 'the token grants no submission' });
  return { evidenceId, operation, settings, key, tenantId, identityId, consents: claims.consents ?? [] };
};

const isClientRole = (role: InternalClaims['role']): role is ClientRole =>
  CLIENT_ROLES.some((client) => client === role);

/** The evidence as it is stored; an open live capture session has no event yet. */
const evidenceOf = (
  { now, reconcileAfterMs }: Pick<Deps, 'now' | 'reconcileAfterMs'>,
  claims: InternalClaims,
  { type, media, content, session }: NewEvidence,
): Evidence => {
  const { tenantId, identityId, evidenceId, operation, consents, settings, key } = grantOf(claims);
  const at = now();
  const createdAt = claims.identityCreatedAt;
  const evidence: Evidence = {
    _id: evidenceId,
    tenantId,
    identityId,
    type,
    operation,
    submitDateTime: at,
    ...(createdAt ? { identityCreationDateTime: formatDateTime(parseDateTime(createdAt)) } : {}),
    media,
    sealedSubmission: sealJson(key, sealingContext(tenantId, identityId, 'submission'), withAlpha3(content)),
    ...present({ session }),
    consents,
    settings,
    ...(isClientRole(claims.role) ? { submittedBy: claims.role } : {}),
    ...(type === 'PORTRAIT' && claims.documentsInWork ? { awaitedDocumentIds: claims.documentsInWork } : {}),
    evaluatedRevision: 0,
    reissues: 0,
  };
  if (session) return evidence;
  // Additional files are never evaluated: no result is waited for.
  const reissue = operation === 'ADDITIONAL_FILE' ? {} : { reissueAt: new Date(at.getTime() + reconcileAfterMs) };
  return { ...evidence, outbox: [submittedEvent(evidence, at)], ...reissue };
};

/**
 * Records an evidence and its outgoing event in one write, after its media are stored (invariants 1
 * and 2), and has the event published. The same evidenceId again changes nothing and gets the first
 * answer.
 * @throws ApiError CLOSED, and then there is no record; after any other error there may be one
 */
export const createAcceptSubmission = (deps: Deps) => {
  const { evidences, tombstones, outbox, nextSession } = deps;
  return async (claims: InternalClaims, submission: NewEvidence): Promise<Evidence> => {
    const record = evidenceOf(deps, claims, submission);
    if (record.session?.expiresAt) nextSession.expect(record.session.expiresAt);
    crashPoint('evidence-intake.after-media-before-evidence');
    if (!(await evidences.insert(record))) {
      const first = await evidences.find(record._id, record.identityId);
      if (!first) throw new ApiError('CLOSED');
      return first;
    }
    // The identity may have been closed while the bytes arrived; its purge saw nothing of this
    // record if it ran before the write.
    if (await tombstones.has(record.identityId)) {
      await evidences.remove(record._id);
      throw new ApiError('CLOSED');
    }
    if (record.outbox) void outbox.publishSoon(record._id, record.outbox);
    // The sweep of orphans finds out that its media are attached, for many at once.
    return record;
  };
};
export type AcceptSubmission = ReturnType<typeof createAcceptSubmission>;
