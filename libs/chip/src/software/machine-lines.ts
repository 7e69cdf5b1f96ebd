import { checkDigit } from '../lds/check-digit.ts';

/** A holder and a document as the machine-readable zone shows them; dates as YYYY-MM-DD. */
export interface Passport {
  readonly documentNumber: string;
  readonly surname: string;
  readonly givenNames: string;
  readonly dateOfBirth: string;
  readonly gender: 'MALE' | 'FEMALE' | 'UNSPECIFIED';
  readonly dateOfExpiry: string;
  /** Three letters, as UTO for specimens. */
  readonly issuingState?: string;
  readonly nationality?: string;
}

const checked = (field: string): string => field + checkDigit(field);

const fill = (text: string, length: number): string => text.padEnd(length, '<').slice(0, length);

/** Letters without diacritics; fillers for all other characters. */
const letters = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/'/g, '')
    .replace(/[^A-Z]+/g, '<')
    .replace(/^<+|<+$/g, '');

const shortDate = (date: string): string => date.slice(2).replaceAll('-', '');
const sex = { MALE: 'M', FEMALE: 'F', UNSPECIFIED: '<' } as const;
const nameOf = ({ surname, givenNames }: Passport): string => `${letters(surname)}<<${letters(givenNames)}`;

/** The fields of all layouts, each at its width, with its check digit if it has one. */
const fieldsOf = ({ issuingState = 'UTO', nationality = issuingState, ...passport }: Passport) => ({
  state: fill(issuingState, 3),
  nation: fill(nationality, 3),
  number: checked(fill(passport.documentNumber.toUpperCase(), 9)),
  birth: checked(shortDate(passport.dateOfBirth)),
  expiry: checked(shortDate(passport.dateOfExpiry)),
  gender: sex[passport.gender],
});

/** The two lines of a passport (TD3). */
export const passportLines = (passport: Passport): string => {
  const { state, nation, number, birth, expiry, gender } = fieldsOf(passport);
  const first = fill(`P<${state}${nameOf(passport)}`, 44);
  const personal = `${fill('', 14)}0`;
  return `${first}${number}${nation}${birth}${gender}${expiry}${personal}${checkDigit(number + birth + expiry + personal)}`;
};

/** The three lines of an identity card (TD1). */
export const cardLines = (passport: Passport): string => {
  const { state, nation, number, birth, expiry, gender } = fieldsOf(passport);
  const first = fill(`I<${state}${number}`, 30);
  const optional = fill('', 11);
  const second = `${birth}${gender}${expiry}${nation}${optional}`;
  return `${first}${second}${checkDigit(first.slice(5) + birth + expiry + optional)}${fill(nameOf(passport), 30)}`;
};

/** The two lines of a larger identity card (TD2). */
export const largeCardLines = (passport: Passport): string => {
  const { state, nation, number, birth, expiry, gender } = fieldsOf(passport);
  const optional = fill('', 7);
  const second = `${number}${nation}${birth}${gender}${expiry}${optional}`;
  return `${fill(`I<${state}${nameOf(passport)}`, 36)}${second}${checkDigit(number + birth + expiry + optional)}`;
};
