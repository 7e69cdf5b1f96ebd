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

/**
 * Combines the parts of an element that the source compares separately: false if one is false, true
 * if one is true.
 */
const together = (...parts: Match[]): Match =>
  parts.includes(false) ? false : parts.includes(true) ? true : undefined;

/** Combines two approximate comparisons: one that is true is enough. */
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

/** The values that a request can hold. */
const ASKED = [
  'number',
  'issuingDate',
  'expiryDate',
  'dateOfBirth',
  'givenName',
  'middleName',
  'surname',
  'suffix',
  'gender',
  'height',
  'eyeColor',
  'street1',
  'street2',
  'city',
  'state',
  'postcode',
] as const satisfies readonly QuestionField[];

interface Names {
  exact: Match;
  near: Match;
}

const nameOf = (matches: DldvMatches, part: 'Last' | 'First' | 'Middle'): Names => ({
  exact: matches[`Person${part}NameExact`],
  near: either(matches[`Person${part}NameFuzzyPrimary`], matches[`Person${part}NameFuzzyAlternate`]),
});

/** Whether the street is the recorded one: each line that was sent must be. */
const streetOf = ({ AddressLine1, AddressLine2 }: DldvMatches, { street2 }: Values): Match => {
  if (AddressLine1 === false || AddressLine2 === false) return false;
  const whole = AddressLine1 === true && (street2 === undefined || AddressLine2 === true);
  return whole ? true : undefined;
};

/**
 * Whether a name is the recorded one: exactly, or approximately if the exact comparison is false or
 * absent.
 */
const accepted = ({ exact, near }: Names): Match => (exact === true || near === true ? true : together(exact, near));

/**
 * The suffix was removed from the surname and asked about separately: unless it is confirmed, only
 * a part of the name is.
 */
const partlyConfirmed = (sent: Values, { PersonNameSuffix }: DldvMatches): QuestionField[] =>
  sent.suffix !== undefined && PersonNameSuffix !== true ? ['surname'] : [];

/**
 * Reads a DLDV answer (specification, Issuing sources). If the number is false and everything else
 * absent, there is no such document. VERIFIED needs number, birth date, first and last name, and
 * the expiry date if it was sent; one of them false is FAILED, one absent is UNVERIFIED.
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
    asked: ASKED.filter((field) => sent[field] !== undefined),
    partly: partlyConfirmed(sent, matches),
  };
};
