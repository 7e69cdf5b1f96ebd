/**
 * A face as it is stored and compared. It is safe for JSON, so that it can be sealed in a stored
 * case. It is personal data of a special category: seal it, and delete it with the evidence.
 */
export interface FaceTemplate {
  /** The name of nets, crops and fusion. Templates of different recipes must not be compared. */
  recipe: string;
  /**
   * dlib descriptor, mean over five aligned crops and their mirror images: base64 of 128
   * little-endian float32.
   */
  descriptor: string;
  /** faceres embedding, unit length: base64 of 1024 little-endian float32. */
  embedding: string;
  /** The width of the detected face in pixels of the source image. */
  faceWidth: number;
}

export interface Comparison {
  /**
   * The fused distance: 0 is the same photograph; different people are seldom below 0.66.
   * matchingScore is 1 - distance.
   */
  distance: number;
  /** Recipe and threshold set: the specification's serviceVersion. */
  model: string;
  responseTimeMs: number;
}
