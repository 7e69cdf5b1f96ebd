import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import {
  type AcceptedSubmission,
  AcceptedSubmissionSchema,
  type ChipAuthenticationReply,
  ChipAuthenticationReplySchema,
  type EvidenceType,
  type MediaReference,
  MediaReplySchema,
  present,
} from '@assay/contracts';
import { type CallClaims, type InternalClient, isRefusal } from '@assay/http';

/** What evidence-intake answers once an evidence is stored. */
export interface StoredEvidence {
  type: EvidenceType;
  submitDateTime: string;
  media: MediaReference[];
  /** Set for a live capture session. */
  sessionId?: string;
  /** What else the client learns of a session. */
  extra?: Record<string, unknown>;
}

const stored = ({ type, submitDateTime, media }: AcceptedSubmission): StoredEvidence => ({
  type,
  submitDateTime,
  media,
});

const session = (reply: AcceptedSubmission): StoredEvidence => {
  const { sessionId = '', livenessParameters, sidesToCapture } = reply;
  const more = livenessParameters ? { livenessParameters } : { sidesToCapture };
  return { ...stored(reply), sessionId, extra: { sessionId, ...more } };
};

export type EvidenceIntake = ReturnType<typeof createEvidenceIntake>;

const formHeaders = ({ headers }: IncomingMessage): Record<string, string> => {
  const { 'content-type': contentType = '', 'content-length': length } = headers;
  return { 'content-type': contentType, ...present({ 'content-length': length }) };
};
const sessionPath = (sessionId: string, step: string): string =>
  `/internal/v1/live-sessions/${encodeURIComponent(sessionId)}/${step}`;

const chipPath = (sessionId: string, step: string): string =>
  `/internal/v1/nfc-sessions/${encodeURIComponent(sessionId)}/${step}`;

/** Takes evidence in and keeps it. Refusals (4xx) come back as they are. */
export const createEvidenceIntake = (client: InternalClient) => ({
  /** Passes the client's form on as it arrives: nothing of it is held here. */
  capture: async (claims: CallClaims, request: IncomingMessage, body: Readable): Promise<StoredEvidence> =>
    stored(
      await client.postStream(
        '/internal/v1/evidences/capture',
        claims,
        body,
        formHeaders(request),
        AcceptedSubmissionSchema,
      ),
    ),

  startSession: async (claims: CallClaims, request: unknown): Promise<StoredEvidence> =>
    session(await client.postRepeatable('/internal/v1/live-sessions', claims, request, AcceptedSubmissionSchema)),

  /** Passes frames on; gives how many the session now has. */
  frames: async (claims: CallClaims, sessionId: string, request: IncomingMessage, body: Readable): Promise<number> => {
    const path = sessionPath(sessionId, 'frames');
    const reply = await client.postStream(path, claims, body, formHeaders(request), AcceptedSubmissionSchema);
    return reply.frames ?? 0;
  },

  endSession: async (claims: CallClaims, sessionId: string): Promise<StoredEvidence> =>
    stored(await client.postJson(sessionPath(sessionId, 'end'), claims, {}, AcceptedSubmissionSchema)),

  submit: async (
    claims: CallClaims,
    type: EvidenceType,
    submission: Record<string, unknown>,
  ): Promise<StoredEvidence> =>
    stored(
      await client.postRepeatable('/internal/v1/evidences', claims, { type, submission }, AcceptedSubmissionSchema),
    ),

  startChipSession: async (claims: CallClaims, request: unknown): Promise<StoredEvidence> => {
    const reply = await client.postRepeatable('/internal/v1/nfc-sessions', claims, request, AcceptedSubmissionSchema);
    const { sessionId = '', expireAt, dataGroups, activeAuthenticationChallenge } = reply;
    return {
      ...stored(reply),
      sessionId,
      extra: { sessionId, expireAt, dataGroups, activeAuthenticationChallenge },
    };
  },

  authenticateChip: (claims: CallClaims, sessionId: string, request: unknown): Promise<ChipAuthenticationReply> =>
    client.postJson(chipPath(sessionId, 'chip-authentication'), claims, request, ChipAuthenticationReplySchema),

  /** Passes on what the client sent: to write it anew costs half a millisecond. */
  submitChip: async (claims: CallClaims, sessionId: string, request: Buffer): Promise<StoredEvidence> =>
    stored(await client.postJson(chipPath(sessionId, 'data'), claims, request, AcceptedSubmissionSchema)),

  media: (claims: CallClaims, evidenceId: string): Promise<MediaReference[]> =>
    client.getJson(`/internal/v1/evidences/${encodeURIComponent(evidenceId)}/media`, claims, MediaReplySchema),

  /** Whether an evidence is stored. */
  isStored: (claims: CallClaims, evidenceId: string): Promise<boolean> =>
    client.getJson(`/internal/v1/evidences/${encodeURIComponent(evidenceId)}/media`, claims, MediaReplySchema).then(
      () => true,
      (error: unknown) => {
        if (isRefusal(error) && error.status === 404) return false;
        throw error;
      },
    ),

  read: async (claims: CallClaims, mediaId: string): Promise<Readable> =>
    (await client.getStream(`/internal/v1/media/${encodeURIComponent(mediaId)}`, claims)).stream,
});
