import type { MediaReference } from '@assay/contracts';
import { table } from '@assay/contracts/table';
import type { EvaluatedOnce } from './history.ts';

/** The list of proof.json that a medium is in. */
export type MediaList = 'images' | 'videos' | 'additionalFiles';

const EXTENSIONS = table<string>({
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'image/avif': 'avif',
  'image/tiff': 'tif',
  'image/gif': 'gif',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'video/x-matroska': 'mkv',
  'application/pdf': 'pdf',
  'application/json': 'json',
  'application/zip': 'zip',
  'text/plain': 'txt',
  'audio/mpeg': 'mp3',
});

/** Extension of a file of the archive, from its content type; `bin` for what is not known. */
const extensionOf = (contentType: string): string =>
  EXTENSIONS[contentType.split(';')[0]!.trim().toLowerCase()] ?? 'bin';

/** The files of a chip are additional files by their list, and stand in a folder of their own. */
export const listOf = ({ role }: Pick<MediaReference, 'role'>): MediaList =>
  role === 'VIDEO' ? 'videos' : role === 'ADDITIONAL_FILE' || role === 'CHIP' ? 'additionalFiles' : 'images';

/**
 * Path of a medium relative to the root folder: `<list>/<id>.<extension>`;
 * `chip/<evidenceId>/<name>` for a file of a chip.
 */
export const pathOf = (evidenceId: string, medium: MediaReference): string =>
  medium.role === 'CHIP'
    ? `chip/${evidenceId}/${medium.name ?? `${medium.mediaId}.bin`}`
    : `${listOf(medium)}/${medium.mediaId}.${extensionOf(medium.contentType)}`;

/**
 * The media of an attached evidence that belong in the archive: the uploads, the crops that its
 * evaluation names, and videos only if the tenant wants them.
 */
export const mediaInProof = (
  stored: readonly MediaReference[],
  evaluation: EvaluatedOnce | undefined,
  videosInProof: boolean,
): MediaReference[] => {
  const crops = new Set(evaluation?.evidence.proof.crops.map(({ mediaId }) => mediaId));
  return stored.filter(({ role, mediaId }) =>
    role === 'CROP' ? crops.has(mediaId) : role === 'VIDEO' ? videosInProof : true,
  );
};
