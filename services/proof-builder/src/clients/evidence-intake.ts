import type { Readable } from 'node:stream';
import type { MediaReference } from '@assay/contracts';
import type { CallClaims, InternalClient } from '@assay/http';

/** What evidence-intake keeps of an identity's media. */
export interface EvidenceIntake {
  mediaOf(evidenceId: string, claims: CallClaims): Promise<MediaReference[]>;
  /** The bytes of a medium as they were uploaded. */
  open(mediaId: string, claims: CallClaims): Promise<Readable>;
}

export const createEvidenceIntake = (client: InternalClient): EvidenceIntake => ({
  mediaOf: (evidenceId, claims) => client.getJson(`/internal/v1/evidences/${evidenceId}/media`, claims),
  open: async (mediaId, claims) => (await client.getStream(`/internal/v1/media/${mediaId}`, claims)).stream,
});
