import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { EvidenceType, MediaReference } from '@assay/contracts';
import type { CallClaims, InternalClient } from '@assay/http';

/** What evidence-intake answers once an evidence is stored. */
export interface StoredEvidence {
  type: EvidenceType;
  submitDateTime: string;
  media: MediaReference[];
  /** Set for a live capture session. */
  sessionId?: string;
  /** What else the client is told of a session. */
  extra?: Record<string, unknown>;
}

interface IntakeReply {
  evidenceId: string;
  type: EvidenceType;
  submitDateTime: string;
  media: MediaReference[];
  sessionId?: string;
  livenessParameters?: Record<string, unknown>;
  sidesToCapture?: string[];
  frames?: number;
}

const stored = ({ type, submitDateTime, media }: IntakeReply): StoredEvidence => ({ type, submitDateTime, media });

const session = (reply: IntakeReply): StoredEvidence => {
  const { sessionId = '', livenessParameters, sidesToCapture } = reply;
  const more = livenessParameters ? { livenessParameters } : { sidesToCapture };
  return { ...stored(reply), sessionId, extra: { sessionId, ...more } };
};

export type EvidenceIntake = ReturnType<typeof createEvidenceIntake>;

const formHeaders = ({ headers }: IncomingMessage): Record<string, string> => {
  const { 'content-type': contentType = '', 'content-length': length } = headers;
  return { 'content-type': contentType, ...(length === undefined ? {} : { 'content-length': length }) };
};
const sessionPath = (sessionId: string, step: string): string =>
  `/internal/v1/live-sessions/${encodeURIComponent(sessionId)}/${step}`;

/** Takes evidence in and keeps it. Refusals (4xx) come back as they are. */
export const createEvidenceIntake = (client: InternalClient) => ({
  /** Passes the client's form on as it arrives: nothing of it is held here. */
  capture: async (claims: CallClaims, request: IncomingMessage, body: Readable = request): Promise<StoredEvidence> =>
    stored(await client.postStream<IntakeReply>('/internal/v1/evidences/capture', claims, body, formHeaders(request))),

  startSession: async (claims: CallClaims, request: unknown): Promise<StoredEvidence> =>
    session(await client.postJson<IntakeReply>('/internal/v1/live-sessions', claims, request)),

  /** Passes frames on; gives how many the session now has. */
  frames: async (
    claims: CallClaims,
    sessionId: string,
    request: IncomingMessage,
    body: Readable = request,
  ): Promise<number> => {
    const path = sessionPath(sessionId, 'frames');
    return (await client.postStream<IntakeReply>(path, claims, body, formHeaders(request))).frames ?? 0;
  },

  endSession: async (claims: CallClaims, sessionId: string): Promise<StoredEvidence> =>
    stored(await client.postJson<IntakeReply>(sessionPath(sessionId, 'end'), claims, {})),

  submit: async (
    claims: CallClaims,
    type: EvidenceType,
    submission: Record<string, unknown>,
  ): Promise<StoredEvidence> =>
    stored(await client.postJson<IntakeReply>('/internal/v1/evidences', claims, { type, submission })),

  media: (claims: CallClaims, evidenceId: string): Promise<MediaReference[]> =>
    client.getJson<MediaReference[]>(`/internal/v1/evidences/${encodeURIComponent(evidenceId)}/media`, claims),

  read: async (claims: CallClaims, mediaId: string): Promise<Readable> =>
    (await client.getStream(`/internal/v1/media/${encodeURIComponent(mediaId)}`, claims)).stream,
});
