import type { MachineReadableZone } from '@assay/chip';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareStatements } from './agreement.ts';
import { dataOfChip } from './chip-data.ts';
import type { StatedPerson } from './stated-person.ts';

const SURNAMES = [
  ...['Müller', 'Ødegård', 'Groß', 'Muñoz', "O'Connor", 'Smith-Jones', 'van der Berg', 'de la Cruz', 'Al-Basri', 'Ng'],
  ...['Þórsdóttir', 'Łukasiewicz', 'Şahin', 'García Hernández', 'Wolfeschlegelsteinhausenbergerdorff', 'Öztürk-Çelik'],
];
const GIVEN_NAMES = [
  ...['Jürgen', 'Anna', 'Søren', 'Åge', 'Jean-Pierre', 'Mohammed', 'Abdullah', 'Abdulrahman', "D'Angelo", 'Li'],
  ...['Xiao-Ming', 'İbrahim', 'Alexandrina', 'Theodora', 'Ægir', 'José', 'Ángeles'],
];

/** How issuers write letters out (ICAO 9303-3, section 6); some leave the marks out. */
const WRITTEN_OUT: Readonly<Record<string, string>> = {
  Ä: 'AE',
  Å: 'AA',
  Æ: 'AE',
  Ö: 'OE',
  Ø: 'OE',
  Ü: 'UE',
  Þ: 'TH',
  Ł: 'L',
};
const PLAIN = { ...WRITTEN_OUT, Ä: 'A', Å: 'A', Ö: 'O', Ø: 'O', Ü: 'U' };

const inZone = (name: string, letters: Readonly<Record<string, string>>): string =>
  [...name.replaceAll('ß', 'SS').toUpperCase()]
    .map((letter) => letters[letter] ?? letter)
    .join('')
    .normalize('NFD')
    .replace(/[\p{M}']/gu, '')
    .replace(/[^A-Z]/g, '<');

const WIDTH = 39;
const joined = ([surname = '', ...given]: readonly string[]): string => `${surname}<<${given.join('<')}`;

/** The names as an issuer cuts them: each word to some letters, and then what is too much. */
const cutTo = (names: readonly string[], letters: number): string => {
  const whole = joined(names);
  const shorter = names.map((name) =>
    name
      .split('<')
      .map((word) => word.slice(0, letters))
      .join('<'),
  );
  const cut = joined(shorter).slice(0, WIDTH);
  // A letter at the end says that something was cut.
  const field = whole.length > WIDTH && /^.{38}[A-Z]$/.test(cut) ? cut : whole.slice(0, WIDTH);
  return field.padEnd(WIDTH, '<');
};

const chipWith = (field: string) => {
  const [surname = '', givenNames = ''] = field.split('<<').map((part) => part.replaceAll('<', ' ').trim());
  const mrz: MachineReadableZone = {
    ...{
      format: 'TD3',
      lines: [`P<UTO${field}`, 'L898902C36UTO7408122F3204159ZE184226B<<<<<10'],
      checkDigitsValid: true,
    },
    ...{ documentCode: 'P', issuingState: 'UTO', documentNumber: 'L898902C3', surname, givenNames, nationality: 'UTO' },
    ...{ dateOfBirth: '1974-08-12', sex: 'FEMALE', optionalData: [] },
  };
  return dataOfChip({ mrz, bound: true }, 'PASSPORT', (code) => code);
};

const person = fc.record({
  surname: fc.constantFrom(...SURNAMES),
  givenNames: fc.array(fc.constantFrom(...GIVEN_NAMES), { minLength: 1, maxLength: 5 }),
});
const issuer = fc.record({ letters: fc.constantFrom(WRITTEN_OUT, PLAIN), length: fc.integer({ min: 3, max: 40 }) });

test('a person has the same names in a zone, however it writes and cuts them', () => {
  fc.assert(
    fc.property(person, issuer, ({ surname, givenNames }, { letters, length }) => {
      const names = [surname, ...givenNames].map((name) => inZone(name, letters));
      const field = cutTo(names, length);
      const chip = { evidenceId: 'chip', person: chipWith(field).person! };
      const agreementWith = (stated: StatedPerson) => compareStatements(chip, { evidenceId: 'text', person: stated });
      const parts = agreementWith({ surname, givenNames });
      expect([parts.surname, parts.givenNames]).toEqual(['AGREE', 'AGREE']);
      expect(agreementWith({ fullname: [...givenNames, surname].join(' ') }).surname).not.toBe('DISAGREE');
      if (field.endsWith('<')) expect(agreementWith({ surname: `${surname}a`, givenNames }).surname).toBe('DISAGREE');
    }),
    { numRuns: 500 },
  );
});

test('a name is verified by a zone that is cut at its end only if it is whole', () => {
  fc.assert(
    fc.property(person, ({ surname, givenNames }) => {
      const names = [surname, ...givenNames].map((name) => inZone(name, WRITTEN_OUT));
      const { personalAttributes } = chipWith(cutTo(names, WIDTH)).idDocumentData ?? {};
      const all = [personalAttributes?.surname, ...(personalAttributes?.givenNames ?? [])];
      const whole = [names[0]!.replaceAll('<', ' '), ...names.slice(1).flatMap((name) => name.split('<'))];
      for (const name of all) if (name?.verified) expect(whole).toContain(name.value);
    }),
    { numRuns: 500 },
  );
});
