import { isPrintable } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { areTwo, isPersonId, nameInClaims, personIdOf, refusalOfKey, shownName } from './person.ts';

const [ann, bob] = [personIdOf('ann'), personIdOf('bob')];

describe('the name of a person', () => {
  test.each([
    ['the name', { name: 'Ann Smith', given_name: 'A', sub: 's' }, 'Ann Smith'],
    ['given and family name', { name: ' ', given_name: 'Ann', family_name: 'Smith', sub: 's' }, 'Ann Smith'],
    ['the family name alone', { family_name: 'Smith', preferred_username: 'ann' }, 'Smith'],
    ['the user name', { name: 7, preferred_username: 'ann', sub: 's' }, 'ann'],
    ['the subject', { name: null, sub: 's-1' }, 's-1'],
    ['the subject, where the name cannot be seen', { name: '\u200d\u2800', sub: 's-1' }, 's-1'],
    ['nothing', {}, ''],
  ])('comes from the claims of the issuer: %s', (_what, claims, name) => expect(nameInClaims(claims)).toBe(name));

  test('contains nothing that could make it look like another', () => {
    expect(shownName(' Ann\u202eBob\u200b \n Smith\u2028')).toBe('AnnBob  Smith');
    expect(shownName(' A\u200dn\u034fn\u2800\ufe0f')).toBe('Ann');
    expect(shownName('a'.repeat(121))).toHaveLength(120);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const name = shownName(text);
        expect(isPrintable(name)).toBe(true);
        expect(name.length).toBeLessThanOrEqual(120);
      }),
    );
  });
});

describe('two operators', () => {
  test.each([
    ['two people', ann, bob, true],
    ['one person', ann, ann, false],
    ['two keys without a person', 'key-1', 'key-2', true],
    ['one key', 'key-1', 'key-1', false],
    ['a person and a key that may be the same person’s', ann, 'key-1', false],
  ])('are certainly two people if they are %s: %#', (_what, one, other, expected) => {
    expect(areTwo(one, other)).toBe(expected);
    expect(areTwo(other, one)).toBe(expected);
  });

  test('if only people may decide, a key without a person is refused', () => {
    expect([isPersonId(ann), isPersonId('key-1')]).toEqual([true, false]);
    expect(refusalOfKey('key-1', true)).toMatchObject({ refused: 'STATE_CONFLICT' });
    expect([refusalOfKey(ann, true), refusalOfKey('key-1', false)]).toEqual([undefined, undefined]);
  });
});
