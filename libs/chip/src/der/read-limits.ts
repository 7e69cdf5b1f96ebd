import { LIMITS } from '../limits.ts';

/** The limits for reading one file. */
export interface ReadLimits {
  readonly bytes: number;
  readonly elements: number;
  readonly inOneLevel: number;
}

/** The limits for one file of a chip, and for one certificate. */
export const FILE: ReadLimits = {
  bytes: LIMITS.fileBytes,
  elements: LIMITS.elementsInOneFile,
  inOneLevel: LIMITS.elementsInOneLevel,
};

/**
 * The limits for files from an administrator: master lists have hundreds of certificates,
 * revocation lists thousands of entries.
 */
export const TRUST_FILE: ReadLimits = {
  bytes: LIMITS.trustFileBytes,
  elements: LIMITS.elementsInOneTrustFile,
  inOneLevel: LIMITS.elementsInOneLevelOfTrustFile,
};

/** The limits for one extension of a certificate. */
export const EXTENSION: ReadLimits = {
  bytes: LIMITS.fileBytes,
  elements: LIMITS.elementsInOneExtension,
  inOneLevel: LIMITS.elementsInOneExtension,
};

/** The limits for one signature. */
export const SIGNATURE: ReadLimits = {
  bytes: LIMITS.signatureBytes,
  elements: LIMITS.elementsInOneSignature,
  inOneLevel: LIMITS.elementsInOneSignature,
};
