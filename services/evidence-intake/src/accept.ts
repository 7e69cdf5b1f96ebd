import {
  type EvidenceType,
  evidenceSubmitted,
  formatDateTime,
  type InternalClaims,
  type MediaReference,
  parseDateTime,
} from '@assay/contracts';
import { ApiError } from '@assay/http';
import { type Outbox, outboxEntry } from '@assay/mongo';
import { type Clock, crashPoint } from '@assay/runtime';
import { type Keyring, sealingContext, sealJson } from '@assay/sealing';
import { submittedData } from './domain/submitted.ts';
import type { Evidence, EvidenceStore, LiveSession } from './store/evidences.ts';
import type { MediaStore } from './store/media.ts';
import type { Tombstones } from './store/tombstones.ts';

/** The reply to every submission: the gateway makes the client's reply of it. */
export interface Accepted {
  evidenceId: string;
  type: EvidenceType;
  submitDateTime: string;
  media: MediaReference[];
}

export const acceptedOf = (evidence: Evidence): Accepted => ({
  evidenceId: evidence._id,
  type: evidence.type,
  submitDateTime: formatDateTime(evidence.submitDateTime),
  media: evidence.media,
});

export interface Submission {
  type: EvidenceType;
  media: MediaReference[];
  /** Sealed with the identity's key; the shape stands at `sealedSubmission` of evidence.submitted. */
  content: Record<string, unknown>;
  session?: LiveSession;
}

export interface AcceptParts {
  evidences: EvidenceStore;
  media: MediaStore;
  tombstones: Tombstones;
  outbox: Pick<Outbox, 'publishNow'>;
  keyring: Keyring;
  now: Clock;
  reconcileAfterMs: number;
}

/** What a submission must have been granted; a call without it is a mistake of the caller. */
export const grantOf = (claims: InternalClaims) => {
  const { evidenceId, operation, settings, key, tenantId, identityId } = claims;
  if (!evidenceId || !operation || !settings || !key)
    throw new ApiError('BAD_FIELD', { message: 'the token grants no submission' });
  return { evidenceId, operation, settings, key, tenantId, identityId, consents: claims.consents ?? [] };
};

/**
 * Records an evidence and its outgoing event in one write, after its media are stored (invariants 1 and 2), and has the event published. The same
 * evidenceId again changes nothing and gets the first answer.
 */
export const createAccept = (parts: AcceptParts) => {
  const { evidences, media, tombstones, outbox, keyring, now, reconcileAfterMs } = parts;

  const recordOf = async (claims: InternalClaims, { type, media: stored, content, session }: Submission) => {
    const grant = grantOf(claims);
    const key = await keyring.unwrap(grant.key, grant.identityId);
    const at = now();
    const context = sealingContext(grant.tenantId, grant.identityId, 'submission');
    const evidence: Evidence = {
      _id: grant.evidenceId,
      tenantId: grant.tenantId,
      identityId: grant.identityId,
      type,
      operation: grant.operation,
      submitDateTime: at,
      ...(claims.identityCreatedAt
        ? { identityCreationDateTime: formatDateTime(parseDateTime(claims.identityCreatedAt)) }
        : {}),
      media: stored,
      sealedSubmission: sealJson(key, context, content),
      ...(session ? { session } : {}),
      consents: grant.consents,
      settings: grant.settings,
      evaluatedRevision: 0,
      reissues: 0,
    };
    if (session) return evidence;
    const { tenantId, identityId } = grant;
    const event = outboxEntry(evidenceSubmitted, {
      tenantId,
      identityId,
      key: grant.key,
      at,
      data: submittedData(evidence),
    });
    // Nothing is ever evaluated about additional files: no word on them is waited for.
    const waits = grant.operation !== 'ADDITIONAL_FILE';
    return {
      ...evidence,
      outbox: [event],
      ...(waits ? { reissueAt: new Date(at.getTime() + reconcileAfterMs) } : {}),
    };
  };

  return async (claims: InternalClaims, submission: Submission): Promise<{ evidence: Evidence; fresh: boolean }> => {
    const record = await recordOf(claims, submission);
    crashPoint('evidence-intake.after-media-before-evidence');
    if (!(await evidences.insert(record))) {
      const first = await evidences.find(record._id, record.identityId);
      if (!first) throw new ApiError('CLOSED');
      return { evidence: first, fresh: false };
    }
    // The identity may have been closed while the bytes arrived; its purge saw nothing of this record if it ran before the write.
    if (await tombstones.has(record.identityId)) {
      await evidences.remove(record._id);
      throw new ApiError('CLOSED');
    }
    void outbox.publishNow(record._id, record.outbox);
    // Not waited for: the sweep of what was left behind finds out by itself that an evidence holds them.
    media.claim(record.media.map(({ mediaId }) => mediaId)).catch(() => undefined);
    return { evidence: record, fresh: true };
  };
};
export type Accept = ReturnType<typeof createAccept>;
