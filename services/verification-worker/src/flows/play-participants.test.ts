import { describe, expect, test } from '@jest/globals';
import type { EvidenceData } from '../domain/evidence-data.ts';
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

describe('a stated document', () => {
  const value = (text: string) => ({ value: text });
  const documentText = {
    idDocumentType: 'PASSPORT',
    idDocumentNumber: 'N1234567',
    issuingCountry: 'AUS',
    personalAttributes: {
      surname: value('CITIZEN'),
      givenNames: [value('JOHN'), value('ADAM')],
      dateOfBirth: value('1980-01-01'),
      gender: value('M'),
    },
  };
  const healthCard = {
    cardNumber: '2123456701',
    cardType: 'G',
    expiryDate: '2030-01-01',
    personalAttributes: { fullname: value('JOHN CITIZEN'), dateOfBirth: value('1980-01-01') },
  };
  const played = (stated: object, operation: string, outcome: string, indicators: string[] = []) => {
    const plain = { seal: (_: string, data: unknown) => JSON.stringify(data), open: <T>() => stated as T };
    const data = { evidenceId: 'stated', operation, media: [], sealedSubmission: 's', settings: settingsWith() };
    const { sealed } = playParticipants({ data } as unknown as Submitted, { outcome, indicators }, plain, new Date())!;
    return JSON.parse(sealed.data!) as EvidenceData;
  };
  const whole = ['surname', 'givenName', 'dateOfBirth'];

  test.each<[string, object, string, string, string[], string[]]>([
    ['by each answer', { documentText }, 'ID_DOCUMENT', 'text-verified', [], whole],
    [
      'not by one that is approximate',
      { documentText },
      'ID_DOCUMENT',
      'text-verified',
      ['SURNAME_COMPARE_FAILED'],
      whole.slice(1),
    ],
    ['not by a source that denies it', { documentText }, 'ID_DOCUMENT', 'text-denied', [], []],
    ['not by a source that says nothing', { documentText }, 'ID_DOCUMENT', 'text-inconclusive', [], []],
    ['by one answer for all', { healthCard }, 'MEDICARE', 'health-card-verified', [], ['fullname', 'dateOfBirth']],
    ['not by a source that denies the card', { healthCard }, 'MEDICARE', 'health-card-denied', [], []],
  ])('is confirmed as by an issuer, %s', (_, stated, operation, outcome, indicators, confirmed) => {
    expect(played(stated, operation, outcome, indicators).confirmed?.toSorted()).toEqual(confirmed.toSorted());
  });
});
