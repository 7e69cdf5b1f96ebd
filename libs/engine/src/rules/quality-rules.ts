import type { IndicatorStatus } from '@assay/contracts';
import type { SideReading } from '../document.ts';
import type { MrzReading } from '../mrz/read.ts';
import type { Colour } from '../quality/colour.ts';

/** What a picture has to meet; measured error rates stand in docs/indicators.md. */
const QUALITY = {
  blur: { warning: 0.33, failed: 0.45 },
  sharpness: { warning: 0.13, failed: 0.04 },
  glare: { warning: 0.02, failed: 0.06 },
  /** Mean brightness, and what the brightest twentieth reaches. */
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

/** The worst of several results; a check not made counts only where no other was. */
export const worst = (statuses: readonly IndicatorStatus[]): IndicatorStatus =>
  statuses.reduce((a, b) => (ORDER.indexOf(b) > ORDER.indexOf(a) ? b : a), 'UNVERIFIED');

/** The worst of the sides. OK is said of the document only if every side was examined. */
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

/**
 * By the size of machine-readable characters where there are any, else by the picture's size alone.
 */
export const resolutionOf = ({ measures }: SideReading, mrz: MrzReading | undefined): IndicatorStatus =>
  mrz ? below(mrz.pitch, QUALITY.pitch) : below(measures.longestSide, QUALITY.longestSide);

/** Measured on the lines of a machine-readable zone; not measured without one. */
export const keystoneOf = (mrz: MrzReading | undefined): IndicatorStatus => {
  if (!mrz?.keystone) return 'UNVERIFIED';
  return above(Math.max(Math.abs(mrz.keystone.vertical), Math.abs(mrz.keystone.horizontal)), QUALITY.keystone);
};

/**
 * A zone that is cut off itself gives an outline too small, so OK needs one that was read whole.
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
 * Grey all over: a copy. Coloured, but with no colour that brightness does not explain: a copy on
 * tinted paper, perhaps. Where the outline is not known, the colour may be that of a table around a
 * grey copy: then it has to be in the middle of the picture too.
 */
export const photocopyOf = ({ measures: { colour, middle } }: SideReading): IndicatorStatus => {
  const status = copyOf(colour);
  return status === 'OK' && middle && copyOf(middle) !== 'OK' ? 'UNVERIFIED' : status;
};

/**
 * Traces of a pixel raster; blurred pictures are not judged, because motion blur fakes them. Never
 * more than a warning.
 */
export const lcdOf = ({ measures: { moire, blur } }: SideReading): IndicatorStatus => {
  if (!moire || blur > QUALITY.blur.warning) return 'UNVERIFIED';
  return moire.peak > QUALITY.moire.peak && moire.peaks > QUALITY.moire.peaks ? 'WARNING' : 'OK';
};

/**
 * A file of exactly a screen's size with flat bars at its edges and no camera data is a screenshot.
 */
export const screenshotOf = ({ measures: { screenshot } }: SideReading): IndicatorStatus => {
  const { screenSize, flatBands, noiseless, cameraData } = screenshot;
  if (cameraData || !screenSize) return 'OK';
  if (flatBands > QUALITY.screenshot.flatBands) return 'FAILED';
  return noiseless > QUALITY.screenshot.noiseless ? 'WARNING' : 'OK';
};
