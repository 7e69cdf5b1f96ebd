import { DETECTION, DOCUMENT_PORTRAIT, SELFIE } from './face-thresholds.ts';

/** What the portrait rules need. */
export interface PortraitMeasures {
  /** Pixels of the decoded page. */
  faceWidth: number;
  /** Pixels between the middles of the eyes. */
  eyeDistance: number;
  /** Degrees, positive clockwise. */
  roll: number;
  /** -1 to 1: how far the nose is from the middle of the jaw. */
  yaw: number;
  /** Crete's no-reference blur on the aligned face: 0 sharp, 1 blurred. */
  blur: number;
  /** Mean grey level of the skin, 0 to 255. */
  luminance: number;
  /** Share of the face darker than 25, and brighter than 245. */
  darkShare: number;
  brightShare: number;
  /** Difference of the two halves' brightness over their mean. */
  asymmetry: number;
  /** Standard deviation of each eye's patch over the brightness of the cheeks. */
  eyeContrast: [number, number];
  mouthContrast: number;
  /** Distance in red and green shares between chin (mouth) and the bridge of the nose. */
  chinColourShift: number;
  mouthColourShift: number;
}

export type PortraitRefusal =
  | 'NO_FACE'
  | 'SEVERAL_FACES'
  | 'FACE_TOO_SMALL'
  | 'HEAD_TILTED'
  | 'HEAD_TURNED'
  | 'BLURRED'
  | 'TOO_DARK'
  | 'TOO_BRIGHT'
  | 'UNEVEN_LIGHT'
  | 'EYES_COVERED'
  | 'MOUTH_COVERED';

export type PortraitWarning = 'EYES_CLOSED';

/** Shares of a face among several: area in pixels and the detector's certainty. */
interface SeenFace {
  area: number;
  score: number;
}

export interface PortraitAssessment {
  refusals: PortraitRefusal[];
  warnings: PortraitWarning[];
}

/** Whether a selfie can be used. `measures` are those of the largest face. */
export function assessSelfie(faces: readonly SeenFace[], measures: PortraitMeasures | undefined): PortraitAssessment {
  if (!measures) return { refusals: ['NO_FACE'], warnings: [] };
  const refusals = RULES.filter(([, broken]) => broken(measures)).map(([name]) => name);
  if (countsSeveral(faces)) refusals.unshift('SEVERAL_FACES');
  const eyes = eyeContrast(measures);
  const closed =
    eyes >= SELFIE.coveredEyeContrast && eyes < SELFIE.closedEyeContrast && measures.blur <= SELFIE.maxBlur;
  return { refusals, warnings: closed ? ['EYES_CLOSED'] : [] };
}

const eyeContrast = ({ eyeContrast: [right, left] }: PortraitMeasures): number => (right + left) / 2;

const RULES: readonly [PortraitRefusal, (measures: PortraitMeasures) => boolean][] = [
  ['FACE_TOO_SMALL', (m) => m.faceWidth < SELFIE.minFaceWidth || m.eyeDistance < SELFIE.minEyeDistance],
  ['HEAD_TILTED', (m) => Math.abs(m.roll) > SELFIE.maxRoll],
  ['HEAD_TURNED', (m) => Math.abs(m.yaw) > SELFIE.maxYaw],
  ['BLURRED', (m) => m.blur > SELFIE.maxBlur],
  ['TOO_DARK', (m) => m.luminance < SELFIE.dark.luminance || m.darkShare > SELFIE.dark.share],
  ['TOO_BRIGHT', (m) => m.luminance > SELFIE.bright.luminance || m.brightShare > SELFIE.bright.share],
  ['UNEVEN_LIGHT', (m) => m.asymmetry > SELFIE.maxAsymmetry],
  ['EYES_COVERED', (m) => eyeContrast(m) < SELFIE.coveredEyeContrast],
  ['MOUTH_COVERED', mouthCovered],
];

function mouthCovered({ chinColourShift, mouthColourShift, mouthContrast }: PortraitMeasures): boolean {
  const { chin, mouth, contrast } = SELFIE.coveredMouth;
  return (chinColourShift > chin && mouthColourShift > mouth) || mouthContrast < contrast;
}

/**
 * Whether more than one face counts: each of a sufficient size relative to the largest, and
 * certain.
 */
export function countsSeveral(faces: readonly SeenFace[], certainty: number = SELFIE.secondFace.score): boolean {
  const largest = Math.max(...faces.map(({ area }) => area));
  const counted = faces.filter(
    ({ area, score }) => area === largest || (area > SELFIE.secondFace.area * largest && score > certainty),
  );
  return counted.length > 1;
}

/**
 * `USABLE`; `SMALL`: usable with care; `UNUSABLE`: there is a portrait, but it cannot be compared;
 * `ABSENT`.
 */
export type DocumentPortraitAssessment = 'USABLE' | 'SMALL' | 'UNUSABLE' | 'ABSENT';

export function assessDocumentPortrait(measures: PortraitMeasures | undefined): DocumentPortraitAssessment {
  if (!measures) return 'ABSENT';
  const { minFaceWidth, smallFaceWidth, maxBlur } = DOCUMENT_PORTRAIT;
  if (measures.faceWidth < minFaceWidth || measures.blur > maxBlur) return 'UNUSABLE';
  return measures.faceWidth < smallFaceWidth ? 'SMALL' : 'USABLE';
}

/**
 * Whether a portrait seen in a quick look is USABLE or SMALL, whatever a closer look would measure.
 */
export const isClearlyUsable = ({ faceWidth, blur }: PortraitMeasures): boolean =>
  faceWidth >= DETECTION.glance.faceWidth && blur <= DETECTION.glance.blur;
