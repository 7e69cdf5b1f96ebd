import type { Readable } from 'node:stream';
import type { HeldMedium, HoldRequest, MediaReference } from '@assay/contracts';
import type { CallClaims, InternalClient } from '@assay/http';

/** What evidence-intake keeps of an identity's media. */
export interface EvidenceIntake {
  mediaOf(evidenceId: string, claims: CallClaims): Promise<MediaReference[]>;
  /** Has these media stay for an archive, whatever becomes of the identity, and gives their wrapped keys. */
  hold(archiveId: string, mediaIds: readonly string[], claims: CallClaims): Promise<HeldMedium[]>;
  /** The archive has come to its end. May be repeated. */
  letGo(archiveId: string, claims: CallClaims): Promise<void>;
  /** The bytes of a medium that the archive holds, sealed under the medium's own key. */
  openSealed(archiveId: string, mediaId: string, claims: CallClaims): Promise<Readable>;
}

export const createEvidenceIntake = (client: InternalClient): EvidenceIntake => {
  const mediaOfArchive = (archiveId: string): string => `/internal/v1/archives/${archiveId}/media`;
  return {
    mediaOf: (evidenceId, claims) => client.getJson(`/internal/v1/evidences/${evidenceId}/media`, claims),
    hold: (archiveId, mediaIds, claims) => {
      const body: HoldRequest = { mediaIds: [...mediaIds] };
      return client.putJson(mediaOfArchive(archiveId), claims, body);
    },
    letGo: (archiveId, claims) => client.delete(mediaOfArchive(archiveId), claims),
    openSealed: async (archiveId, mediaId, claims) =>
      (await client.getStream(`${mediaOfArchive(archiveId)}/${mediaId}`, claims)).stream,
  };
};
