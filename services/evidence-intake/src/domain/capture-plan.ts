import type { EvidenceType, IdentityOperationName, MediaReference } from '@assay/contracts';

/** One named part of an upload that carries a file. */
export interface Slot {
  part: string;
  role: MediaReference['role'];
  /**
   * IMAGE: one of the image formats the engine decodes, within the image rules; ANY: stored as it
   * is.
   */
  content: 'IMAGE' | 'ANY';
  /** How many parts of this name a request may carry. */
  max: number;
}

/** What an upload of one operation consists of. Parts it does not name are read past. */
export interface CapturePlan {
  slots: readonly Slot[];
  /**
   * The part without which there is nothing to verify, and the error its absence is answered with.
   */
  required: { part: string; error: 'SIDE_MISSING' | 'BAD_FIELD' };
  /** Part that carries JSON about the capture, as a field or as a file. */
  json?: { part: string; allows: 'CAPTURE_DETAILS' | 'METADATA' };
}

const image = (part: string, role: Slot['role']): Slot => ({ part, role, content: 'IMAGE', max: 1 });

/** Files a request may carry at most (specification, Uploads). */
export const MAX_FILES = 3;

const portrait: CapturePlan = {
  slots: [image('Portrait', 'PORTRAIT')],
  required: { part: 'Portrait', error: 'BAD_FIELD' },
  json: { part: 'PortraitCaptureDetails', allows: 'CAPTURE_DETAILS' },
};

const PLANS: Partial<Record<IdentityOperationName, CapturePlan>> = {
  ID_DOCUMENT_CAPTURE: {
    slots: [image('DocumentFront', 'FRONT'), image('DocumentBack', 'BACK')],
    required: { part: 'DocumentFront', error: 'SIDE_MISSING' },
    json: { part: 'DocumentCaptureDetails', allows: 'CAPTURE_DETAILS' },
  },
  PORTRAIT_CAPTURE: portrait,
  PORTRAIT_REFERENCE: portrait,
  ADDITIONAL_FILE: {
    slots: [{ part: 'File', role: 'ADDITIONAL_FILE', content: 'ANY', max: MAX_FILES }],
    required: { part: 'File', error: 'BAD_FIELD' },
    json: { part: 'Metadata', allows: 'METADATA' },
  },
};

/**
 * The plan of an operation that uploads files (endpoints 3 and 6, portrait reference, additional
 * files); undefined for all others.
 */
export const planOf = (operation: IdentityOperationName): CapturePlan | undefined => PLANS[operation];

/**
 * Type of the evidence until it is recognised: the declared type, else ID_DOCUMENT (endpoint 3).
 */
export const typeOfCapture = (operation: IdentityOperationName, declared?: EvidenceType): EvidenceType => {
  if (operation === 'PORTRAIT_CAPTURE' || operation === 'LIVENESS_VIDEO') return 'PORTRAIT';
  if (operation === 'PORTRAIT_REFERENCE' || operation === 'ADDITIONAL_FILE') return operation;
  return declared ?? 'ID_DOCUMENT';
};
