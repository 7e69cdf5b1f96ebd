import { describe, expect, test } from '@jest/globals';
import { createPixelSum, refusalOf } from './image-rules.ts';
import {
  detailsOfSession,
  framesIn,
  livenessParameters,
  type SessionRequest,
  sidesToCapture,
  typeOfSession,
} from './live-session.ts';

const portrait = (more: Partial<Extract<SessionRequest, { kind: 'PORTRAIT' }>> = {}): SessionRequest => ({
  kind: 'PORTRAIT',
  type: 'LIVENESS_HIGH',
  ...more,
});
const document = (more: Partial<Extract<SessionRequest, { kind: 'DOCUMENT' }>> = {}): SessionRequest => ({
  kind: 'DOCUMENT',
  idDocumentType: 'PASSPORT',
  ...more,
});

describe('the request for a live capture session', () => {
  test('gives the type of its evidence; a document of unknown type is a document too', () => {
    expect(typeOfSession(portrait())).toBe('PORTRAIT');
    expect(typeOfSession(document())).toBe('PASSPORT');
    for (const idDocumentType of ['UNKNOWN', 'ID_DOCUMENT'] as const) {
      expect(typeOfSession(document({ idDocumentType }))).toBe('ID_DOCUMENT');
      expect(sidesToCapture(document({ idDocumentType }))).toEqual(['FRONT', 'BACK']);
    }
  });

  test('is reported as capture details, which contain nothing that was not requested', () => {
    for (const idDocumentType of ['UNKNOWN', 'ID_DOCUMENT'] as const)
      expect(detailsOfSession(document({ idDocumentType }))).toEqual({ source: 'LIVE_CAPTURE_VIDEO' });
    expect(detailsOfSession(document({ idDocumentType: 'IDENTITY_CARD', issuingCountry: 'FRA' }))).toEqual({
      source: 'LIVE_CAPTURE_VIDEO',
      documentType: 'IDENTITY_CARD',
      jurisdiction: 'FRA',
    });
    expect(detailsOfSession(portrait())).toEqual({ source: 'LIVE_CAPTURE_VIDEO' });
    expect(detailsOfSession(portrait({ type: 'LIVENESS_PASSIVE' }))).toEqual({ source: 'LIVE_CAPTURE_IMAGE' });
  });

  test('gives a capture SDK its parameters, with defaults for absent ones, and only for a portrait', () => {
    expect(livenessParameters(document(), 60)).toBeUndefined();
    expect(livenessParameters(portrait(), 60)).toEqual({
      type: 'LIVENESS_HIGH',
      securityLevel: 'HIGH',
      nbChallenge: 2,
      timeout: 60,
    });
    expect(livenessParameters(portrait({ type: 'LIVENESS_PASSIVE' }), 60)).toMatchObject({ nbChallenge: 0 });
    expect(livenessParameters(portrait({ nbChallenge: 1 }), 60)).toMatchObject({ nbChallenge: 1 });
  });
});

test('the frames of a session are counted up to and including a batch, or all if the session has no such batch', () => {
  const batches = [3, 1, 4].map((frames, index) => ({ batchId: `batch-${index}`, frames }));
  expect(['batch-0', 'batch-1', 'batch-2', 'another', undefined].map((upTo) => framesIn(batches, upTo))).toEqual([
    3, 4, 8, 8, 8,
  ]);
  expect(framesIn([], 'batch-0')).toBe(0);
});

test('images that may come alone may be too many for one request', () => {
  const large = { width: 8000, height: 5000 };
  expect(refusalOf(large)).toBeUndefined();
  const fits = createPixelSum();
  expect([large, large, { width: 4000, height: 5000 }, { width: 1, height: 1 }].map(fits)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
