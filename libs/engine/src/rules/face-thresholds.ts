/**
 * Every number the face half of the engine decides by, in one place and with one version. How each
 * was measured, and on what, is in docs/faces.md. A change here needs a new version: results
 * carry it, and stored templates stay comparable only as long as the recipe is the same.
 */
export const RECIPE = 'assay-face-1';
const THRESHOLD_SET = 'thresholds-1';
/** The specification's serviceVersion of a comparison. */
export const MODEL = `${RECIPE}/${THRESHOLD_SET}`;

/** Fused distance of two faces. */
export const MATCHING = {
  /** Below: the same photograph, not another one of the same person. */
  sameBelow: 0.3,
  /** Up to here the same person, without a human eye. */
  match: 0.58,
  /** Up to here, where nobody can be asked. */
  matchWithoutAdjudication: 0.6,
  /** Above: different people. Between the two: undecided. */
  refuseAbove: 0.66,
  /** Weight of the faceres distance beside the dlib distance. */
  embeddingWeight: 0.5,
} as const;

export const DETECTION = {
  /** Sigmoid score of the tiny detector, and of the SSD fallback. */
  tinyScore: 0.35,
  ssdScore: 0.3,
  /** A find that a closer look does not confirm counts above this score only. */
  sureScore: 0.7,
  /**
   * Pixels in which a portrait is looked at first, and the share of its width that a face fills.
   */
  portraitSize: 160,
  portraitShare: 0.3,
  /**
   * Where nothing is compared with a portrait yet, one look is enough at one sure face of this
   * share of the width. Its box is up to 1.45 times as wide as the closer look's, and its blur
   * differs by .08 at most: so far from the limits of DOCUMENT_PORTRAIT both say the same.
   */
  glance: { share: 0.45, faceWidth: 120, blur: 0.68 },
  /** Three looks from one side that score this much together leave no doubt how the page lies. */
  sureLooks: 2.3,
  /** Two boxes that overlap more are one face. */
  overlap: { tiny: 0.4, ssd: 0.5 },
  /** Faces reported at most. */
  most: 8,
} as const;

/**
 * Where a second portrait of a document is looked for, in widths and heights of the first face's
 * box, and how wide its face may be.
 */
export const SECOND = {
  apart: 0.3,
  above: 0.6,
  below: 1.6,
  narrowest: 0.6,
  smallest: 0.2,
  largest: 0.75,
  /**
   * Distance above which the two are different people: further than for a selfie, because print
   * passes for a small face now and then.
   */
  refuseAbove: 0.75,
} as const;

/**
 * Rules for a selfie. Lengths are pixels of the decoded page, angles degrees, the rest shares or
 * ratios.
 */
export const SELFIE = {
  /** A second face counts when it is this large beside the largest and this certain. */
  secondFace: { area: 0.35, score: 0.45 },
  minFaceWidth: 100,
  minEyeDistance: 40,
  maxRoll: 20,
  maxYaw: 0.45,
  maxBlur: 0.62,
  dark: { luminance: 50, share: 0.35 },
  bright: { luminance: 205, share: 0.3 },
  maxAsymmetry: 0.65,
  coveredEyeContrast: 0.09,
  closedEyeContrast: 0.155,
  coveredMouth: { chin: 0.09, mouth: 0.06, contrast: 0.03 },
} as const;

/**
 * Rules for the portrait on a document: guilloche, holograms and grey prints forbid the selfie
 * rules on light and cover.
 */
export const DOCUMENT_PORTRAIT = {
  minFaceWidth: 60,
  /** Below this a match needs other evidence: no automatic match above `MATCHING.match`. */
  smallFaceWidth: 80,
  maxBlur: 0.78,
} as const;
