import { present } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ExpectedValues, matcherFor, type VisualField } from './match.ts';

const matches = (expected: ExpectedValues, ...texts: string[]) => {
  const matcher = matcherFor(expected);
  for (const text of texts) matcher.look({ text });
  const result = matcher.result();
  return (field: VisualField) => result[field];
};

describe('a search for values in the visual zone', () => {
  test('names in other spellings are the same name', () => {
    const found = matches({ surname: 'MUELLER', givenNames: ['JOSE', 'MARIA'] }, 'Müller', 'José-María');
    expect(found('surname')).toMatchObject({ match: 'exact', seen: 'Müller' });
    expect(found('givenNames')).toMatchObject({ match: 'exact', seen: 'José-María' });
  });

  test('a label in the same box does not matter', () => {
    expect(matches({ surname: 'SPECIMEN' }, 'Surname/Nom SPECIMEN')('surname')?.match).toBe('exact');
    expect(matches({ surname: 'SPECIMEN' }, '1LNSPECIMEN')('surname')?.match).toBe('exact');
    expect(matches({ documentNumber: 'T64235789' }, '4d DLN T64235789')('documentNumber')?.match).toBe('exact');
  });

  test('given names on separate lines, or all in one with the surname', () => {
    expect(matches({ givenNames: ['BARRY', 'HENRY'] }, 'BARRY', 'HENRY')('givenNames')?.match).toBe('exact');
    const found = matches({ surname: 'SPECIMEN', givenNames: ['BARRY', 'HENRY'] }, 'BARRYHENRYSPECIMEN');
    expect(found('surname')?.match).toBe('exact');
    expect(found('givenNames')?.match).toBe('exact');
  });

  test('two surnames on separate lines, as Spanish and Mexican cards have them, or in their order on one', () => {
    const both = { surname: 'GARCIA LOPEZ', givenNames: ['ANA'] };
    expect(matches(both, 'GARCIA', 'LOPEZ', 'ANA')('surname')).toMatchObject({
      match: 'exact',
      seen: 'GARCIA LOPEZ',
    });
    expect(matches(both, 'GARCIA LOPEZ')('surname')?.match).toBe('exact');
    expect(matches(both, 'LOPEZ GARCIA')('surname')?.match).not.toBe('exact');
    expect(matches(both, 'GARCIA', 'LOPES')('surname')?.match).not.toBe('exact');
  });

  test.each(['DOE', 'MONROE', 'CHLOE', 'SUE', 'RAE', 'SAA', 'BLOHM AA'])(
    '%s, whose last two letters may be one in print',
    (name) => {
      const zone = { surname: name, givenNames: [], transliterated: true as const };
      for (const printed of [name, `Surname ${name}`, `${name} /`])
        expect(matches(zone, printed)('surname')).toMatchObject({ match: 'exact', seen: name });
      expect(matches(zone, `${name}L`)('surname')?.match).toBe('near');
      expect(matches(zone, `${name} JR`)('surname')?.match).toBe('partly');
    },
  );

  test('print that has one letter for the last two is the same name, whatever stands behind it', () => {
    const zone = { surname: 'DOE', givenNames: ['EVA'], transliterated: true as const };
    expect(matches(zone, 'DÖ EVA')('surname')).toMatchObject({ match: 'exact', seen: 'DÖ' });
  });

  test('a short name that is also a part of another name on its line', () => {
    const zone = { surname: 'LI', givenNames: ['OLIVIA'], transliterated: true as const };
    expect(matches(zone, 'OLIVIA LI')('surname')?.match).toBe('exact');
    expect(matches(zone, 'OLIVIA')('surname')?.match).not.toBe('exact');
  });

  test('a given name that comes twice is in its order at either place', () => {
    const twice = { givenNames: ['JOHN', 'PAUL', 'JOHN'] };
    expect(matches(twice, 'JOHN', 'PAUL JOHN')('givenNames')?.match).toBe('exact');
    expect(matches(twice, 'JOHN PAUL', 'JOHN')('givenNames')?.match).toBe('exact');
    expect(matches(twice, 'JOHN JOHN PAUL')('givenNames')?.match).toBe('partly');
    expect(matches({ givenNames: ['JOHN', 'PAUL'] }, 'PAUL JOHN')('givenNames')?.match).toBe('partly');
  });

  test('a name that comes twice has to be printed twice', () => {
    const twice = { givenNames: ['JOHN', 'PAUL', 'JOHN'] };
    for (const lines of [['JOHN PAUL'], ['PAUL JOHN'], ['JOHN', 'PAUL']])
      expect(matches(twice, ...lines)('givenNames')?.match).not.toBe('exact');
    const surname = { surname: 'GARCIA GARCIA', transliterated: true as const };
    expect(matches(surname, 'GARCÍA')('surname')?.match).not.toBe('exact');
    for (const lines of [['GARCÍA', 'GARCÍA'], ['GARCÍA GARCÍA'], ['GARCÍAGARCÍA']])
      expect(matches(surname, ...lines)('surname')?.match).toBe('exact');
    const longer = { surname: 'DE LA CRUZ DE LA TORRE', transliterated: true as const };
    expect(matches(longer, 'DE LA CRUZ', 'DE LA TORRE')('surname')?.match).toBe('exact');
    expect(matches(longer, 'DE LA CRUZ', 'TORRE')('surname')?.match).not.toBe('exact');
  });

  test.each([
    ['THOMAS', ['THOMAS'], ['THOMAS', 'MARK'], 'partly'],
    ['THOMAS', ['THOMAS'], ['SurnameTHOMAS', 'Given names THOMAS'], 'exact'],
    ['THOMAS', ['THOMAS'], ['THOMASTHOMAS'], 'exact'],
    ['THOMAS', ['THOMAS'], ['THOMAS', 'THOMASINA'], 'partly'],
    ['THOMAS SMITH', ['THOMAS'], ['THOMAS SMITH', 'MARK'], 'partly'],
    ['THOMAS SMITH', ['THOMAS'], ['THOMAS SMITH', 'THOMAS'], 'exact'],
    ['THOMAS', ['JOHN', 'THOMAS'], ['THOMAS', 'JOHN'], 'partly'],
    ['THOMAS', ['JOHN', 'THOMAS'], ['THOMAS', 'JOHN THOMAS'], 'exact'],
    ['MUELLER', ['MUELLER'], ['MÜLLER', 'MULLER'], 'exact'],
    ['DE LA CRUZ', ['MARIA', 'DE', 'JESUS'], ['DELACRUZ', 'MARIA DE JESUS'], 'exact'],
  ])('of surname %s and given names %s, print has as many words: %s', (surname, givenNames, lines, match) => {
    const found = matches({ surname, givenNames, transliterated: true }, ...lines);
    expect([found('surname')?.match, found('givenNames')?.match]).toEqual(['exact', match]);
  });

  test.each([
    ['GARCIA DE LA TORRE', ['GARCÍA', 'DE LA TORRE']],
    ['DE LA TORRE GARCIA', ['DE LA TORRE', 'GARCÍA']],
    ['GARCIA DE LA TORRE', ['GARCÍA', 'DELATORRE']],
    ['DA SILVA SANTOS PEREIRA', ['DA SILVA', 'SANTOS PEREIRA']],
    ['DA SILVA SANTOS PEREIRA', ['DA SILVA SANTOS', 'PEREIRA']],
    ['LA BLANCA', ['LA', 'BLANCA']],
  ])('surnames of several words on two lines: %s', (surname, lines) => {
    expect(matches({ surname, transliterated: true }, ...lines)('surname')?.match).toBe('exact');
  });

  test.each([
    ['GARCIA DE LA TORRE', ['DE LA TORRE GARCÍA']],
    ['GARCIA DE LA TORRE', ['GARCÍA', 'DE LA TORRES']],
    ['DA SILVA SANTOS', ['SILVA DA', 'SANTOS']],
    ['DA SILVA SANTOS PEREIRA', ['DA SILVA PEREIRA', 'SANTOS']],
  ])('words of surnames that stand otherwise on a line are not %s', (surname, lines) => {
    expect(matches({ surname, transliterated: true }, ...lines)('surname')?.match).not.toBe('exact');
  });

  test.each(['Berg, van der', 'BERG VAN DER', 'Surname Berg, van der'])(
    'a surname whose particles stand behind it is the same name in another order: %s',
    (line) => {
      const zone = { surname: 'VAN DER BERG', givenNames: ['JAN'], transliterated: true as const };
      expect(matches(zone, line, 'JAN')('surname')?.match).toBe('partly');
      expect(matches(zone, 'van der Berg', line)('surname')?.match).toBe('exact');
    },
  );

  test.each(['BERG, VAN DEN', 'BERGER, VAN DER', 'DER BERG VAN', 'BERG'])('%s is not VAN DER BERG', (line) => {
    expect(matches({ surname: 'VAN DER BERG', transliterated: true }, line)('surname')?.match).not.toMatch(
      /exact|partly/,
    );
  });

  test('the suffix that the barcode has may stand behind the name, without a blank', () => {
    const found = (read: string) => matches({ surname: 'MILLER', nameSuffix: 'JR' }, read)('surname')?.match;
    expect(found('1 LN MILLERJR')).toBe('exact');
    expect(found('1 LN MILLERSR')).toBe('near');
    expect(matches({ surname: 'MILLER' }, 'MILLERJR')('surname')?.match).toBe('near');
  });

  test('a longer name that contains the value is another name', () => {
    expect(matches({ givenNames: ['ANNA'] }, 'JOANNA')('givenNames')?.match).not.toBe('exact');
    expect(matches({ surname: 'SPECIMEN' }, 'SPECIMENS')('surname')?.match).toBe('near');
    expect(matches({ documentNumber: '12345678' }, '123456789')('documentNumber')?.match).toBe('near');
  });

  test.each(['1', '2', '5'])(
    'a number with a %s more is another number; the same digit before a letter is a field',
    (digit) => {
      const numbers = [`${digit}98765432`, `98765432${digit}`, `No ${digit}98765432`];
      for (const printed of numbers)
        expect(matches({ documentNumber: '98765432' }, printed)('documentNumber')?.match).toBe('near');
      expect(matches({ documentNumber: 'D9876543' }, `${digit}D9876543`)('documentNumber')?.match).toBe('exact');
      expect(matches({ surname: 'SPECIMEN' }, `${digit}SPECIMEN`)('surname')?.match).toBe('exact');
    },
  );

  test('a name truncated by the format agrees with its longer form', () => {
    const cut = { surname: 'PAPADOPOULOS', givenNames: ['KONSTANT'], nameTruncated: true };
    expect(matches(cut, 'PAPADOPOULOS', 'KONSTANTINOS')('givenNames')?.match).toBe('exact');
  });

  test('figures are read in the order in which the issuer writes them, if that is known', () => {
    const printed = (text: string, monthFirst?: boolean) =>
      matches({ birthDate: '1991-04-03', ...present({ monthFirst }) }, text)('birthDate')?.match;
    expect([printed('03.04.1991', false), printed('04.03.1991', false)]).toEqual(['exact', 'near']);
    expect([printed('04/03/1991', true), printed('03/04/1991', true)]).toEqual(['exact', 'near']);
    expect([printed('03.04.1991'), printed('04.03.1991')]).toEqual(['exact', 'exact']);
    expect([printed('03 APR 1991', true), printed('1991-04-03', true)]).toEqual(['exact', 'exact']);
    expect(matches({ birthDate: '1991-12-31', monthFirst: false }, '12/31/1991')('birthDate')?.match).toBe('exact');
  });

  test('a value without similar print is absent', () => {
    expect(matches({ surname: 'SPECIMEN' }, 'QUIRK', 'UTOPIA')('surname')?.match).toBe('absent');
  });

  test('one letter changed is never exact', () => {
    const name = fc.stringMatching(/^[ACDEFGHJKLMNPRTUVWXYZ]{4,12}$/);
    const letter = fc.constantFrom(...'ACDEFGHJKLMNPRTUVWXYZ');
    fc.assert(
      fc.property(name, letter, fc.nat(), (surname, other, n) => {
        const at = n % surname.length;
        fc.pre(surname[at] !== other);
        const changed = surname.slice(0, at) + other + surname.slice(at + 1);
        expect(matches({ surname }, changed)('surname')?.match).not.toBe('exact');
      }),
    );
  });
});

describe('letters with marks that the recogniser does not know', () => {
  test.each([
    ['KOEHLER', 'Kohler'],
    ['SOERENSEN', 'SORENSEN'],
    ['MAEKELAE', 'MAKELA'],
    ['AASGAARD', 'ASGARD'],
    ['MUXXLLER', 'MULLER'],
    ['MUNXXOZ', 'MUNOZ'],
    ['LECOEUR', 'LECEUR'],
    ['GROSS', 'GroB'],
    ['THORDARSON', 'PORDARSON'],
    ['NXXUNXXEZ', 'NUNEZ'],
    ['DJORDJEVIC', 'DORDEVIC'],
    ['JAEGER', 'JEGER'],
  ])('%s of the zone is printed with one letter for two: %s', (surname, read) => {
    expect(matches({ transliterated: true, surname }, `Surname ${read}`)('surname')).toMatchObject({
      match: 'exact',
      seen: read,
    });
  });

  test('the name beside it is known in this spelling, too', () => {
    const found = matches({ transliterated: true, surname: 'KOEHLER', givenNames: ['JUERGEN'] }, 'KOHLERJURGEN');
    expect(found('surname')?.match).toBe('exact');
    expect(found('givenNames')?.match).toBe('exact');
  });

  test.each([
    ['KOHLER', 'KOEHLER'],
    ['KOEHLER', 'KAHLER'],
    ['MUELLER', 'MILLER'],
    ['THORDARSON', 'BORDARSON'],
    ['KOEHLER', 'KOHLERS'],
    ['DJORDJEVIC', 'BORDEVIC'],
  ])('%s is not %s', (surname, read) => {
    expect(matches({ transliterated: true, surname }, read)('surname')?.match).toBe('near');
  });

  test('a barcode has the very letters that are printed', () => {
    expect(matches({ surname: 'MUELLER' }, 'MULLER')('surname')?.match).toBe('near');
  });
});

describe('given names in another order', () => {
  const seen = (...lines: string[]) => {
    const matcher = matcherFor({ givenNames: ['OLENA', 'IVANIVNA', 'MARIA'] });
    for (const text of lines) matcher.look({ text });
    return matcher.result().givenNames?.match;
  };

  test('are the same names and another value', () => {
    expect(seen('IVANIVNA OLENA MARIA')).toBe('partly');
    expect(seen('MARIA', 'IVANIVNA OLENA')).toBe('partly');
    expect(seen('OLENA IVANIVNA MARIA')).toBe('exact');
  });

  test('are in order where they stand in lines of their own', () => {
    expect(seen('MARIA', 'OLENA IVANIVNA')).toBe('exact');
  });
});
