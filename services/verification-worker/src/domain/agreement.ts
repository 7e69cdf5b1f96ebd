import { sameCheckedCharacters, sameMachineReadableZone } from '@assay/chip';
import { plainLetters, present } from '@assay/contracts';
import { compareAddresses, stateOf } from './address-agreement.ts';
import type { Agreement, FieldAgreement } from './facts.ts';
import { bareLetters, compareEyeColors, compareHeights, comparePlain } from './measures.ts';
import {
  comparedInScripts,
  compareFullNames,
  compareGivenNames,
  compareSurnames,
  hasSurname,
  withoutSuffixOf,
} from './names.ts';
import { isCut } from './stated-names.ts';
import type { StatedPerson } from './stated-person.ts';

const wholeName = ({ fullname, surname, givenNames }: StatedPerson): string =>
  surname ? [...(givenNames ?? []), surname].join(' ').trim() : (fullname ?? '');

type NameAgreement = Pick<Agreement, 'surname' | 'givenNames'>;

/** Whether a surname is known, and not whether there are given names. */
export const isSurnameAlone = ({ surname, givenNames, single }: StatedPerson): boolean =>
  Boolean(surname) && !givenNames && !single;

/** Compares a surname whose given names are not known with a full name. */
export const compareSurnameAlone = (person: StatedPerson, fullname: string): FieldAgreement => {
  const isPart = (whole: string, part: string): FieldAgreement => {
    if (hasSurname(whole, part)) return 'AGREE';
    return isCut(person, 'surname') ? 'UNKNOWN' : 'DISAGREE';
  };
  return fullname ? comparedInScripts(fullname, person.surname!, isPart) : 'UNKNOWN';
};

/**
 * If one of the two states only a full name, the full names are compared, and the result counts for
 * both parts. Given names alone are not a full name, nor is a surname whose given names are not
 * known. Two who have one name alone have the same given names: none.
 */
const compareNames = (a: StatedPerson, b: StatedPerson): NameAgreement => {
  const [one, other] = [withoutSuffixOf(b, a), withoutSuffixOf(a, b)];
  if (one.surname && other.surname)
    return {
      surname: compareSurnames(one, other),
      givenNames: one.single && other.single ? 'AGREE' : compareGivenNames(one, other),
    };
  const [parts, stated] = one.surname ? [one, other] : [other, one];
  if (isSurnameAlone(parts)) return { surname: compareSurnameAlone(parts, wholeName(stated)), givenNames: 'UNKNOWN' };
  const whole = compareFullNames(wholeName(one), wholeName(other), one, other);
  const lacks =
    parts.surname !== undefined && !isCut(parts, 'surname') && !hasSurname(wholeName(stated), parts.surname);
  const names = whole === 'AGREE' && lacks ? 'DISAGREE' : whole;
  return { surname: names, givenNames: names };
};

const together = (...parts: FieldAgreement[]): FieldAgreement =>
  parts.includes('DISAGREE') ? 'DISAGREE' : parts.includes('AGREE') ? 'AGREE' : 'UNKNOWN';

const CENTURY = 100;

/**
 * Whether two dates of birth are the same but for the century, and the later one is of a zone: it
 * writes two digits of the year, and shows a holder of more than a hundred years as a child.
 */
export const differInCentury = (
  a: Pick<StatedPerson, 'dateOfBirth' | 'zone'>,
  b: Pick<StatedPerson, 'dateOfBirth' | 'zone'>,
): boolean => {
  if (!a.dateOfBirth || !b.dateOfBirth) return false;
  const [earlier, later] = a.dateOfBirth < b.dateOfBirth ? [a, b] : [b, a];
  const [from, to] = [earlier.dateOfBirth!, later.dateOfBirth!];
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
  return later.zone !== undefined && years === CENTURY && to.slice(4) === from.slice(4);
};

/**
 * Types whose numbers come from one series of the issuer. A source that does not know the type
 * confirms number and holder of a licence also if a client calls it an identity card.
 */
export const CARDS: readonly string[] = ['DRIVING_LICENSE', 'IDENTITY_CARD', 'RESIDENT_CARD'];

/** The number without leading zeros: sources pad short numbers with them. */
const bareNumber = (number: string): string => bareLetters(plainLetters(number)).replace(/^0+/, '');

const isSameDocument = (a: StatedPerson['document'], b: StatedPerson['document']): boolean =>
  a !== undefined &&
  b !== undefined &&
  (a.type === b.type || a.byChip === true || b.byChip === true || (CARDS.includes(a.type) && CARDS.includes(b.type))) &&
  bareNumber(a.number) !== '' &&
  bareNumber(a.number) === bareNumber(b.number) &&
  (a.country === undefined || b.country === undefined || stateOf(a.country) === stateOf(b.country));

type Zone = Pick<StatedPerson, 'zone' | 'zoneUnsure'>;

/**
 * Compares two zones. A letter of the names that was not surely read is no difference: without a
 * check digit over it, it may be misread.
 */
const compareZones = (a: Zone, b: Zone): 'AGREE' | 'DISAGREE' | undefined => {
  if (!a.zone || !b.zone) return undefined;
  if (sameMachineReadableZone(a.zone, b.zone)) return 'AGREE';
  const isUnsure = (a.zoneUnsure ?? b.zoneUnsure) === true;
  return isUnsure && sameCheckedCharacters(a.zone, b.zone) ? undefined : 'DISAGREE';
};

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
    dateOfBirth: differInCentury(a, b) ? 'AGREE' : comparePlain(a.dateOfBirth, b.dateOfBirth),
    others: together(
      comparePlain(a.gender, b.gender),
      compareEyeColors(a.eyeColor, b.eyeColor),
      compareHeights(a.height, b.height),
    ),
    address: compareAddresses(a.address, b.address),
    sameDocument: isSameDocument(a.document, b.document),
    ...present({ zone: compareZones(a, b) }),
  };
};
