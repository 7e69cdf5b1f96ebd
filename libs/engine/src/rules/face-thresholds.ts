/**
 * The numbers by which faces are found and measured, in one place and with one version. Which
 * distance is a match, the policy says (`faces`). docs/faces.md says how each was measured, and on
 * which pictures. A change needs a new version: results name it, and stored templates can be
 * compared only if the recipe is the same.
 */
export const RECIPE = 'assay-face-1';
const THRESHOLD_SET = 'thresholds-2';
/** The specification's serviceVersion of a comparison. */
export const MODEL = `${RECIPE}/${THRESHOLD_SET}`;

/**
 * The fused distance of two faces: the weight of the faceres distance; the rest is the dlib
 * distance.
 */
export const EMBEDDING_WEIGHT = 0.5;

export const DETECTION = {
  /** Sigmoid score of the tiny detector, and of the SSD fallback. */
  tinyScore: 0.35,
  ssdScore: 0.3,
  /** A find that a closer look does not confirm counts only above this score. */
  sureScore: 0.7,
  /**
   * The size in pixels of the first look at a portrait, and the share of its width that a face
   * fills.
   */
  portraitSize: 160,
  portraitShare: 0.3,
  /**
   * If nothing is compared with a portrait yet, one look is enough when it shows one certain face
   * of this share of the width. Its box is up to 1.45 times as wide as the closer look's, and its
   * blur differs by .08 at most. At that distance from the limits of DOCUMENT_PORTRAIT both looks
   * agree.
   */
  glance: { share: 0.45, faceWidth: 120, blur: 0.68 },
  /**
   * If three looks from one side have this score together, the orientation of the page is certain.
   */
  sureLooks: 2.3,
  /**
   * The same for a selfie that may have been turned. Of 16 photographs turned three ways, the
   * right side had more in 42 of 48, and a wrong one 1.61 at most; beside a head tilted by 40
   * degrees a wrong one had 1.85.
   */
  sureSelfie: 1.9,
  /** Two boxes that overlap more are one face. */
  overlap: { tiny: 0.4, ssd: 0.5 },
  /** Faces reported at most. */
  most: 8,
} as const;

/**
 * Where the second portrait of a document is searched, in widths and heights of the first face's
 * box, and how wide its face may be.
 */
export const SECOND = {
  apart: 0.3,
  above: 0.6,
  below: 1.6,
  narrowest: 0.6,
  smallest: 0.2,
  largest: 0.75,
  /** Up to this distance the two are one person. */
  sameUpTo: 0.58,
  /**
   * Above this distance the two are different people. It is larger than for a selfie, because print
   * is sometimes taken for a small face.
   */
  refuseAbove: 0.75,
} as const;

/**
 * The rules for a selfie. Lengths are in pixels of the decoded page, angles in degrees; the rest
 * are shares or ratios.
 */
export const SELFIE = {
  /**
   * A second face counts if it has this size relative to the largest, and the certainty of the
   * detector that is used first. The face of a second person has any certainty above that.
   */
  secondFace: { area: 0.35, score: DETECTION.tinyScore },
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
 * The rules for the portrait on a document. Guilloche, holograms and grey prints rule out the
 * selfie rules for light and cover.
 */
export const DOCUMENT_PORTRAIT = {
  minFaceWidth: 60,
  /** Below this no distance above the policy's `faces.match` is a match without an operator. */
  smallFaceWidth: 80,
  maxBlur: 0.78,
  /** An issuer takes one person: a second face is more likely no face, so it has to be certain. */
  secondFaceScore: 0.45,
} as const;
