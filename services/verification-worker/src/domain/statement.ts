import type { AddressData, AttributesData } from '@assay/contracts';
import { type ComparedPerson, comparePlaces, compareStreets, isFurtherPostcode } from './agreement.ts';
import { addressWith, attributesWith, CONFIRMABLE, type Field, partsOf } from './confirmation.ts';
import type { EvidenceData } from './evidence-data.ts';
import type { FieldAgreement, StatementAgreement, StatementResult } from './facts.ts';
import { compareEyeColors, compareHeights, comparePlain, isSameHeight } from './measures.ts';
import { compareFullNames, compareGivenNames, compareSurnames, isSameName, isSameWholeName } from './names.ts';

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

const nameFindings = (stated: AttributesData, reference: ComparedPerson): Finding[] => {
  const { person } = reference;
  const found: Finding[] = [];
  const { surname, fullname, givenNames = [] } = stated;
  const whole = wholeOf(person);
  const middle = (person.givenNames ?? []).slice(1);
  const allNames: Field[] = ['surname', 'givenName', ...(middle.length > 0 ? (['middleName'] as const) : [])];
  if (fullname)
    found.push({
      field: 'fullname',
      agreement: compareFullNames(fullname.value, whole),
      same: isSameWholeName(fullname.value, whole) && isNameConfirmed(reference, allNames),
    });
  if (surname)
    found.push({
      field: 'surname',
      agreement: person.surname ? compareSurnames({ surname: surname.value }, person) : 'UNKNOWN',
      same: isSameName(surname.value, person.surname ?? '') && isNameConfirmed(reference, ['surname']),
    });
  if (givenNames.length > 0) {
    const names = givenNames.map(({ value }) => value);
    const [first = '', ...rest] = names;
    const agreement = person.givenNames ? compareGivenNames({ givenNames: names }, person) : ('UNKNOWN' as const);
    const isFirst = isSameName(first, person.givenNames?.[0] ?? '') && isNameConfirmed(reference, ['givenName']);
    found.push({ field: 'givenName', agreement, same: isFirst });
    const isRest = isSameWholeName(rest.join(' '), middle.join(' ')) && isNameConfirmed(reference, ['middleName']);
    if (rest.length > 0) found.push({ field: 'middleName', agreement, same: isRest });
  }
  // If the document has a full name only, the parts together are compared with it.
  if (!person.surname && person.fullname && surname && givenNames.length > 0) {
    const stated = [...givenNames.map(({ value }) => value), surname.value].join(' ');
    const agreement = compareFullNames(stated, person.fullname);
    const same = isSameWholeName(stated, person.fullname) && reference.confirmed.includes('fullname');
    return found.map((one) => (one.field === 'fullname' ? one : { ...one, agreement, same }));
  }
  return found;
};

/** A height close to the confirmed one does not contradict it, but is not the confirmed one. */
const heightFinding = (stated: string, { person: { height }, confirmed }: ComparedPerson): Finding => ({
  field: 'height',
  agreement: compareHeights(stated, height),
  same: height !== undefined && isSameHeight(stated, height) && confirmed.includes('height'),
});

const attributeFindings = (stated: AttributesData, reference: ComparedPerson): Finding[] => {
  const { person, confirmed } = reference;
  const single = (field: Field, agreement: FieldAgreement): Finding => {
    const finding = plain(field, agreement);
    return { ...finding, same: finding.same && confirmed.includes(field) };
  };
  return [
    ...nameFindings(stated, reference),
    ...(stated.dateOfBirth ? [single('dateOfBirth', comparePlain(stated.dateOfBirth.value, person.dateOfBirth))] : []),
    ...(stated.gender ? [single('gender', comparePlain(stated.gender.value, person.gender))] : []),
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
  const address = person.address && { ...(country ? { country } : {}), ...person.address };
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
