import sharp from 'sharp';

const OWN = ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'];

/**
 * From now on this process decodes only JPEG, PNG and WebP, whatever the bytes are: decoders of
 * drawings, films and documents (SVG, HEIF, GIF, TIFF) are never started.
 */
export const onlyOwnFormats = (): void => {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: OWN });
};
