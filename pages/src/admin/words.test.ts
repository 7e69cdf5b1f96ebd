import { describe, expect, test } from '@jest/globals';
import { actInWords, memberInWords } from './audit-words.ts';
import { changeInWords } from './change-words.ts';
import { nameOf, saidBy } from './timeline-words.ts';

describe('events and acts in words', () => {
  test.each([
    ['key.create', 'Key created'],
    ['master-key.rotate', 'Master key replaced'],
    ['endpoint.test', 'Webhook tested'],
    ['case.view-image', 'Case image opened'],
    ['dead-letters.replay', 'Dead letters replayed'],
    ['identity.closed', 'Identity closed'],
    ['later.some-thing', 'Later some thing'],
  ])('given the act %s, it is “%s”', (act, words) => expect(actInWords(act)).toBe(words));

  test.each([
    ['identityId', 'identity'],
    ['withinSeconds', 'within seconds'],
    ['made', 'new'],
  ])('given the member %s, it is “%s”', (name, words) => expect(memberInWords(name)).toBe(words));

  test.each([
    [
      'consents.changed',
      {
        consents: [
          { type: 'GIV', approved: false },
          { type: 'PORTRAIT', approved: true },
        ],
      },
      'asking the issuer refused, comparing faces agreed',
    ],
    [
      'evidence.evaluated',
      { levelOfAssurance: 'LOA1', evidences: [{ type: 'PORTRAIT', status: 'NOT_VERIFIED', errors: ['1572'] }] },
      'LOA1, portrait not verified (error 1572)',
    ],
    [
      'evidence.submitted',
      { type: 'ID_DOCUMENT', operation: 'ID_DOCUMENT_CAPTURE', media: 2 },
      'id document, 2 images',
    ],
    ['event.of-a-later-release', { some: true, thingId: 'x' }, 'some yes, thing x'],
  ])('given the event %s, then its content is in words', (type, details, words) =>
    expect(saidBy({ type, details })).toBe(words),
  );

  test.each([
    ['levelOfAssurance: LOA1 -> LOA0', 'Level of assurance: LOA1 → LOA0'],
    [
      'PASSPORT 36ac5eac-94a9-42e8-bfdf-ad50f2ecdd93 status: VERIFIED -> NOT_VERIFIED',
      'Passport (36ac5eac), status: verified → not verified',
    ],
    [
      'PASSPORT 36ac5eac-94a9-42e8-bfdf-ad50f2ecdd93 score: LEVEL2 -> none',
      'Passport (36ac5eac), score: level 2 → none',
    ],
    [
      'PASSPORT 36ac5eac-94a9-42e8-bfdf-ad50f2ecdd93 missing: -> VISUAL_SECURITY',
      'Passport (36ac5eac), missing: nothing → visual security features',
    ],
    ['name reference: 36ac5eac-94a9-42e8-bfdf-ad50f2ecdd93 -> none', 'Name reference: evidence 36ac5eac → none'],
    ['something of a later release', 'Something of a later release'],
  ])('given the change “%s”', (change, words) => expect(changeInWords(change)).toBe(words));

  test('given an event, an act or a notification, then it has a name', () => {
    expect(nameOf({ kind: 'EVALUATION', type: 'evidence.evaluated' })).toBe('Evidence evaluated');
    expect(nameOf({ kind: 'ACT', type: 'identity.purge' })).toBe('Identity purged');
    expect(nameOf({ kind: 'DELIVERY', type: 'Evaluation' })).toBe('Evaluation notification');
  });
});
