import type { Bounds } from './beside.ts';
import type { Page } from './image.ts';
import type { MrzReading } from './mrz/read.ts';
import { outlineOf, PITCH } from './quality/framing.ts';
import type { Area } from './viz/ocr.ts';
import type { VisualSide } from './viz/read.ts';

/** A point of the picture as sent, on the page turned upright (`page` is the upright one). */
const uprightPoint = (x: number, y: number, rotation: MrzReading['rotation'], page: Page): [number, number] => {
  if (rotation === 90) return [page.width - 1 - y, x];
  if (rotation === 180) return [page.width - 1 - x, page.height - 1 - y];
  if (rotation === 270) return [y, page.height - 1 - x];
  return [x, y];
};

/**
 * Print inside the machine-readable block must not confirm itself; half a letter of room, for the
 * box beside it may be a value.
 */
export const insideZone = (mrz: MrzReading, page: Page): VisualSide['exclude'] => {
  const corners = mrz.quad.map(({ x, y }) => uprightPoint(x, y, mrz.rotation, page));
  const room = mrz.pitch / 2;
  return (box) =>
    corners.every(([ax, ay], i) => {
      const [bx, by] = corners[(i + 1) % 4]!;
      return ((bx - ax) * (box.y - ay) - (by - ay) * (box.x - ax)) / Math.hypot(bx - ax, by - ay) > -room;
    });
};

/**
 * Pixels per millimetre at which print is looked for: the smallest values, 1.5 mm high, are found
 * at 10 pixels.
 */
const PIXELS_PER_MM = 7;

/**
 * The document's bounding box on the page turned upright, a little wider than its zone says it is.
 */
export const boundsOf = (mrz: MrzReading, page: Page): Bounds => {
  const corners = outlineOf(mrz).map(([x, y]) => uprightPoint(x, y, mrz.rotation, page));
  const room = 3 * mrz.pitch;
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  return {
    left: Math.min(...xs) - room,
    top: Math.min(...ys) - room,
    right: Math.max(...xs) + room,
    bottom: Math.max(...ys) + room,
  };
};

/** Where print is looked for: the document down to its zone. */
export const visualArea = (mrz: MrzReading, page: Page): Area => {
  const bounds = boundsOf(mrz, page);
  const left = Math.max(0, Math.floor(bounds.left));
  const top = Math.max(0, Math.floor(bounds.top));
  const width = Math.min(page.width, Math.ceil(bounds.right)) - left;
  // The zone's upper edge, where it slants the lower end of it.
  const zone = Math.max(...mrz.quad.slice(0, 2).map(({ x, y }) => uprightPoint(x, y, mrz.rotation, page)[1]));
  const bottom = Math.min(bounds.bottom, zone + mrz.pitch / 2);
  const height = Math.min(page.height, Math.ceil(bottom)) - top;
  return { left, top, width, height, reduction: Math.max(1, mrz.pitch / PITCH / PIXELS_PER_MM) };
};
