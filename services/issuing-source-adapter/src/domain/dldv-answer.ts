import type { IndicatorName } from '@assay/contracts';
import { compared, comparedName, type Match, type SourceAnswer } from './answer.ts';
import type { Values } from './document.ts';
import type { QuestionField } from './source.ts';

/** The match indicators of a DLDV 2.1 answer. Each is true, false or absent. */
export const DLDV_MATCHES = [
  'DriverLicenseNumber',
  'DocumentCategory',
  'DriverLicenseIssueDate',
  'DriverLicenseExpirationDate',
  'PersonBirthDate',
  'PersonLastNameExact',
  'PersonLastNameFuzzyPrimary',
  'PersonLastNameFuzzyAlternate',
  'PersonFirstNameExact',
  'PersonFirstNameFuzzyPrimary',
  'PersonFirstNameFuzzyAlternate',
  'PersonMiddleNameExact',
  'PersonMiddleNameFuzzyPrimary',
  'PersonMiddleNameFuzzyAlternate',
  'PersonMiddleInitial',
  'PersonNameSuffix',
  'PersonSexCode',
  'PersonHeight',
  'PersonWeight',
  'PersonEyeColor',
  'AddressLine1',
  'AddressLine2',
  'AddressCity',
  'AddressStateCode',
  'AddressZIP5',
  'AddressZIP4',
] as const;
type DldvMatch = (typeof DLDV_MATCHES)[number];
export type DldvMatches = Partial<Record<DldvMatch, boolean>>;

/** False wins over true, true over absent: for an element the source compares in parts. */
const together = (...parts: Match[]): Match =>
  parts.includes(false) ? false : parts.includes(true) ? true : undefined;

/** True wins over false: either approximate comparison is enough. */
const either = (...parts: Match[]): Match => (parts.includes(true) ? true : parts.includes(false) ? false : undefined);

const SINGLE: readonly [IndicatorName, readonly DldvMatch[]][] = [
  ['IDDOCUMENT_NUMBER_COMPARE', ['DriverLicenseNumber']],
  ['IDDOCUMENT_TYPE_COMPARE', ['DocumentCategory']],
  ['ISSUINGDATE_COMPARE', ['DriverLicenseIssueDate']],
  ['EXPIRYDATE_COMPARE', ['DriverLicenseExpirationDate']],
  ['BIRTHDATE_COMPARE', ['PersonBirthDate']],
  ['MIDDLENAME_INITIAL_COMPARE', ['PersonMiddleInitial']],
  ['NAMESUFFIX_COMPARE', ['PersonNameSuffix']],
  ['GENDER_COMPARE', ['PersonSexCode']],
  ['HEIGHT_COMPARE', ['PersonHeight']],
  ['WEIGHT_COMPARE', ['PersonWeight']],
  ['EYECOLOR_COMPARE', ['PersonEyeColor']],
  ['ADDRESS_CITY_COMPARE', ['AddressCity']],
  ['ADDRESS_STATE_COMPARE', ['AddressStateCode']],
  ['ADDRESS_POSTCODE_COMPARE', ['AddressZIP5', 'AddressZIP4']],
];

interface Names {
  exact: Match;
  near: Match;
}

const nameOf = (matches: DldvMatches, part: 'Last' | 'First' | 'Middle'): Names => ({
  exact: matches[`Person${part}NameExact`],
  near: either(matches[`Person${part}NameFuzzyPrimary`], matches[`Person${part}NameFuzzyAlternate`]),
});

/** A street is the recorded one when each of the lines that were sent is. */
const streetOf = ({ AddressLine1, AddressLine2 }: DldvMatches, { street2 }: Values): Match => {
  if (AddressLine1 === false || AddressLine2 === false) return false;
  const whole = AddressLine1 === true && (street2 === undefined || AddressLine2 === true);
  return whole ? true : undefined;
};

/**
 * A name is the recorded one when it is so exactly, or approximately where the exact comparison
 * says no or nothing.
 */
const accepted = ({ exact, near }: Names): Match => (exact === true || near === true ? true : together(exact, near));

/**
 * Taken off the surname, the suffix is a question of its own: without its yes only part of the name
 * is confirmed.
 */
const partlyConfirmed = (sent: Values, { PersonNameSuffix }: DldvMatches): QuestionField[] =>
  sent.suffix !== undefined && PersonNameSuffix !== true ? ['surname'] : [];

/**
 * What a DLDV answer says (specification, Issuing sources). Number false and all else absent: there
 * is no such document. VERIFIED needs number, birth date, first and last name, and the expiry date
 * when it was sent; one of them false is FAILED, one absent leaves it open.
 */
export const answerOfDldv = (matches: DldvMatches, sent: Values): SourceAnswer => {
  const [last, first, middle] = [nameOf(matches, 'Last'), nameOf(matches, 'First'), nameOf(matches, 'Middle')];
  const needed: Match[] = [
    matches.DriverLicenseNumber,
    matches.PersonBirthDate,
    accepted(last),
    accepted(first),
    ...(sent.expiryDate !== undefined ? [matches.DriverLicenseExpirationDate] : []),
  ];
  return {
    result: needed.includes(false) ? 'FAILED' : needed.includes(undefined) ? 'UNVERIFIED' : 'VERIFIED',
    raised: [
      ...SINGLE.map(([name, parts]) => compared(name, together(...parts.map((part) => matches[part])))),
      compared('ADDRESS_STREET_COMPARE', streetOf(matches, sent)),
      ...comparedName('SURNAME_COMPARE', 'SURNAME_FUZZY_COMPARE', last.exact, last.near),
      ...comparedName('FIRSTNAME_COMPARE', 'FIRSTNAME_FUZZY_COMPARE', first.exact, first.near),
      ...comparedName('MIDDLENAME_COMPARE', 'MIDDLENAME_FUZZY_COMPARE', middle.exact, middle.near),
    ],
    partly: partlyConfirmed(sent, matches),
  };
};
