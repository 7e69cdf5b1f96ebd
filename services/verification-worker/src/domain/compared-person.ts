import { type AddressData, type IdDocumentData, present } from '@assay/contracts';
import type { Field } from './confirmation.ts';
import type { EvidenceData } from './evidence-data.ts';
import type { StatedPerson } from './stated-person.ts';

/** The person as one evidence states it, and which of the values are confirmed. */
export interface ComparedPerson {
  person: StatedPerson;
  confirmed: readonly Field[];
}

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

/** The lines of a health card's name are one name, and the first of them alone is a part of it. */
const withAllLines = (person: StatedPerson, { fullname2, fullname3, fullname4 }: IdDocumentData = {}): StatedPerson => {
  const { fullname } = person;
  const lines = [fullname, fullname2, fullname3, fullname4].filter((line) => line);
  return { ...person, ...(fullname && { fullname: lines.join(' ') }) };
};

/** The person of an evidence, as far as it may be compared with others. */
export const comparedPerson = ({
  person,
  selfStated,
  confirmed = [],
  idDocumentData,
}: EvidenceData): ComparedPerson | undefined =>
  person && {
    person: selfStated ? confirmedPerson(withAllLines(person, idDocumentData), confirmed) : person,
    confirmed,
  };
