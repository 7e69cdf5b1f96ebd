import { expect, test } from '@jest/globals';
import { settingsWith } from '../testing/case-builders.ts';
import { playOf } from './gather-played.ts';
import type { Submitted } from './verification-input.ts';

const content = { documentText: { idDocumentNumber: 'SBX00001' } };
const sealer = { seal: () => 'sealed', open: <T>() => content as T };
const submitted = (sandbox: object): Submitted =>
  ({
    data: { operation: 'ID_DOCUMENT', sealedSubmission: 'sealed', settings: { ...settingsWith({}), ...sandbox } },
  }) as Submitted;

test('a submission is played in a sandbox alone, whatever is in it', () => {
  expect(playOf(submitted({}), sealer)).toBeUndefined();
  expect(playOf(submitted({ sandbox: {} }), sealer)).toEqual({ outcome: 'text-verified' });
  const play = { outcome: 'text-denied' };
  expect(playOf(submitted({ sandbox: { play } }), sealer)).toEqual(play);
});
