import sharp from 'sharp';

const OWN = ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'];

/**
 * From now on this process decodes JPEG, PNG and WebP, whatever the bytes are: readers of drawings,
 * films and documents (SVG, HEIF, GIF, TIFF) are never begun.
 */
export const onlyOwnFormats = (): void => {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: OWN });
};
