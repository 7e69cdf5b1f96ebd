import { describe, expect, test } from '@jest/globals';
import { DOCUMENT_PORTRAIT } from './face-thresholds.ts';
import { assessDocumentPortrait, assessSelfie, countsSeveral, type PortraitMeasures } from './portrait-rules.ts';

const GOOD: PortraitMeasures = {
  faceWidth: 330,
  eyeDistance: 106,
  roll: -1,
  yaw: 0.05,
  blur: 0.4,
  luminance: 142,
  darkShare: 0.01,
  brightShare: 0,
  asymmetry: 0.12,
  eyeContrast: [0.26, 0.22],
  mouthContrast: 0.3,
  chinColourShift: 0.02,
  mouthColourShift: 0.04,
};
const ONE = [{ area: 100_000, score: 0.9 }];

describe('a selfie', () => {
  test('that meets every rule is accepted', () => {
    expect(assessSelfie(ONE, GOOD)).toEqual({ refusals: [], warnings: [] });
  });

  test('without a face is refused for that alone', () => {
    expect(assessSelfie([], undefined)).toEqual({ refusals: ['NO_FACE'], warnings: [] });
  });

  test.each([
    ['FACE_TOO_SMALL', { faceWidth: 80, eyeDistance: 30 }],
    ['HEAD_TILTED', { roll: 26 }],
    ['HEAD_TURNED', { yaw: -0.5 }],
    ['BLURRED', { blur: 0.7 }],
    ['TOO_DARK', { luminance: 28 }],
    ['TOO_DARK', { darkShare: 0.4 }],
    ['TOO_BRIGHT', { brightShare: 0.5 }],
    ['UNEVEN_LIGHT', { asymmetry: 0.9 }],
    ['EYES_COVERED', { eyeContrast: [0.03, 0.04] as [number, number] }],
    ['MOUTH_COVERED', { mouthContrast: 0.01 }],
    ['MOUTH_COVERED', { chinColourShift: 0.2, mouthColourShift: 0.2 }],
  ])('is refused as %s by %j', (refusal, change) => {
    expect(assessSelfie(ONE, { ...GOOD, ...change }).refusals).toEqual([refusal]);
  });

  test('with eyes that seem closed is accepted with a warning', () => {
    expect(assessSelfie(ONE, { ...GOOD, eyeContrast: [0.12, 0.14] })).toEqual({
      refusals: [],
      warnings: ['EYES_CLOSED'],
    });
  });

  test('with a small or doubtful face in the background is accepted, with a second large one refused', () => {
    expect(assessSelfie([...ONE, { area: 20_000, score: 0.9 }, { area: 90_000, score: 0.33 }], GOOD).refusals).toEqual(
      [],
    );
    expect(assessSelfie([...ONE, { area: 60_000, score: 0.8 }], GOOD).refusals).toEqual(['SEVERAL_FACES']);
    expect(assessSelfie([...ONE, { area: 51_000, score: 0.37 }], GOOD).refusals).toEqual(['SEVERAL_FACES']);
  });
});

test('a portrait on a document is assessed by size and sharpness only', () => {
  const covered = { ...GOOD, luminance: 20, eyeContrast: [0, 0] as [number, number], mouthContrast: 0 };
  expect(assessDocumentPortrait(covered)).toBe('USABLE');
  expect(assessDocumentPortrait({ ...GOOD, faceWidth: 70 })).toBe('SMALL');
  expect(assessDocumentPortrait({ ...GOOD, faceWidth: 50 })).toBe('UNUSABLE');
  expect(assessDocumentPortrait({ ...GOOD, blur: 0.8 })).toBe('UNUSABLE');
  expect(assessDocumentPortrait(undefined)).toBe('ABSENT');
});

test('a doubtful second face in a portrait that an issuer took is none', () => {
  const besideOne = (score: number) =>
    countsSeveral([...ONE, { area: 90_000, score }], DOCUMENT_PORTRAIT.secondFaceScore);
  expect([besideOne(0.4), besideOne(0.5)]).toEqual([false, true]);
});
