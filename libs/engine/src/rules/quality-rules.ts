import type { IndicatorStatus } from '@assay/contracts';
import type { SideReading } from '../document.ts';
import type { MrzReading } from '../mrz/read.ts';
import type { Colour } from '../quality/colour.ts';

/** What a picture must meet; docs/indicators.md has the measured error rates. */
const QUALITY = {
  blur: { warning: 0.33, failed: 0.45 },
  sharpness: { warning: 0.13, failed: 0.04 },
  glare: { warning: 0.02, failed: 0.06 },
  /** Mean brightness, and the brightness of the brightest twentieth. */
  dark: { warning: { mean: 60, bright: 130 }, failed: { mean: 35, bright: 90 } },
  /** Pixels per machine-readable character in the file. */
  pitch: { warning: 10, failed: 7 },
  longestSide: { warning: 600 },
  /** Degrees. */
  keystone: { warning: 8, failed: 15 },
  /** Share of the document's longer side outside the picture. */
  overhang: { warning: 0.08, failed: 0.2 },
  photocopy: { saturation: 0.02, colourfulness: 6, independentChroma: 6 },
  moire: { peak: 4.8, peaks: 15 },
  screenshot: { flatBands: 0.03, noiseless: 0.35 },
} as const;

const above = (value: number, limits: { warning: number; failed?: number }): IndicatorStatus => {
  if (limits.failed !== undefined && value > limits.failed) return 'FAILED';
  return value > limits.warning ? 'WARNING' : 'OK';
};

const below = (value: number, limits: { warning: number; failed?: number }): IndicatorStatus => {
  if (limits.failed !== undefined && value < limits.failed) return 'FAILED';
  return value < limits.warning ? 'WARNING' : 'OK';
};

const ORDER: readonly IndicatorStatus[] = ['UNVERIFIED', 'OK', 'WARNING', 'FAILED'];

/** The worst of several results. A check that was not made counts only if no other was. */
export const worst = (statuses: readonly IndicatorStatus[]): IndicatorStatus =>
  statuses.reduce((a, b) => (ORDER.indexOf(b) > ORDER.indexOf(a) ? b : a), 'UNVERIFIED');

/** The worst result of the sides. A document gets OK only if every side was examined. */
export const worstOfSides = (statuses: readonly IndicatorStatus[]): IndicatorStatus => {
  const found = worst(statuses);
  return found === 'OK' && statuses.includes('UNVERIFIED') ? 'UNVERIFIED' : found;
};

export const blurOf = ({ measures }: SideReading): IndicatorStatus =>
  worst([above(measures.blur, QUALITY.blur), below(measures.sharpness, QUALITY.sharpness)]);

export const glareOf = ({ measures }: SideReading): IndicatorStatus => above(measures.glare, QUALITY.glare);

export const darknessOf = ({ measures: { brightness } }: SideReading): IndicatorStatus => {
  const under = ({ mean, bright }: { mean: number; bright: number }) =>
    brightness.mean < mean && brightness.bright < bright;
  if (under(QUALITY.dark.failed)) return 'FAILED';
  return under(QUALITY.dark.warning) ? 'WARNING' : 'OK';
};

/** By the size of machine-readable characters if there are any, else by the picture's size. */
export const resolutionOf = ({ measures }: SideReading, mrz: MrzReading | undefined): IndicatorStatus =>
  mrz ? below(mrz.pitch, QUALITY.pitch) : below(measures.longestSide, QUALITY.longestSide);

/** Measured on the lines of a machine-readable zone; without one it is not measured. */
export const keystoneOf = (mrz: MrzReading | undefined): IndicatorStatus => {
  if (!mrz?.keystone) return 'UNVERIFIED';
  return above(Math.max(Math.abs(mrz.keystone.vertical), Math.abs(mrz.keystone.horizontal)), QUALITY.keystone);
};

/**
 * If the zone itself is cut off, the outline is too small, so OK needs a zone that was read
 * completely.
 */
export const cutOffOf = ({ overhang, outlineSure }: SideReading): IndicatorStatus => {
  if (overhang === undefined) return 'UNVERIFIED';
  const status = above(overhang, QUALITY.overhang);
  return status === 'OK' && !outlineSure ? 'UNVERIFIED' : status;
};

const copyOf = (colour: Colour): IndicatorStatus => {
  const { saturation, colourfulness, independentChroma } = QUALITY.photocopy;
  if (colour.saturation < saturation && colour.colourfulness < colourfulness) return 'FAILED';
  return colour.independentChroma < independentChroma ? 'WARNING' : 'OK';
};

/**
 * A grey document is a copy. If brightness explains all of its colour, it may be a copy on tinted
 * paper. If the outline is unknown, the colour may be that of a table around a grey copy: then the
 * middle of the picture must have colour too.
 */
export const photocopyOf = ({ measures: { colour, middle } }: SideReading): IndicatorStatus => {
  const status = copyOf(colour);
  return status === 'OK' && middle && copyOf(middle) !== 'OK' ? 'UNVERIFIED' : status;
};

/**
 * Traces of a pixel raster. Blurred pictures are not assessed, because motion blur looks the same.
 * It is never more than a warning.
 */
export const lcdOf = ({ measures: { moire, blur } }: SideReading): IndicatorStatus => {
  if (!moire || blur > QUALITY.blur.warning) return 'UNVERIFIED';
  return moire.peak > QUALITY.moire.peak && moire.peaks > QUALITY.moire.peaks ? 'WARNING' : 'OK';
};

/**
 * A file of exactly a screen's size, with flat bars at its edges and no camera data, is a
 * screenshot.
 */
export const screenshotOf = ({ measures: { screenshot } }: SideReading): IndicatorStatus => {
  const { screenSize, flatBands, noiseless, cameraData } = screenshot;
  if (cameraData || !screenSize) return 'OK';
  if (flatBands > QUALITY.screenshot.flatBands) return 'FAILED';
  return noiseless > QUALITY.screenshot.noiseless ? 'WARNING' : 'OK';
};
