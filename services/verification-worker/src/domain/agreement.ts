import { sameMachineReadableZone } from '@assay/chip';
import { type AddressData, plainLetters, present } from '@assay/contracts';
import { table } from '@assay/contracts/table';
import type { Field } from './confirmation.ts';
import type { EvidenceData } from './evidence-data.ts';
import type { Agreement, FieldAgreement } from './facts.ts';
import { compareEyeColors, compareHeights, comparePlain } from './measures.ts';
import {
  comparedInScripts,
  compareFullNames,
  compareGivenNames,
  compareSurnames,
  hasSurname,
  spellingsOf,
} from './names.ts';
import type { StatedPerson } from './stated-person.ts';

/** The person as one evidence states it, and which of the values are confirmed. */
export interface ComparedPerson {
  person: StatedPerson;
  confirmed: readonly Field[];
}

const wholeName = ({ fullname, surname, givenNames }: StatedPerson): string =>
  surname ? [...(givenNames ?? []), surname].join(' ').trim() : (fullname ?? '');

/** Keeps a value whose field is confirmed. */
type KeepConfirmed = <Value>(field: Field, value: Value) => Value | undefined;

/** The parts of an address that are confirmed. */
const confirmedAddress = (
  { streetDetails, city, state, postcode, country }: AddressData,
  keep: KeepConfirmed,
): AddressData =>
  present({
    streetDetails: keep('street', streetDetails),
    city: keep('city', city),
    state: keep('state', state),
    postcode: keep('postcode', postcode),
    country: keep('country', country),
  });

/**
 * Of a person that a client states, only the values that an issuing source confirmed. A value that
 * the source was not asked about decides nothing.
 */
const confirmedPerson = (person: StatedPerson, confirmed: readonly Field[]): StatedPerson => {
  const { surname, givenNames, fullname, dateOfBirth, gender, eyeColor, height, address, document } = person;
  const keep: KeepConfirmed = (field, value) => (confirmed.includes(field) ? value : undefined);
  const confirmedGivenNames = keep('middleName', givenNames) ?? givenNames?.slice(0, 1);
  return present({
    surname: keep('surname', surname),
    givenNames: keep('givenName', confirmedGivenNames),
    fullname: keep('fullname', fullname),
    dateOfBirth: keep('dateOfBirth', dateOfBirth),
    gender: keep('gender', gender),
    eyeColor: keep('eyeColor', eyeColor),
    height: keep('height', height),
    address: address && confirmedAddress(address, keep),
    document,
  });
};

/** The person of an evidence, as far as it may be compared with others. */
export const comparedPerson = ({ person, selfStated, confirmed = [] }: EvidenceData): ComparedPerson | undefined =>
  person && { person: selfStated ? confirmedPerson(person, confirmed) : person, confirmed };

/**
 * If one of the two states only a full name, the full names are compared, and the result counts for
 * both parts. Given names alone are not a full name.
 */
const compareNames = (
  one: StatedPerson,
  other: StatedPerson,
): { surname: FieldAgreement; givenNames: FieldAgreement } => {
  if (one.surname && other.surname)
    return { surname: compareSurnames(one, other), givenNames: compareGivenNames(one, other) };
  const whole = compareFullNames(wholeName(one), wholeName(other));
  const [parts, stated] = one.surname ? [one, other] : [other, one];
  const lacks = parts.surname !== undefined && !parts.cut && !hasSurname(wholeName(stated), parts.surname);
  const names = whole === 'AGREE' && lacks ? 'DISAGREE' : whole;
  return { surname: names, givenNames: names };
};

const folded = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '');

const sharesSpelling = (a: string, b: string): boolean => spellingsOf(a).some((one) => spellingsOf(b).includes(one));

/**
 * A city does not contradict the same city with the number of a district, nor a city in another
 * script. Neither is an agreement.
 */
const spelled = (a: string | undefined, b: string | undefined): FieldAgreement =>
  a && b ? comparedInScripts(a, b, spelledAlike) : 'UNKNOWN';

const spelledAlike = (a: string, b: string): FieldAgreement => {
  if (sharesSpelling(a, b)) return 'AGREE';
  const [one, other] = [a, b].map((text) => text.replace(/\p{N}/gu, '')) as [string, string];
  return sharesSpelling(one, other) ? 'UNKNOWN' : 'DISAGREE';
};

/** Ways streets are abbreviated on documents. */
const STREET_WORDS = table<string>({
  STREET: 'ST',
  ROAD: 'RD',
  AVENUE: 'AVE',
  AV: 'AVE',
  DRIVE: 'DR',
  LANE: 'LN',
  COURT: 'CT',
  PLACE: 'PL',
  BOULEVARD: 'BLVD',
  CRESCENT: 'CRES',
  HIGHWAY: 'HWY',
  PARADE: 'PDE',
  TERRACE: 'TCE',
  CLOSE: 'CL',
  SQUARE: 'SQ',
  APARTMENT: 'APT',
  UNIT: 'U',
  NORTH: 'N',
  SOUTH: 'S',
  EAST: 'E',
  WEST: 'W',
});

/** Blanks are ignored, except between two numbers: 1/1 is not 11. */
const street = (lines: readonly string[]): string =>
  plainLetters(lines.join(' '))
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map((word) => STREET_WORDS[word] ?? word)
    .join(' ')
    .replace(/(?<=\D) | (?=\D)/g, '');

export const compareStreets = (one: AddressData | undefined, other: AddressData | undefined): FieldAgreement => {
  const a = street(one?.streetDetails?.streetLines ?? []);
  const b = street(other?.streetDetails?.streetLines ?? []);
  return comparePlain(a, b);
};

const ZIP = /^\d{5}(\d{4})?$/;

/** A postcode without its punctuation, and without four zeros at the end of a ZIP code. */
const postcodeOf = ({ postcode = '' }: AddressData = {}): string => folded(postcode).replace(/^(\d{5})0000$/, '$1');

/** Compares postcodes. A ZIP code agrees with the same code with its four further digits. */
const comparePostcodes = (a: string, b: string): FieldAgreement => {
  const oneIsShorter = ZIP.test(a) && ZIP.test(b) && a.length !== b.length;
  return oneIsShorter ? comparePlain(a.slice(0, 5), b.slice(0, 5)) : comparePlain(a, b);
};

/** Whether a postcode is more precise than another one. */
export const isFurtherPostcode = (one: AddressData, other: AddressData | undefined): boolean =>
  postcodeOf(one).length > postcodeOf(other).length;

/**
 * Codes that mean one state: Germany writes D into machine-readable zones, and the codes of the
 * United Kingdom name the nationality of the holder.
 */
const ONE_STATE = table<string>({
  D: 'DEU',
  GBD: 'GBR',
  GBN: 'GBR',
  GBO: 'GBR',
  GBP: 'GBR',
  GBS: 'GBR',
  UNK: 'RKS',
});
const stateOf = (code: string): string => ONE_STATE[code] ?? code;

export const comparePlaces = (
  field: Field,
  one: AddressData | undefined,
  other: AddressData | undefined,
): FieldAgreement => {
  switch (field) {
    case 'postcode':
      return comparePostcodes(postcodeOf(one), postcodeOf(other));
    case 'city':
      return spelled(one?.city, other?.city);
    case 'state':
      return spelled(one?.state, other?.state);
    case 'country':
      return comparePlain(one?.country && stateOf(one.country), other?.country && stateOf(other.country));
    default:
      return 'UNKNOWN';
  }
};

/**
 * Two addresses agree if street and postcode are the same (the city if one of them has no
 * postcode), and nothing else that both state differs.
 */
export const compareAddresses = (one: AddressData | undefined, other: AddressData | undefined): FieldAgreement => {
  const streets = compareStreets(one, other);
  const [postcode, city, state, country] = (['postcode', 'city', 'state', 'country'] as const).map((field) =>
    comparePlaces(field, one, other),
  );
  if ([streets, postcode, city, state, country].includes('DISAGREE')) return 'DISAGREE';
  return streets === 'AGREE' && (postcode === 'AGREE' || city === 'AGREE') ? 'AGREE' : 'UNKNOWN';
};

const together = (...parts: FieldAgreement[]): FieldAgreement =>
  parts.includes('DISAGREE') ? 'DISAGREE' : parts.includes('AGREE') ? 'AGREE' : 'UNKNOWN';

/**
 * Types whose numbers come from one series of the issuer. A source that does not know the type
 * confirms number and holder of a licence also if a client calls it an identity card.
 */
export const CARDS: readonly string[] = ['DRIVING_LICENSE', 'IDENTITY_CARD', 'RESIDENT_CARD'];

/** The number without leading zeros: sources pad short numbers with them. */
const bareNumber = (number: string): string => folded(plainLetters(number)).replace(/^0+/, '');

const isSameDocument = (a: StatedPerson['document'], b: StatedPerson['document']): boolean =>
  a !== undefined &&
  b !== undefined &&
  (a.type === b.type || a.byChip === true || b.byChip === true || (CARDS.includes(a.type) && CARDS.includes(b.type))) &&
  bareNumber(a.number) !== '' &&
  bareNumber(a.number) === bareNumber(b.number) &&
  (a.country === undefined || b.country === undefined || stateOf(a.country) === stateOf(b.country));

/**
 * Compares what two evidences state of the person. The order of the two does not matter: their ids
 * are sorted.
 */
export const compareStatements = (
  one: { evidenceId: string; person: StatedPerson },
  other: { evidenceId: string; person: StatedPerson },
): Agreement => {
  const [first, second] = one.evidenceId < other.evidenceId ? [one, other] : [other, one];
  const { person: a } = first;
  const { person: b } = second;
  return {
    a: first.evidenceId,
    b: second.evidenceId,
    ...compareNames(a, b),
    dateOfBirth: comparePlain(a.dateOfBirth, b.dateOfBirth),
    others: together(
      comparePlain(a.gender, b.gender),
      compareEyeColors(a.eyeColor, b.eyeColor),
      compareHeights(a.height, b.height),
    ),
    address: compareAddresses(a.address, b.address),
    sameDocument: isSameDocument(a.document, b.document),
    ...(a.zone && b.zone
      ? { zone: sameMachineReadableZone(a.zone, b.zone) ? ('AGREE' as const) : ('DISAGREE' as const) }
      : {}),
  };
};
