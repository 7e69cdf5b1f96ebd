import type { MediaReference, Side } from '@assay/contracts';
import { createPictureWatch } from '@assay/engine/one-picture';
import { ApiError } from '@assay/http';
import { type Images, sniffType } from '../clients/images.ts';
import { IMAGE_TYPES, type ImageHeader, type PixelSum, refusalOf } from '../domain/image-rules.ts';
import { type Headed, takeHead } from './stream-head.ts';

/**
 * A medium that is being uploaded: its purpose, the accepted formats, and the name of its part for
 * a refusal.
 */
export interface Arrival {
  part: string;
  role: MediaReference['role'];
  content: 'IMAGE' | 'VIDEO' | 'ANY';
  maxBytes: number;
  /** Pixels of the request's images so far. */
  pixels?: PixelSum;
  /** Chosen by the caller if repeating the call must not store it twice. */
  mediaId?: string;
  originalMediaId?: string;
  side?: Side;
  batchId?: string;
}

// The header of nearly every photograph is within the first 64 KB, and what is examined is copied
// to another process. For the few others the whole image is examined after it was stored.
const FIRST_BYTES = 64 * 1024;
const HEAD_BYTES = 256 * 1024;

export const badContent = ({ content, part }: Arrival): ApiError =>
  content === 'IMAGE'
    ? new ApiError('BAD_IMAGE', { field: part, message: 'must be a JPEG, PNG or WebP image that can be read' })
    : new ApiError('BAD_FIELD', { field: part, message: content === 'VIDEO' ? 'must be a video' : 'is empty' });

/** An image that shows people another picture than the engine looks at. */
const twoPictures = (part: string, found: string): ApiError =>
  new ApiError('BAD_IMAGE', {
    field: part,
    message: `must be one picture, the same to whoever looks at it: it has ${found}`,
  });

/**
 * Takes the bytes of a medium as they pass, and refuses an image that shows people another picture
 * than the engine looks at.
 */
export const watchOf = ({ content, part }: Arrival): ((chunk: Buffer) => void) => {
  if (content !== 'IMAGE') return () => undefined;
  const watch = createPictureWatch();
  return (chunk) => {
    const found = watch(chunk);
    if (found !== undefined) throw twoPictures(part, found);
  };
};

/** Refuses an image for its colour profile, its size, or that of all the request's images. */
export const checkHeader = ({ part, pixels }: Arrival, header: ImageHeader): void => {
  if (header.isReadDifferently) throw twoPictures(part, 'a colour profile that programs read differently');
  const refusal = refusalOf(header);
  if (refusal) throw new ApiError(refusal, { field: part });
  if (pixels && !pixels(header))
    throw new ApiError('TOO_MANY_PIXELS', { field: part, message: 'the images of the request have too many pixels' });
};

/**
 * The content type by the first bytes, and whether an image's size could not be read from them
 * alone.
 */
const examine = async (images: Images, arrival: Arrival, { head, complete }: Headed) => {
  if (head.length === 0) throw badContent(arrival);
  const type = await sniffType(head);
  if (arrival.content === 'ANY') return { contentType: type ?? 'application/octet-stream', sizeUnknown: false };
  if (arrival.content === 'VIDEO') {
    if (!type?.startsWith('video/')) throw badContent(arrival);
    return { contentType: type, sizeUnknown: false };
  }
  if (!type || !IMAGE_TYPES.includes(type)) throw badContent(arrival);
  // The decoder reads WebP as a whole or not at all.
  const header = type === 'image/webp' && !complete ? undefined : await images.header(head);
  if (!header && complete) throw badContent(arrival);
  if (header) checkHeader(arrival, header);
  return { contentType: type, sizeUnknown: !header };
};

/** Reads enough of the beginning to tell the format. */
export const recognise = async (images: Images, arrival: Arrival, bytes: AsyncIterable<Buffer>) => {
  const first = await takeHead(bytes, arrival.content === 'IMAGE' ? FIRST_BYTES : HEAD_BYTES);
  const seen = await examine(images, arrival, first);
  if (!seen.sizeUnknown) return { ...seen, headed: first };
  const headed = await takeHead(first.whole, HEAD_BYTES);
  return { ...(await examine(images, arrival, headed)), headed };
};
