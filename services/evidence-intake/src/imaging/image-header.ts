import { buffer } from 'node:stream/consumers';
import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import type { ImageHeader } from '../domain/image-rules.ts';

// Every image is looked at once: keeping decoded pieces would only cost memory.
sharp.cache(false);

/** What the first bytes say the file is; undefined for what no signature is known of. The declared type is never asked. */
export const sniffType = async (head: Buffer): Promise<string | undefined> => (await fileTypeFromBuffer(head))?.mime;

/** Width and height from an image's header, without decoding it; undefined when there is no such header in the bytes. */
export const readImageHeader = (bytes: Buffer): Promise<ImageHeader | undefined> =>
  sharp(bytes, { limitInputPixels: false, pages: 1 })
    .metadata()
    .then(
      ({ width, height }) => ({ width, height }),
      () => undefined,
    );

/** The same of a stream, read whole: for images whose header lies behind a lot of other things. */
export const readStreamedImageHeader = async (
  stream: AsyncIterable<Buffer> & NodeJS.ReadableStream,
): Promise<ImageHeader | undefined> => readImageHeader(await buffer(stream));
