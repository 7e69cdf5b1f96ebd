import type { MediaReference } from '@assay/contracts';
import type { EvaluatedOnce } from './history.ts';

/** Folder of the archive a medium stands in. */
export type Folder = 'images' | 'videos' | 'additionalFiles';

const EXTENSIONS: Readonly<Record<string, string>> = {
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
};

/** Extension of a file of the archive, from its content type; `bin` for what is not known. */
export const extensionOf = (contentType: string): string =>
  EXTENSIONS[contentType.split(';')[0]!.trim().toLowerCase()] ?? 'bin';

export const folderOf = ({ role }: Pick<MediaReference, 'role'>): Folder =>
  role === 'VIDEO' ? 'videos' : role === 'ADDITIONAL_FILE' ? 'additionalFiles' : 'images';

/** Path of a medium relative to the root folder: `folder/<id>.<extension>`. */
export const pathOf = (medium: MediaReference): string =>
  `${folderOf(medium)}/${medium.mediaId}.${extensionOf(medium.contentType)}`;

/**
 * The media of an attached evidence that belong into the archive, of all that evidence-intake keeps for it: what was uploaded, the crops its
 * evaluation names, and videos only where the tenant has them on.
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
