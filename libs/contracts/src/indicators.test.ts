import { describe, expect, test } from '@jest/globals';
import { listIndicators, oneStateEach } from './index.ts';

describe('one indicator has one state', () => {
  test.each<[string, string[], string[]]>([
    [
      'a failure over a success',
      ['IDDOCUMENT_TYPE_COMPARE_OK', 'IDDOCUMENT_TYPE_COMPARE_FAILED'],
      ['IDDOCUMENT_TYPE_COMPARE_FAILED'],
    ],
    ['a warning over a success', ['PORTRAIT_WARNING', 'PORTRAIT_OK'], ['PORTRAIT_WARNING']],
    ['a success over silence', ['GENDER_COMPARE_UNVERIFIED', 'GENDER_COMPARE_OK'], ['GENDER_COMPARE_OK']],
    [
      'an issuer that verified over one that did not answer',
      ['GIV_VERIFICATION_UNVERIFIED', 'GIV_VERIFICATION_VERIFIED'],
      ['GIV_VERIFICATION_VERIFIED'],
    ],
  ])('%s', (_, raised, state) => {
    expect(oneStateEach(raised)).toEqual(state);
    expect(oneStateEach(raised.toReversed())).toEqual(state);
    const { positiveIndicators, warningIndicators, unverifiedIndicators } = listIndicators(raised);
    expect([...positiveIndicators, ...warningIndicators, ...unverifiedIndicators]).toEqual(state);
  });
});
