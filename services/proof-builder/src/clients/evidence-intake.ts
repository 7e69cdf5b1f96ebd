import type { Readable } from 'node:stream';
import {
  type MediaReference,
  MediaReplySchema,
  RetainedMediaReplySchema,
  type RetainedMedium,
  type RetainRequest,
} from '@assay/contracts';
import type { CallClaims, InternalClient } from '@assay/http';

/** What evidence-intake stores of an identity's media. */
export interface EvidenceIntake {
  mediaOf(evidenceId: string, claims: CallClaims): Promise<MediaReference[]>;
  /**
   * Retains these media for an archive, whatever becomes of the identity, and gives their wrapped
   * keys.
   */
  retain(archiveId: string, mediaIds: readonly string[], claims: CallClaims): Promise<RetainedMedium[]>;
  /** Ends that: the archive has come to its end. May be repeated. */
  release(archiveId: string, claims: CallClaims): Promise<void>;
  /** The bytes of a medium that is retained for the archive, sealed under the medium's own key. */
  openSealed(archiveId: string, mediaId: string, claims: CallClaims): Promise<Readable>;
}

export const createEvidenceIntake = (client: InternalClient): EvidenceIntake => {
  const mediaOfArchive = (archiveId: string): string => `/internal/v1/archives/${archiveId}/media`;
  return {
    mediaOf: (evidenceId, claims) =>
      client.getJson(`/internal/v1/evidences/${evidenceId}/media`, claims, MediaReplySchema),
    retain: (archiveId, mediaIds, claims) => {
      const body: RetainRequest = { mediaIds: [...mediaIds] };
      return client.putJson(mediaOfArchive(archiveId), claims, body, RetainedMediaReplySchema);
    },
    release: (archiveId, claims) => client.delete(mediaOfArchive(archiveId), claims),
    openSealed: async (archiveId, mediaId, claims) =>
      (await client.getStream(`${mediaOfArchive(archiveId)}/${mediaId}`, claims)).stream,
  };
};
