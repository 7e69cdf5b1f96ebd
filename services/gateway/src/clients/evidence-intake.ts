import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { EvidenceType, MediaReference } from '@assay/contracts';
import type { CallClaims, InternalClient } from '@assay/http';

/** What evidence-intake answers once an evidence is stored. */
export interface StoredEvidence {
  type: EvidenceType;
  submitDateTime: string;
}

interface IntakeReply extends StoredEvidence {
  evidenceId: string;
  media: MediaReference[];
}

const stored = ({ type, submitDateTime }: IntakeReply): StoredEvidence => ({ type, submitDateTime });

export type EvidenceIntake = ReturnType<typeof createEvidenceIntake>;

/** Takes evidence in and keeps it. Refusals (4xx) come back as they are. */
export const createEvidenceIntake = (client: InternalClient) => ({
  /** Passes the client's form on as it arrives: nothing of it is held here. */
  capture: async (claims: CallClaims, request: IncomingMessage, body: Readable = request): Promise<StoredEvidence> => {
    const { 'content-type': contentType = '', 'content-length': length } = request.headers;
    const headers = { 'content-type': contentType, ...(length === undefined ? {} : { 'content-length': length }) };
    return stored(await client.postStream<IntakeReply>('/internal/v1/evidences/capture', claims, body, headers));
  },

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
