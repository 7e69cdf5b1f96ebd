import sharp from 'sharp';
import { malformed } from '../errors.ts';
import { imageOf } from '../lds/image.ts';
import { LIMITS } from '../limits.ts';
import { createJpeg2000Decoder, type Raster } from './jpeg2000.ts';
import { isModest } from './modest.ts';

/** A portrait that was decoded in full, as JPEG. */
export interface DecodedPortrait {
  readonly type: 'image/jpeg';
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Decodes portraits; `close` ends its thread. */
export interface PortraitDecoder {
  readonly decode: (bytes: Uint8Array) => Promise<DecodedPortrait>;
  readonly close: () => Promise<void>;
}

const QUALITY = 95;

const failed = () => malformed('the portrait does not decode');

const fromRaster = ({ pixels, width, height, channels }: Raster): Promise<Buffer> =>
  sharp(pixels, { raw: { width, height, channels } }).jpeg({ quality: QUALITY }).toBuffer();

const decodeJpeg = (bytes: Uint8Array): Promise<Buffer> =>
  sharp(bytes, { limitInputPixels: LIMITS.pixels, failOn: 'error' }).raw().toBuffer();

/** A good JPEG of one pixel: if this does not decode either, the picture is not the cause. */
const SOUND = Buffer.from(
  '/9j/2wBDAP//////////////////////////////////////////////////////////////////////////////////////2wBDAf//////////////////////////////////////////////////////////////////////////////////////wAARCAABAAEDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AKAA/9k=',
  'base64',
);
const SHORTAGE = /out of memory|unable to allocate|ENOMEM/i;

/** Decodes a whole JPEG, and returns its bytes unchanged. */
const fromJpeg = async (bytes: Buffer, plain: (bytes: Buffer) => Uint8Array): Promise<Buffer> => {
  await decodeJpeg(plain(bytes)).catch(async (error: unknown) => {
    if (SHORTAGE.test(String(error))) throw error;
    await decodeJpeg(SOUND);
    throw failed();
  });
  return bytes;
};

/**
 * Makes a decoder for JPEG and JPEG 2000. It reads the stated size before it decodes. It refuses a
 * picture above four megapixels, and one that asks for more memory or time than its pixels need.
 * `decode` throws a ChipError for bytes that are no picture, too large or damaged. It throws any
 * other error if the decoder is the cause: no memory, no codec, no time. `codec`: the file of
 * another JPEG 2000 codec. `plain`: gives the decoder only those parts of a JPEG that its pixels
 * need.
 */
export const createPortraitDecoder = ({
  timeoutMs = 5000,
  codec,
  plain = (bytes) => bytes,
}: {
  readonly timeoutMs?: number;
  readonly codec?: string;
  readonly plain?: (bytes: Buffer) => Uint8Array;
} = {}): PortraitDecoder => {
  const jpeg2000 = createJpeg2000Decoder(timeoutMs, codec);
  return {
    decode: async (input) => {
      const image = imageOf(Buffer.from(input.buffer, input.byteOffset, input.byteLength));
      if (image === undefined || input.length > LIMITS.fileBytes) throw failed();
      if (image.type === 'image/jp2') {
        if (!isModest(image.bytes)) throw failed();
        const raster = await jpeg2000.decode(image.bytes);
        return { type: 'image/jpeg', bytes: await fromRaster(raster), width: raster.width, height: raster.height };
      }
      const bytes = await fromJpeg(image.bytes, plain);
      return { type: 'image/jpeg', bytes, width: image.width, height: image.height };
    },
    close: jpeg2000.close,
  };
};
