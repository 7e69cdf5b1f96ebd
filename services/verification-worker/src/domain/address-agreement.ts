import { type AddressData, plainLetters, usState } from '@assay/contracts';
import { table } from '@assay/contracts/table';
import type { Field } from './confirmation.ts';
import type { FieldAgreement } from './facts.ts';
import { bareLetters, comparePlain } from './measures.ts';
import { comparedInScripts, spellingsOf } from './names.ts';

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
const postcodeOf = ({ postcode = '' }: AddressData = {}): string =>
  bareLetters(postcode).replace(/^(\d{5})0000$/, '$1');

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
export const stateOf = (code: string): string => ONE_STATE[code] ?? code;

const AUSTRALIAN = table<string>({
  'AUSTRALIAN CAPITAL TERRITORY': 'ACT',
  'NEW SOUTH WALES': 'NSW',
  'NORTHERN TERRITORY': 'NT',
  QUEENSLAND: 'QLD',
  'SOUTH AUSTRALIA': 'SA',
  TASMANIA: 'TAS',
  VICTORIA: 'VIC',
  'WESTERN AUSTRALIA': 'WA',
});

/** The state of an address as its issuing source is asked about it: Texas is TX. */
const regionIn = (country: string | undefined, state = ''): string => {
  const plain = plainLetters(state).trim().toUpperCase();
  if (country === 'USA') return usState(plain) ?? state;
  return country === 'AUS' ? (AUSTRALIAN[plain] ?? plain.replace(/^AUS?-/, '')) : state;
};

export const comparePlaces = (
  field: Field,
  one: AddressData | undefined,
  other: AddressData | undefined,
): FieldAgreement => {
  const country = one?.country ?? other?.country;
  switch (field) {
    case 'postcode':
      return comparePostcodes(postcodeOf(one), postcodeOf(other));
    case 'city':
      return spelled(one?.city, other?.city);
    case 'state':
      return spelled(regionIn(country, one?.state), regionIn(country, other?.state));
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
