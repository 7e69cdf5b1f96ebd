import {
  type AddressData,
  type AttributesData,
  type DocumentText,
  type EvidenceType,
  type FieldPlace,
  isCalendarDate,
  type OriginLanguageData,
  type PlacedFieldName,
  type DocumentData as ProofData,
  present,
  TEXT_DOCUMENT_TYPES,
  type TextDocumentType,
} from '@assay/contracts';
import { areNamesSure, type DocumentData, type DocumentReading, type PlacedField, type ReadValue } from '@assay/engine';
import type { Field } from './confirmation.ts';
import type { EvidenceData } from './evidence-data.ts';
import { hasSingleName } from './single-name.ts';

const value = (read: ReadValue | undefined) => (read ? { value: read.value, verified: read.confirmed } : undefined);

/** The given names that were read, each in this form; undefined if none was. */
const givenNamesIn = <Name>({ givenNames }: DocumentData, form: (name: ReadValue) => Name): Name[] | undefined =>
  givenNames.length > 0 ? givenNames.map(form) : undefined;
const textOf = (read: ReadValue): string => read.value;

const attributesOf = (data: DocumentData): AttributesData =>
  present({
    givenNames: givenNamesIn(data, ({ value: text, confirmed }) => ({ value: text, verified: confirmed })),
    surname: value(data.surname),
    dateOfBirth: value(data.birthDate),
    gender: value(data.gender),
    eyeColor: value(data.eyeColor),
    height: value(data.height),
  });

type Place = Pick<AddressData, 'postcode' | 'city' | 'state' | 'country'>;

/** An address without its street: what was read of it. */
const placeOf = ({ postcode, city, state, country }: Place): Place =>
  present({
    postcode: postcode || undefined,
    city: city || undefined,
    state: state || undefined,
    country: country || undefined,
  });

const addressOf = ({ address }: DocumentData): AddressData | undefined => {
  if (!address) return undefined;
  const { streetLines, confirmed } = address;
  return { streetDetails: { streetLines, verified: confirmed }, ...placeOf(address), verified: confirmed };
};

const COUNTRY = /^[A-Z]{3}$/;
const onlyCountry = (text: string | undefined): string | undefined => (text && COUNTRY.test(text) ? text : undefined);
const onlyDate = (text: string | undefined): string | undefined => (text && isCalendarDate(text) ? text : undefined);

/** Values for which the Data of the specification has no field, under the names of endpoint 4. */
const metadataOf = (data: DocumentData): { key: string; value: string }[] => {
  const { nameSuffix, height, weight, eyeColor, cardNumber, issuingState, issuingAuthority, address } = data;
  const { city, state, postcode, country } = address ?? {};
  const placeOfBirth = data.birthPlace;
  const others = { cardNumber, issuingState, placeOfBirth, issuingAuthority };
  const read = Object.entries({ nameSuffix, height, weight, eyeColor, ...others });
  const lines = (address?.streetLines ?? []).map((line) => ['streetLine', line] as const);
  const named = [
    ...read.map(([key, found]) => [key, found?.value] as const),
    ...lines,
    ...Object.entries({ city, state, postcode, country }),
  ];
  return named.flatMap(([key, found]) => (found ? [{ key, value: found }] : []));
};

const proofDataOf = ({ data, mrz }: DocumentReading): ProofData => {
  const metadata = metadataOf(data);
  const holder = present({
    surname: data.surname?.value,
    givenNames: givenNamesIn(data, textOf),
    dateOfBirth: onlyDate(data.birthDate?.value),
    gender: data.gender?.value,
    nationality: data.nationality?.value,
  });
  return present({
    documentNumber: data.documentNumber?.value,
    expiryDate: onlyDate(data.expiryDate?.value),
    issuingDate: onlyDate(data.issuingDate?.value),
    issuingCountry: onlyCountry(data.issuingCountry?.value),
    holderInformation: Object.keys(holder).length > 0 ? [holder] : undefined,
    metadata: metadata.length > 0 ? metadata : undefined,
    mrz: mrz?.lines,
  });
};

/** The visual zone as printed. */
const originOf = ({ visual: { printed = {} } }: DocumentReading): OriginLanguageData | undefined => {
  const { documentNumber, expiryDate, issuingDate, issuingCountry, ...person } = printed;
  const { surname, givenNames, birthDate, sex, nationality } = person;
  const holder = {
    ...(surname && { surname }),
    ...(givenNames && { givenNames: givenNames.split(/\s+/) }),
    ...(birthDate && { dateOfBirth: birthDate }),
    ...(sex && { gender: sex }),
    ...(nationality && { nationality }),
  };
  const origin = {
    ...(documentNumber && { documentNumber }),
    ...(expiryDate && { expiryDate }),
    ...(issuingDate && { issuingDate }),
    ...(issuingCountry && { issuingCountry }),
    ...(Object.keys(holder).length > 0 && { holderInformation: [holder] }),
  };
  return Object.keys(origin).length > 0 ? origin : undefined;
};

const NAMES: Readonly<Record<PlacedField, PlacedFieldName>> = {
  surname: 'surname',
  givenNames: 'givenNames',
  documentNumber: 'idDocumentNumber',
  birthDate: 'dateOfBirth',
  expiryDate: 'expiryDate',
  issuingDate: 'issuingDate',
  sex: 'gender',
};

/**
 * The differences between the print and the machine-readable part, by the names of the fields in
 * replies.
 */
const placesIn = ({ visual: { places = {} } }: DocumentReading): FieldPlace[] =>
  (Object.keys(NAMES) as PlacedField[]).flatMap((name) => {
    const place = places[name];
    if (!place) return [];
    const { text, ...where } = place;
    return [{ field: NAMES[name], printed: text, ...where }];
  });

/** The values that check digits or a barcode confirm. */
const confirmedIn = ({ surname, givenNames, birthDate, gender, eyeColor, height, address }: DocumentData): Field[] => {
  const [first, ...middle] = givenNames;
  const all: [Field, boolean | undefined][] = [
    ['surname', surname?.confirmed],
    ['givenName', first?.confirmed],
    ['middleName', middle.length > 0 && middle.every(({ confirmed }) => confirmed)],
    ['dateOfBirth', birthDate?.confirmed],
    ['gender', gender?.confirmed],
    ['eyeColor', eyeColor?.confirmed],
    ['height', height?.confirmed],
    ...(['street', 'city', 'state', 'postcode', 'country'] as const).map((field): [Field, boolean | undefined] => [
      field,
      address?.confirmed,
    ]),
  ];
  return all.filter(([, confirmed]) => confirmed).map(([field]) => field);
};

/** What replies and the proof show of a document that was read from images. */
export const dataOfReading = (reading: DocumentReading, type: EvidenceType): EvidenceData => {
  const { data, mrz } = reading;
  const attributes = attributesOf(data);
  const address = addressOf(data);
  const read = present({
    idDocumentNumber: data.documentNumber?.value,
    issuingCountry: data.issuingCountry?.value,
    issuingState: data.issuingState?.value,
    issuingDate: data.issuingDate?.value,
    expiryDate: data.expiryDate?.value,
    cardNumber: data.cardNumber?.value,
  });
  const anything = Object.keys(read).length + Object.keys(attributes).length > 0 || address !== undefined;
  return {
    idDocumentData: anything
      ? {
          idDocumentType: type,
          ...read,
          ...(Object.keys(attributes).length > 0 && { personalAttributes: attributes }),
          ...present({ address }),
        }
      : {},
    confirmed: confirmedIn(data),
    proof: { data: proofDataOf(reading), ...present({ originLanguageData: originOf(reading) }) },
    places: placesIn(reading),
    person: {
      ...present({ surname: data.surname?.value, givenNames: givenNamesIn(data, textOf) }),
      cut: mrz?.fields.nameTruncated ?? reading.barcode?.licence.truncated ?? false,
      ...(hasSingleName(reading) && { single: true }),
      ...(mrz && !areNamesSure(mrz) && { zoneUnsure: true }),
      ...present({
        suffix: data.nameSuffix?.value,
        zone: mrz?.valid && !mrz.repaired ? mrz.lines.join('') : undefined,
        dateOfBirth: data.birthDate?.value,
        gender: data.gender?.value,
        eyeColor: data.eyeColor?.value,
        height: data.height?.value,
        address,
      }),
      ...(data.documentNumber && {
        document: {
          type,
          number: data.documentNumber.value,
          ...present({ country: data.issuingCountry?.value }),
        },
      }),
    },
  };
};

const isTextType = (type: EvidenceType): type is TextDocumentType =>
  TEXT_DOCUMENT_TYPES.includes(type as TextDocumentType);

/**
 * The question to the issuing source, in the shape of endpoint 4; undefined if too little was read.
 */
export const questionOf = (data: EvidenceData, type: EvidenceType): DocumentText | undefined => {
  const read = data.idDocumentData;
  const attributes = read?.personalAttributes;
  const { surname, givenNames, dateOfBirth, gender, height, eyeColor } = attributes ?? {};
  if (!read?.idDocumentNumber || !read.issuingCountry || !surname || !givenNames?.length || !dateOfBirth)
    return undefined;
  if (!isTextType(type) || !isCalendarDate(dateOfBirth.value)) return undefined;
  const plain = (one: { value: string } | undefined) => one && { value: one.value };
  const { streetDetails } = read.address ?? {};
  const sex = gender && ['M', 'F', 'X'].includes(gender.value) ? { value: gender.value as 'M' | 'F' | 'X' } : undefined;
  return {
    idDocumentType: type,
    idDocumentNumber: read.idDocumentNumber,
    issuingCountry: read.issuingCountry,
    ...present({
      issuingState: read.issuingState || undefined,
      issuingDate: onlyDate(read.issuingDate),
      expiryDate: onlyDate(read.expiryDate),
      cardNumber: read.cardNumber || undefined,
    }),
    personalAttributes: {
      dateOfBirth: { value: dateOfBirth.value },
      givenNames: givenNames.map((name) => ({ value: name.value })),
      surname: { value: surname.value },
      ...present({ gender: sex, height: plain(height), eyeColor: plain(eyeColor) }),
    },
    ...(read.address && {
      address: {
        ...(streetDetails && { streetDetails: { streetLines: streetDetails.streetLines } }),
        ...placeOf(read.address),
      },
    }),
  };
};
