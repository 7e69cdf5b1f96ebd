import { expect, test } from '@jest/globals';
import { settingsWith } from '../testing/case-builders.ts';
import { playOf, playParticipants } from './play-participants.ts';
import type { Submitted } from './verification-input.ts';

const content = { documentText: { idDocumentNumber: 'SBX00001' } };
const sealer = { seal: () => 'sealed', open: <T>() => content as T };
const submitted = (sandbox: object): Submitted =>
  ({
    data: { operation: 'ID_DOCUMENT', sealedSubmission: 'sealed', settings: { ...settingsWith({}), ...sandbox } },
  }) as Submitted;

test('a submission is played in a sandbox only, whatever its content', () => {
  expect(playOf(submitted({}), sealer)).toBeUndefined();
  expect(playOf(submitted({ sandbox: {} }), sealer)).toEqual({ outcome: 'text-verified' });
  const play = { outcome: 'text-denied' };
  expect(playOf(submitted({ sandbox: { play } }), sealer)).toEqual(play);
});

test('a document that an issuer confirms retains its values without that confirmation: they are played as read', () => {
  const plain = { seal: (_: string, value: unknown) => JSON.stringify(value), open: <T>() => ({}) as T };
  const data = { evidenceId: 'card', type: 'IDENTITY_CARD', media: [], settings: settingsWith() };
  const played = playParticipants(
    { data } as unknown as Submitted,
    { outcome: 'document-issuer-confirms' },
    plain,
    new Date(),
  );
  const { ifVerified = '', withoutIssuer: { ifVerified: left = '' } = {} } = played!.sealed;
  expect(ifVerified).toContain('"verified":true');
  expect(JSON.parse(left)).toEqual(JSON.parse(ifVerified));
});
