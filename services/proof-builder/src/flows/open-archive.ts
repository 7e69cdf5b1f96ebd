import { pipeline, type Readable } from 'node:stream';
import type { CallClaims } from '@assay/http';
import { mediaContext, openStream } from '@assay/sealing';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import type { Layouts } from '../store/layouts.ts';
import type { ReadyArchive } from '../store/proofs.ts';
import { mediaInTurn } from './media-in-turn.ts';
import { zipOf } from './zip.ts';

/**
 * The bytes of an archive, composed of its layout and the media in evidence-intake; the same bytes
 * each time. Undefined once the archive is destroyed. The stream fails if a medium was altered or
 * is missing.
 */
export const createOpenArchive =
  ({ layouts, intake }: { layouts: Layouts; intake: EvidenceIntake }) =>
  async (proofId: string, { archiveId }: ReadyArchive, claims: CallClaims): Promise<Readable | undefined> => {
    const stored = await layouts.find(archiveId, proofId);
    if (!stored) return undefined;
    const { layout, mediaKeys } = stored;
    const openMedium = async (mediaId: string): Promise<Readable> => {
      const sealed = await intake.openSealed(archiveId, mediaId, claims);
      const context = mediaContext(claims.tenantId, claims.identityId, mediaId);
      // Each stream ends the other one: a medium that cannot be opened ends the archive, and a
      // client that disconnects closes the medium.
      return pipeline(sealed, openStream(Buffer.from(mediaKeys[mediaId]!, 'base64'), context), () => undefined);
    };
    const media = await mediaInTurn(
      layout.media.map(({ mediaId }) => mediaId),
      openMedium,
    );
    return zipOf(layout, media.open).once('close', media.close);
  };

export type OpenArchive = ReturnType<typeof createOpenArchive>;
