import { present } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareAddresses } from './address-agreement.ts';
import { compareStatements } from './agreement.ts';
import { compareFullNames, compareGivenNames, compareSurnames, isSameName, spellingsOf } from './names.ts';
import type { StatedPerson } from './stated-person.ts';

describe('surnames', () => {
  test.each([
    ['MÜLLER', 'Mueller', 'AGREE'],
    ['MÜLLER', 'MULLER', 'AGREE'],
    ['Straße', 'STRASSE', 'AGREE'],
    ["O'Connor", 'OCONNOR', 'AGREE'],
    ['SMITH-JONES', 'SMITH JONES', 'AGREE'],
    ['ŁUKASIEWICZ', 'LUKASIEWICZ', 'AGREE'],
    ['Əliyev', 'ALIYEV', 'AGREE'],
    ['Əliyev', 'ELIYEV', 'AGREE'],
    ['Hüseynzadə', 'HUSEYNZADE', 'AGREE'],
    ['Əliyev', 'OLIYEV', 'DISAGREE'],
    ['Għigo', 'GHIGO', 'AGREE'],
    ['Ŋŧǥ', 'NTG', 'AGREE'],
    ['Đorđević', 'DJORDJEVIC', 'AGREE'],
    ['Đorđević', 'DORDEVIC', 'AGREE'],
    ['Núñez', 'NUNXXEZ', 'AGREE'],
    ['Agüero', 'AGUXXERO', 'AGREE'],
    ['Ｓｕｚｕｋｉ', 'SUZUKI', 'AGREE'],
    ['DORDEVIC', 'DJORDJEVIC', 'DISAGREE'],
    ['Dumas', 'DJUMAS', 'DISAGREE'],
    ['SMITH', 'SMYTH', 'DISAGREE'],
    ['SMITH', 'SMITHSON', 'DISAGREE'],
  ])('%s and %s %s', (one, other, expected) => {
    expect(compareSurnames({ surname: one }, { surname: other })).toBe(expected);
    expect(compareSurnames({ surname: other }, { surname: one })).toBe(expected);
  });

  test('one that the machine-readable zone truncated agrees with its longer form', () => {
    const cut = { surname: 'PAPANDROPOULO', cut: true };
    expect(compareSurnames(cut, { surname: 'Papandropoulous' })).toBe('AGREE');
    expect(compareSurnames(cut, { surname: 'Papadopoulos' })).toBe('DISAGREE');
    expect(compareSurnames(cut, { surname: 'Pap' })).toBe('DISAGREE');
    expect(compareSurnames({ surname: 'Pap' }, cut)).toBe('DISAGREE');
    expect(compareSurnames(cut, { surname: 'Pap', cut: true })).toBe('AGREE');
  });

  test.each(['BENNELONG WOOLOOM WARRAND WARNAM', 'BENNEL WOOLOO WARRAN WARNAM', 'BENNELONG WOOLOOMOOLOO WARRANDYTE W'])(
    'of which the zone truncated each word agree with their longer form: %s',
    (surname) => {
      const whole = { surname: 'Bennelong Wooloomooloo Warrandyte Warnambool' };
      for (const compare of [
        (a: object, b: object) => compareSurnames(a, b),
        (a: object, b: object) => compareSurnames(b, a),
      ]) {
        expect(compare({ surname, cut: true }, whole)).toBe('AGREE');
        expect(compare({ surname }, whole)).toBe('DISAGREE');
        expect(compare({ surname, cut: true }, { surname: 'Bennelong Wooloomooloo Carrandyte Warnambool' })).toBe(
          'DISAGREE',
        );
        expect(compare({ surname, cut: true }, { surname: 'Bennelong Wooloomooloo' })).toBe('DISAGREE');
      }
    },
  );

  test('agree with a longer one only where this very name is marked as truncated', () => {
    const lee = { surname: 'LEE', givenNames: ['JO', 'MAXIMIL'] };
    const leeman = { surname: 'LEEMAN', givenNames: ['JO', 'MAXIMILIAN'] };
    expect(compareSurnames({ ...lee, cut: ['surname'] }, leeman)).toBe('AGREE');
    expect(compareSurnames({ ...lee, cut: ['givenName', 'middleName'] }, leeman)).toBe('DISAGREE');
    const john = { givenNames: ['JOHN', 'MAXIMILIAN'] };
    expect(compareGivenNames({ ...lee, cut: ['middleName'] }, leeman)).toBe('AGREE');
    expect(compareGivenNames({ ...lee, cut: ['givenName'] }, leeman)).toBe('DISAGREE');
    expect(compareGivenNames({ ...lee, cut: ['middleName'] }, john)).toBe('DISAGREE');
    expect(compareGivenNames({ ...lee, cut: ['givenName', 'middleName'] }, john)).toBe('AGREE');
  });
});

describe('given names', () => {
  test.each([
    [['ANNA', 'MARIA'], ['ANNA MARIA'], 'AGREE'],
    [['ANNA', 'MARIA'], ['ANNA'], 'AGREE'],
    [['ANNA', 'MARIA'], ['ANNA', 'M'], 'AGREE'],
    [['ANNA', 'MARIA', 'LUISE'], ['ANNA', 'LUISE'], 'AGREE'],
    [['MARY-ANN'], ['MARYANN'], 'AGREE'],
    [['ANNA', 'MARIA'], ['MARIA', 'ANNA'], 'DISAGREE'],
    [['ANNA', 'MARIA'], ['ANNA', 'LUISE'], 'DISAGREE'],
    [['ANNA'], ['ANNE'], 'DISAGREE'],
    [[], ['ANNA'], 'UNKNOWN'],
  ])('%j and %j %s', (one, other, expected) => {
    expect(compareGivenNames({ givenNames: one }, { givenNames: other })).toBe(expected);
    expect(compareGivenNames({ givenNames: other }, { givenNames: one })).toBe(expected);
  });

  test('that were truncated agree with their longer form', () => {
    const cut = { givenNames: ['ANNA', 'MAR'], cut: true };
    expect(compareGivenNames(cut, { givenNames: ['ANNA', 'MARIA', 'LUISE'] })).toBe('AGREE');
    expect(compareGivenNames(cut, { givenNames: ['BERTA', 'MARIA'] })).toBe('DISAGREE');
    expect(compareGivenNames(cut, { givenNames: ['AN', 'MARIA'] })).toBe('DISAGREE');
    expect(compareGivenNames({ givenNames: ['ANNA', 'MARIA', 'LUISE'] }, cut)).toBe('AGREE');
    expect(compareGivenNames({ givenNames: ['ANNA', 'MA'] }, cut)).toBe('DISAGREE');
  });
});

describe('full names', () => {
  test.each([
    ['John Arthur Doe', 'JOHN DOE', 'AGREE'],
    ['Doe John', 'JOHN DOE', 'AGREE'],
    ['J A Doe', 'John Arthur Doe', 'DISAGREE'],
    ['John A Doe', 'John Arthur Doe', 'AGREE'],
    ['John Doe', 'Jane Doe', 'DISAGREE'],
    ['', 'Jane Doe', 'UNKNOWN'],
  ])('%s and %s %s', (one, other, expected) => {
    expect(compareFullNames(one, other)).toBe(expected);
  });
});

test('given names alone are no full name, even if they contain letters of the surname', () => {
  const compared = (fullname: string, givenNames: string[], surname: string) =>
    compareStatements(
      { evidenceId: 'card', person: { fullname } },
      { evidenceId: 'passport', person: { givenNames, surname } },
    ).surname;
  expect(compared('KATHLEEN ANN', ['KATHLEEN', 'ANN'], 'LEE')).toBe('DISAGREE');
  expect(compared('MARIA ANNA', ['MARIA', 'ANNA'], 'AN')).toBe('DISAGREE');
  expect(compared('KATHLEEN ANN LEE', ['KATHLEEN', 'ANN'], 'LEE')).toBe('AGREE');
  expect(compared('MARIA VAN DER BERG', ['MARIA'], 'VAN DER BERG')).toBe('AGREE');
  expect(compared('MARIA VANDERBERG', ['MARIA'], 'VAN DER BERG')).toBe('AGREE');
});

describe('marks', () => {
  test.each([
    ['राम', 'रमा', 'DISAGREE'],
    ['किरण', 'करुणा', 'DISAGREE'],
    ['かき', 'がき', 'DISAGREE'],
    ['สม', 'สมี', 'DISAGREE'],
    ['किरण', 'किरण', 'AGREE'],
    ['がき', 'が\u304d', 'AGREE'],
    ['か\u3099き', 'がき', 'AGREE'],
    ['مُحَمَّد', 'محمد', 'AGREE'],
    ['Ёлкин', 'Елкин', 'AGREE'],
    ['ΠΑΠΑΔΌΠΟΥΛΟΣ', 'ΠΑΠΑΔΟΠΟΥΛΟΣ', 'AGREE'],
    ['NGUYỄN', 'NGUYEN', 'AGREE'],
  ])('%s and %s %s: accents may be left out, vowels of other scripts may not', (one, other, expected) => {
    expect(compareSurnames({ surname: one }, { surname: other })).toBe(expected);
  });
});

describe('names in another script', () => {
  test.each([
    ['ИВАНОВ', 'IVANOV', 'UNKNOWN'],
    ['山田', 'YAMADA', 'UNKNOWN'],
    ['YAMADA 山田', 'YAMADA', 'UNKNOWN'],
    ['YAMADA 山田', '山田', 'UNKNOWN'],
    ['YAMADA 山田', 'TANAKA', 'DISAGREE'],
    ['YAMADA 山田', '田中', 'DISAGREE'],
    ['YAMADA 山田', 'YAMADA 田中', 'DISAGREE'],
    ['ИВАНОВ', 'ПЕТРОВ', 'DISAGREE'],
    ['ИВАНОВ', 'Иванов', 'AGREE'],
    // One letter of another alphabet among Latin ones makes another name, or a forged one.
    ['SMІTH', 'SMITH', 'DISAGREE'],
    ['SMITH9', 'SMITH', 'DISAGREE'],
  ])('%s and %s %s', (one, other, expected) => {
    const surnames = [{ surname: one }, { surname: other }] as const;
    expect(compareSurnames(...surnames)).toBe(expected);
    expect(compareSurnames(surnames[1], surnames[0])).toBe(expected);
    if (!one.includes(' ')) expect(compareGivenNames({ givenNames: [one] }, { givenNames: [other] })).toBe(expected);
  });

  test('neither agree nor contradict as full names and cities', () => {
    expect(compareFullNames('Иван Иванов', 'IVAN IVANOV')).toBe('UNKNOWN');
    expect(compareFullNames('Иван Иванов', 'Пётр Иванов')).toBe('DISAGREE');
    const stated = (city: string) => ({ city, postcode: '101000' });
    expect(compareAddresses(stated('Москва'), stated('MOSCOW'))).toBe('UNKNOWN');
    expect(compareAddresses(stated('Москва'), stated('Казань'))).toBe('DISAGREE');
  });
});

describe('addresses', () => {
  const at = (line: string, postcode?: string, city?: string) => ({
    streetDetails: { streetLines: [line], verified: false },
    ...present({ postcode, city }),
  });
  test.each([
    [at('12 High Street', '21401', 'Annapolis'), at('12 HIGH ST', '21401-1234', 'ANNAPOLIS'), 'AGREE'],
    [at('12 High Street', '21401'), at('14 High Street', '21401'), 'DISAGREE'],
    [at('12 High Street', '21401'), at('12 High Street', '21402'), 'DISAGREE'],
    [at('12 High Street'), at('12 High Street'), 'UNKNOWN'],
    [at('12 High Street', '21401'), undefined, 'UNKNOWN'],
  ] as const)('%j and %j %s', (one, other, expected) => {
    expect(compareAddresses(one, other)).toBe(expected);
  });
});

describe('two statements of one person', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'ABCÄÖÜßÉ -’'), minLength: 1, maxLength: 12 });
  const person: fc.Arbitrary<StatedPerson> = fc.record(
    { surname: letters, givenNames: fc.array(letters, { maxLength: 3 }), fullname: letters, cut: fc.boolean() },
    { requiredKeys: [] },
  );

  test('compare the same in either order, and agree with themselves', () => {
    fc.assert(
      fc.property(person, person, (a, b) => {
        const one = { evidenceId: 'a', person: a };
        const other = { evidenceId: 'b', person: b };
        expect(compareStatements(one, other)).toEqual(compareStatements(other, one));
        const twin = compareStatements(one, { evidenceId: 'b', person: a });
        expect([twin.surname, twin.givenNames]).not.toContain('DISAGREE');
      }),
      { numRuns: 3000 },
    );
  });

  test('belong to the same document if type and number are the same, however they are written', () => {
    const documentNumbered = (number: string, type = 'PASSPORT') => ({ document: { type, number } });
    const same = (a: StatedPerson, b: StatedPerson) =>
      compareStatements({ evidenceId: 'a', person: a }, { evidenceId: 'b', person: b }).sameDocument;
    expect(same(documentNumbered('AB 123-4'), documentNumbered('ab1234'))).toBe(true);
    expect(same(documentNumbered('AB1234'), documentNumbered('AB1235'))).toBe(false);
    expect(same(documentNumbered('AB1234'), documentNumbered('AB1234', 'VISA'))).toBe(false);
  });

  test('spellings have no signs between letters, and keep digits and symbols', () => {
    expect(spellingsOf('Ä-b c')).toEqual(['ABC', 'AEBC']);
    expect(['Smith9', 'Smith 😀', 'Smith 王'].map((name) => isSameName(name, 'SMITH'))).toEqual([false, false, false]);
    expect(['Smith$', 'Smith +', 'Smith<'].map((name) => isSameName(name, 'SMITH'))).toEqual([false, false, true]);
    expect(['O´Neill', 'O’Neill', 'O. Neill,'].map((name) => isSameName(name, 'ONEILL'))).toEqual([true, true, true]);
  });
});
