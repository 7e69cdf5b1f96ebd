import { type AddressData, type AttributesData, present } from '@assay/contracts';
import { comparePlaces, compareStreets, isFurtherPostcode } from './address-agreement.ts';
import { compareSurnameAlone, differInCentury, isSurnameAlone } from './agreement.ts';
import type { ComparedPerson } from './compared-person.ts';
import { addressWith, attributesWith, CONFIRMABLE, type Field, partsOf } from './confirmation.ts';
import type { EvidenceData } from './evidence-data.ts';
import type { FieldAgreement, StatementAgreement, StatementResult } from './facts.ts';
import { compareEyeColors, compareHeights, comparePlain, isSameHeight } from './measures.ts';
import {
  compareFullNames,
  compareGivenNames,
  compareSurnames,
  isSameName,
  isSameWholeName,
  withoutSuffixOf,
} from './names.ts';

/**
 * The comparison of one stated value with a document: whether the two agree, and whether they are
 * exactly the same.
 */
interface Finding {
  field: Field;
  agreement: FieldAgreement;
  same: boolean;
}

const plain = (field: Field, agreement: FieldAgreement): Finding => ({ field, agreement, same: agreement === 'AGREE' });

const wholeOf = ({ fullname, surname, givenNames }: ComparedPerson['person']): string =>
  surname ? [...(givenNames ?? []), surname].join(' ') : (fullname ?? '');

/**
 * Whether the names of a document in these fields are confirmed; if it has a full name only, that
 * one.
 */
const isNameConfirmed = ({ person, confirmed }: ComparedPerson, fields: readonly Field[]): boolean =>
  person.surname ? fields.every((field) => confirmed.includes(field)) : confirmed.includes('fullname');

const fullNameFinding = (stated: string, reference: ComparedPerson): Finding => {
  const { person } = reference;
  const whole = wholeOf(person);
  const hasMiddleNames = (person.givenNames ?? []).length > 1;
  const given: Field[] = person.single ? [] : ['givenName', ...(hasMiddleNames ? (['middleName'] as const) : [])];
  const fields: Field[] = ['surname', ...given];
  const wholes = person.suffix ? [whole, `${whole} ${person.suffix}`] : [whole];
  return {
    field: 'fullname',
    agreement: isSurnameAlone(person)
      ? compareSurnameAlone(person, stated)
      : compareFullNames(stated, whole, {}, person),
    same: wholes.some((one) => isSameWholeName(stated, one)) && isNameConfirmed(reference, fields),
  };
};

const surnameFinding = (stated: string, reference: ComparedPerson): Finding => {
  const { person } = reference;
  const { surname } = withoutSuffixOf(person, { surname: stated });
  return {
    field: 'surname',
    agreement: person.surname ? compareSurnames({ surname }, person) : 'UNKNOWN',
    same: isSameName(surname, person.surname ?? '') && isNameConfirmed(reference, ['surname']),
  };
};

/** Of the first given name, and of the further ones together where some are stated. */
const givenNameFindings = (stated: readonly string[], reference: ComparedPerson): Finding[] => {
  const { person } = reference;
  const [first = '', ...further] = stated;
  const [firstOfDocument = '', ...furtherOfDocument] = person.givenNames ?? [];
  const agreement = person.givenNames ? compareGivenNames({ givenNames: [...stated] }, person) : 'UNKNOWN';
  const isFirst = isSameName(first, firstOfDocument) && isNameConfirmed(reference, ['givenName']);
  const given: Finding = { field: 'givenName', agreement, same: isFirst };
  if (further.length === 0) return [given];
  const areFurther =
    isSameWholeName(further.join(' '), furtherOfDocument.join(' ')) && isNameConfirmed(reference, ['middleName']);
  return [given, { field: 'middleName', agreement, same: areFurther }];
};

/** If the document has a full name only, surname and given names together are compared with it. */
const togetherWithFullName = (
  found: Finding[],
  stated: string,
  documentName: string,
  confirmed: boolean,
): Finding[] => {
  const agreement = compareFullNames(stated, documentName);
  const same = isSameWholeName(stated, documentName) && confirmed;
  return found.map((one) => (one.field === 'fullname' ? one : { ...one, agreement, same }));
};

const nameFindings = (stated: AttributesData, reference: ComparedPerson): Finding[] => {
  const { person, confirmed } = reference;
  const { surname, fullname } = stated;
  const givenNames = (stated.givenNames ?? []).map(({ value }) => value);
  const found = [
    ...(fullname ? [fullNameFinding(fullname.value, reference)] : []),
    ...(surname ? [surnameFinding(surname.value, reference)] : []),
    ...(givenNames.length > 0 ? givenNameFindings(givenNames, reference) : []),
  ];
  if (person.surname || !person.fullname || !surname || givenNames.length === 0) return found;
  const whole = [...givenNames, surname.value].join(' ');
  return togetherWithFullName(found, whole, person.fullname, confirmed.includes('fullname'));
};

/** A height close to the confirmed one does not contradict it, but is not the confirmed one. */
const heightFinding = (stated: string, { person: { height }, confirmed }: ComparedPerson): Finding => ({
  field: 'height',
  agreement: compareHeights(stated, height),
  same: height !== undefined && isSameHeight(stated, height) && confirmed.includes('height'),
});

/** A zone does not write the century of a birth: it neither confirms nor contradicts it. */
const birthOf = (dateOfBirth: string, person: ComparedPerson['person']): FieldAgreement =>
  differInCentury({ dateOfBirth }, person) ? 'UNKNOWN' : comparePlain(dateOfBirth, person.dateOfBirth);

/** X is no sex but says that none is specified (ICAO 9303-3, `<`): it contradicts no other one. */
const sexOf = (gender: string, { gender: own }: ComparedPerson['person']): FieldAgreement =>
  own === 'X' && gender !== own ? 'UNKNOWN' : comparePlain(gender, own);

const attributeFindings = (stated: AttributesData, reference: ComparedPerson): Finding[] => {
  const { person, confirmed } = reference;
  const single = (field: Field, agreement: FieldAgreement): Finding => {
    const finding = plain(field, agreement);
    return { ...finding, same: finding.same && confirmed.includes(field) };
  };
  return [
    ...nameFindings(stated, reference),
    ...(stated.dateOfBirth ? [single('dateOfBirth', birthOf(stated.dateOfBirth.value, person))] : []),
    ...(stated.gender ? [single('gender', sexOf(stated.gender.value, person))] : []),
    ...(stated.eyeColor ? [single('eyeColor', compareEyeColors(stated.eyeColor.value, person.eyeColor))] : []),
    ...(stated.height ? [heightFinding(stated.height.value, reference)] : []),
  ];
};

/**
 * An address of a document without a country is taken to be in the issuing country. This may
 * contradict a statement, but confirms nothing.
 */
const addressFindings = (stated: AddressData, { person, confirmed }: ComparedPerson): Finding[] => {
  const { country } = person.document ?? {};
  const address = person.address && { ...present({ country }), ...person.address };
  return partsOf(stated).map((field) => {
    const agreement = field === 'street' ? compareStreets(stated, address) : comparePlaces(field, stated, address);
    const further = field === 'postcode' && isFurtherPostcode(stated, address);
    return { field, agreement, same: agreement === 'AGREE' && confirmed.includes(field) && !further };
  });
};

const NAMES: readonly Field[] = ['surname', 'givenName', 'middleName', 'fullname'];

/** An address counts if street and place agree. Less is enough only if nothing else is stated. */
const isEnough = (found: readonly Finding[], data: EvidenceData): boolean => {
  const same = (field: Field) => found.some((one) => one.field === field && one.same);
  return data.addressData ? same('street') && (same('city') || same('postcode')) : found.some((one) => one.same);
};

const resultOf = (found: readonly Finding[], data: EvidenceData): StatementResult => {
  if (found.some(({ agreement }) => agreement === 'DISAGREE')) return 'CONTRADICTED';
  if (found.length > 0 && found.every(({ same }) => same)) return 'ALL';
  return isEnough(found, data) ? 'SOME' : 'NONE';
};

/**
 * A statement compared with a document: the result, and its data with `verified` on the values that
 * the document has, confirmed.
 */
export const compareStatement = (
  data: EvidenceData,
  reference: ComparedPerson,
): { statement: StatementAgreement; data: EvidenceData } => {
  const { attributesData, addressData } = data;
  const found = [
    ...(attributesData ? attributeFindings(attributesData, reference) : []),
    ...(addressData ? addressFindings(addressData, reference) : []),
  ];
  const same = (field: Field) => found.some((one) => one.field === field && one.same);
  const names = found.filter(({ field }) => NAMES.includes(field));
  return {
    statement: { all: resultOf(found, data), names: resultOf(names, data) },
    data: {
      ...data,
      confirmed: CONFIRMABLE.filter(same),
      ...(attributesData && { attributesData: attributesWith(attributesData, same) }),
      ...(addressData && { addressData: addressWith(addressData, same) }),
    },
  };
};
