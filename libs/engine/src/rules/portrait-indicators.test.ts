import { expect, test } from '@jest/globals';
import { selfieErrors, selfieIndicators } from './portrait-indicators.ts';

test('liveness is never claimed, and every refusal has its reason in words, and what to change', () => {
  const assessment = { refusals: ['TOO_DARK', 'BLURRED'] as const, warnings: [] };
  expect(selfieIndicators({ ...assessment, refusals: [...assessment.refusals] })).toEqual([
    'BIOMETRIC_QUALITY_CHECK_FAILED',
    'BIOMETRIC_LIVENESS_CHALLENGE_UNVERIFIED',
  ]);
  expect(selfieErrors({ ...assessment, refusals: [...assessment.refusals] })).toEqual([
    {
      code: '1570',
      field: 'Portrait',
      message:
        'The portrait cannot be used: the face is too dark, the face is blurred. Turn to the light; hold the camera still.',
    },
  ]);
  expect(selfieErrors({ refusals: [], warnings: ['EYES_CLOSED'] })).toEqual([]);
});
