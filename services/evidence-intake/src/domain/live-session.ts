import {
  type CaptureDetails,
  type DocumentSessionRequest,
  declaredTypeOf,
  type EvidenceType,
  type PortraitSessionRequest,
  present,
  type Side,
} from '@assay/contracts';
import { TWO_SIDED_LICENCES } from '@assay/engine/issuers';

/** What a live capture session was asked for (specification, Live capture sessions). */
export type SessionRequest =
  | ({ kind: 'PORTRAIT' } & PortraitSessionRequest)
  | ({ kind: 'DOCUMENT' } & DocumentSessionRequest);

/**
 * A frame as far as choosing goes: `sharpness` is higher the sharper, below 0 when it could not be
 * decoded.
 */
export interface Frame {
  mediaId: string;
  side: Side;
  sharpness: number;
  order: number;
}

/** How many frames a session has: all of them, or up to and including one batch. */
export const framesIn = (batches: readonly { batchId: string; frames: number }[], upTo?: string): number => {
  const last = batches.findIndex(({ batchId }) => batchId === upTo);
  const counted = last < 0 ? batches : batches.slice(0, last + 1);
  return counted.reduce((sum, { frames }) => sum + frames, 0);
};

/**
 * Sides the client is asked for: cards have their machine-readable side on the back, licences of
 * some countries their barcode; a document of unknown type, or a licence of unknown country, may.
 */
export const sidesToCapture = (request: SessionRequest): Side[] => {
  if (request.kind === 'PORTRAIT') return ['FRONT'];
  const { issuingCountry } = request;
  const type = declaredTypeOf(request.idDocumentType);
  const twoSided =
    type === undefined ||
    type === 'IDENTITY_CARD' ||
    type === 'RESIDENT_CARD' ||
    (type === 'DRIVING_LICENSE' && (!issuingCountry || TWO_SIDED_LICENCES.includes(issuingCountry)));
  return twoSided ? ['FRONT', 'BACK'] : ['FRONT'];
};

export const typeOfSession = (request: SessionRequest): EvidenceType =>
  request.kind === 'PORTRAIT' ? 'PORTRAIT' : (declaredTypeOf(request.idDocumentType) ?? 'ID_DOCUMENT');

/**
 * What is stored of a request, in clear: kinds, types and numbers. A security level is text of the
 * client that decides nothing; the reply repeats it.
 */
export const storedRequest = (request: SessionRequest): SessionRequest => {
  if (request.kind === 'DOCUMENT') return request;
  const { securityLevel: _text, ...stored } = request;
  return stored;
};

/** What the session's request says about the capture, in the shape of DocumentCaptureDetails. */
export const detailsOfSession = (request: SessionRequest): CaptureDetails =>
  request.kind === 'PORTRAIT'
    ? { source: request.type === 'LIVENESS_PASSIVE' ? 'LIVE_CAPTURE_IMAGE' : 'LIVE_CAPTURE_VIDEO' }
    : {
        source: 'LIVE_CAPTURE_VIDEO',
        ...present({
          documentType: declaredTypeOf(request.idDocumentType),
          jurisdiction: request.issuingCountry,
        }),
      };

/** The parameters a capture SDK works with: as asked for, with what was left out. */
export const livenessParameters = (request: SessionRequest, timeoutSeconds: number) => {
  if (request.kind !== 'PORTRAIT') return undefined;
  const { type, securityLevel = 'HIGH', nbChallenge = type === 'LIVENESS_HIGH' ? 2 : 0 } = request;
  return { type, securityLevel, nbChallenge, timeout: timeoutSeconds };
};

/** The sharpest frame of each side; the later one on a tie. A side without frames is absent. */
export const chooseFrames = (frames: readonly Frame[]): Partial<Record<Side, string>> => {
  const best: Partial<Record<Side, Frame>> = {};
  for (const frame of [...frames].sort((a, b) => a.order - b.order)) {
    const sofar = best[frame.side];
    if (!sofar || frame.sharpness >= sofar.sharpness) best[frame.side] = frame;
  }
  return {
    ...present({ FRONT: best.FRONT?.mediaId, BACK: best.BACK?.mediaId }),
  };
};
