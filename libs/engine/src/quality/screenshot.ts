import type { Page } from '../image.ts';
import type { Rgb } from '../raster.ts';

export interface Screenshot {
  /** The file has exactly the pixel size of a known screen. */
  screenSize: boolean;
  /**
   * The height of the flat bands at the top and bottom edge, as a share of the page: title, status
   * and navigation bars.
   */
  flatBands: number;
  /** Share of 8 x 8 blocks without any noise at all. */
  noiseless: number;
  /** The file says which camera took it. */
  cameraData: boolean;
}

/** Short and long side of common phone, tablet and desktop screens, in pixels. */
const SCREENS = new Set(
  `640x1136 720x1280 720x1520 720x1544 720x1560 720x1600 720x1612 750x1334 768x1024 768x1366 800x1280 828x1792 900x1440
  900x1600 1024x1366 1050x1680 1080x1920 1080x2160 1080x2220 1080x2240 1080x2280 1080x2310 1080x2340 1080x2376 1080x2400
  1080x2408 1080x2412 1080x2460 1125x2436 1170x2532 1179x2556 1200x1920 1206x2622 1242x2208 1242x2688 1284x2778 1290x2796
  1320x2868 1344x2992 1440x2560 1440x2880 1440x2960 1440x3040 1440x3088 1440x3120 1440x3168 1440x3200 1488x2266 1536x2048
  1600x2560 1620x2160 1640x2360 1664x2560 1668x2224 1668x2388 1800x2880 1964x3024 2048x2732 2064x2752 2160x3840 2234x3456`.split(
    /\s+/,
  ),
);

const isScreenSize = ({ original: { width, height } }: Page): boolean =>
  SCREENS.has(`${Math.min(width, height)}x${Math.max(width, height)}`);

/** A row in which at least nine tenths of the pixels have its most common colour. */
const isFlatRow = ({ width, data }: Rgb, y: number): boolean => {
  const counts = new Map<number, number>();
  let most = 0;
  for (let x = 0; x < width; x += 2) {
    const p = (y * width + x) * 3;
    const colour = ((data[p]! >> 2) << 12) | ((data[p + 1]! >> 2) << 6) | (data[p + 2]! >> 2);
    const n = (counts.get(colour) ?? 0) + 1;
    counts.set(colour, n);
    most = Math.max(most, n);
  }
  return most >= 0.9 * Math.ceil(width / 2);
};

/**
 * Rows from one edge inwards that are flat; the glyphs of a status bar between them are allowed.
 */
const bandFrom = (rgb: Rgb, step: 1 | -1): number => {
  const most = Math.floor(rgb.height * 0.2);
  const first = step === 1 ? 0 : rgb.height - 1;
  let last = 0;
  for (let i = 0; i < most; i++) {
    if (isFlatRow(rgb, first + step * i)) last = i + 1;
    else if (i - last > rgb.height * 0.025) break;
  }
  return last / rgb.height;
};

const noiselessShare = ({ width, height, data }: Rgb): number => {
  let flat = 0;
  let blocks = 0;
  for (let y = 0; y + 8 <= height; y += 16)
    for (let x = 0; x + 8 <= width; x += 16) {
      const first = data[(y * width + x) * 3 + 1]!;
      let same = true;
      for (let j = 0; same && j < 8; j++)
        for (let i = 0; same && i < 8; i++) same = data[((y + j) * width + x + i) * 3 + 1] === first;
      blocks++;
      if (same) flat++;
    }
  return blocks ? flat / blocks : 0;
};

export const screenshotOf = (page: Page): Screenshot => ({
  screenSize: isScreenSize(page),
  flatBands: bandFrom(page.rgb, 1) + bandFrom(page.rgb, -1),
  noiseless: noiselessShare(page.rgb),
  cameraData: page.original.hasCameraData,
});
