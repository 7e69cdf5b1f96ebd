import type { AddressData } from '@assay/contracts';
import type { Agreement, Verdict } from './facts.ts';
import { fullNameVerdict, givenNamesVerdict, type StatedNames, spellingsOf, surnameVerdict } from './names.ts';

/** What an evidence states of the person; personal data, sealed wherever it is kept. */
export interface StatedPerson extends StatedNames {
  dateOfBirth?: string;
  gender?: string;
  address?: AddressData;
  document?: { type: string; number: string; country?: string };
}

const wholeName = ({ fullname, surname, givenNames }: StatedPerson): string =>
  fullname ?? [...(givenNames ?? []), surname ?? ''].join(' ').trim();

/** Where one of the two states only a full name, the full names are compared and stand for both parts. */
const nameVerdicts = (one: StatedPerson, other: StatedPerson): { surname: Verdict; givenNames: Verdict } => {
  if (one.surname && other.surname)
    return { surname: surnameVerdict(one, other), givenNames: givenNamesVerdict(one, other) };
  const whole = fullNameVerdict(wholeName(one), wholeName(other));
  return { surname: whole, givenNames: whole };
};

const plain = (a: string | undefined, b: string | undefined): Verdict =>
  a && b ? (a === b ? 'AGREE' : 'DISAGREE') : 'UNKNOWN';

const folded = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '');

const spelled = (a: string | undefined, b: string | undefined): Verdict => {
  if (!a || !b) return 'UNKNOWN';
  return spellingsOf(a).some((one) => spellingsOf(b).includes(one)) ? 'AGREE' : 'DISAGREE';
};

/** Ways streets are abbreviated on documents. */
const STREET_WORDS: Readonly<Record<string, string>> = {
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
};

const street = (lines: readonly string[]): string =>
  lines
    .join(' ')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .map((word) => STREET_WORDS[word] ?? word)
    .join('');

/** Street and postcode (or city, where one of them has no postcode) must be the same; what both state beyond may not differ. */
export const addressVerdict = (one: AddressData | undefined, other: AddressData | undefined): Verdict => {
  const a = one?.streetDetails?.streetLines ?? [];
  const b = other?.streetDetails?.streetLines ?? [];
  if (a.length === 0 || b.length === 0) return 'UNKNOWN';
  const streets: Verdict = street(a) === street(b) ? 'AGREE' : 'DISAGREE';
  const zip = (text: string | undefined) => (text ? folded(text).slice(0, 5) : undefined);
  const postcode = plain(zip(one?.postcode), zip(other?.postcode));
  const city = spelled(one?.city, other?.city);
  const all = [streets, postcode, city, spelled(one?.state, other?.state)];
  if (all.includes('DISAGREE')) return 'DISAGREE';
  return postcode === 'AGREE' || city === 'AGREE' ? 'AGREE' : 'UNKNOWN';
};

const isSameDocument = (a: StatedPerson['document'], b: StatedPerson['document']): boolean =>
  a !== undefined &&
  b !== undefined &&
  a.type === b.type &&
  folded(a.number) !== '' &&
  folded(a.number) === folded(b.number) &&
  (a.country === undefined || b.country === undefined || a.country === b.country);

/** What two evidences say of the same person. Symmetric: the ids are put in order. */
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
    ...nameVerdicts(a, b),
    dateOfBirth: plain(a.dateOfBirth, b.dateOfBirth),
    others: plain(a.gender, b.gender),
    address: addressVerdict(a.address, b.address),
    sameDocument: isSameDocument(a.document, b.document),
  };
};
