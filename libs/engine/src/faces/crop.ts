import sharp from 'sharp';
import type { Face } from './find.ts';
import { type Affine, compose } from './geometry.ts';
import { sample } from './sample.ts';

/**
 * The margins of a crop on each side of the face box, in shares of the box; those above and below
 * are larger.
 */
const MARGIN = { side: 0.35, top: 0.45, bottom: 0.5 };
const MOST = 600;

/** The portrait around a face, upright, as JPEG: the crop in the proof. */
export async function cropPortrait(face: Face): Promise<Buffer> {
  const { box, view } = face;
  const left = Math.max(0, box.x - MARGIN.side * box.width);
  const top = Math.max(0, box.y - MARGIN.top * box.height);
  const width = Math.min(view.width, box.x + box.width * (1 + MARGIN.side)) - left;
  const height = Math.min(view.height, box.y + box.height * (1 + MARGIN.bottom)) - top;
  const zoom = Math.max(1, Math.max(width, height) / MOST);
  const size = { width: Math.max(1, Math.round(width / zoom)), height: Math.max(1, Math.round(height / zoom)) };
  const toView: Affine = [zoom, 0, left, 0, zoom, top];
  const picture = sample(view.image, compose(view.toImage, toView), size.width, size.height);
  return sharp(picture.data, { raw: { ...size, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
}
