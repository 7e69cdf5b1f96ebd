import { pipeline, type Readable } from 'node:stream';
import type { CallClaims } from '@assay/http';
import { mediaContext, openStream } from '@assay/sealing';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import type { Layouts } from '../store/layouts.ts';
import type { ReadyArchive } from '../store/proofs.ts';
import { mediaInTurn } from './media-in-turn.ts';
import { zipOf } from './zip.ts';

/**
 * The bytes of an archive, put together from its layout and the media that evidence-intake keeps
 * for it: the same each time. Undefined once the archive is destroyed. The stream errors when a
 * medium was altered or is not there any more.
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
      // Both ends share their fate: what does not open breaks the archive, and a client that leaves
      // closes the medium.
      return pipeline(sealed, openStream(Buffer.from(mediaKeys[mediaId]!, 'base64'), context), () => undefined);
    };
    const media = await mediaInTurn(
      layout.media.map(({ mediaId }) => mediaId),
      openMedium,
    );
    return zipOf(layout, media.open).once('close', media.close);
  };

export type OpenArchive = ReturnType<typeof createOpenArchive>;
