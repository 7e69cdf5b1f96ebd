import type {
  AddressData,
  AttributesData,
  DocumentText,
  EvidenceType,
  FieldPlace,
  OriginLanguageData,
  PlacedFieldName,
  DocumentData as ProofData,
  TextDocumentType,
} from '@assay/contracts';
import { isCalendarDate, present, TEXT_DOCUMENT_TYPES } from '@assay/contracts';
import type { DocumentData, DocumentReading, PlacedField, ReadValue } from '@assay/engine';
import type { Field } from './confirmation.ts';
import type { EvidenceData } from './evidence-data.ts';

const value = (read: ReadValue | undefined) => (read ? { value: read.value, verified: read.confirmed } : undefined);

const attributesOf = (data: DocumentData): AttributesData => {
  const parts = {
    surname: value(data.surname),
    dateOfBirth: value(data.birthDate),
    gender: value(data.gender),
    eyeColor: value(data.eyeColor),
    height: value(data.height),
  };
  return {
    ...(data.givenNames.length > 0 && { givenNames: data.givenNames.map((name) => value(name)!) }),
    ...(Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as AttributesData),
  };
};

const addressOf = ({ address }: DocumentData): AddressData | undefined => {
  if (!address) return undefined;
  const { streetLines, city, state, postcode, country, confirmed } = address;
  return {
    streetDetails: { streetLines, verified: confirmed },
    ...present({ postcode, city, state, country }),
    verified: confirmed,
  };
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
  const expiryDate = onlyDate(data.expiryDate?.value);
  const issuingDate = onlyDate(data.issuingDate?.value);
  const dateOfBirth = onlyDate(data.birthDate?.value);
  const issuingCountry = onlyCountry(data.issuingCountry?.value);
  const metadata = metadataOf(data);
  const holder = {
    ...present({ surname: data.surname?.value }),
    ...(data.givenNames.length > 0 && { givenNames: data.givenNames.map((name) => name.value) }),
    ...present({ dateOfBirth, gender: data.gender?.value, nationality: data.nationality?.value }),
  };
  return {
    ...present({ documentNumber: data.documentNumber?.value, expiryDate, issuingDate, issuingCountry }),
    ...(Object.keys(holder).length > 0 && { holderInformation: [holder] }),
    ...(metadata.length > 0 && { metadata }),
    ...present({ mrz: mrz?.lines }),
  };
};

/** The visual zone as printed. */
const originOf = ({ visual: { printed = {} } }: DocumentReading): OriginLanguageData | undefined => {
  const { documentNumber, expiryDate, issuingDate, issuingCountry, ...person } = printed;
  const { surname, givenNames, birthDate, sex, nationality } = person;
  const holder = present({
    surname,
    givenNames: givenNames?.split(/\s+/),
    dateOfBirth: birthDate,
    gender: sex,
    nationality,
  });
  const origin = {
    ...present({ documentNumber, expiryDate, issuingDate, issuingCountry }),
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
  const origin = originOf(reading);
  const fields = {
    idDocumentNumber: data.documentNumber?.value,
    issuingCountry: data.issuingCountry?.value,
    issuingState: data.issuingState?.value,
    issuingDate: data.issuingDate?.value,
    expiryDate: data.expiryDate?.value,
    cardNumber: data.cardNumber?.value,
  };
  const read = Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== undefined));
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
    proof: { data: proofDataOf(reading), ...present({ originLanguageData: origin }) },
    places: placesIn(reading),
    person: {
      ...present({ surname: data.surname?.value }),
      ...(data.givenNames.length > 0 && { givenNames: data.givenNames.map((name) => name.value) }),
      cut: mrz?.fields.nameTruncated ?? (reading.barcode?.licence.truncated.length ?? 0) > 0,
      ...(mrz?.valid && !mrz.repaired && { zone: mrz.lines.join('') }),
      ...present({
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
  const { streetDetails, city, state, postcode, country } = read.address ?? {};
  const sex = gender && ['M', 'F', 'X'].includes(gender.value) ? { value: gender.value as 'M' | 'F' | 'X' } : undefined;
  return {
    idDocumentType: type,
    idDocumentNumber: read.idDocumentNumber,
    issuingCountry: read.issuingCountry,
    ...present({ issuingState: read.issuingState }),
    ...(onlyDate(read.issuingDate) && { issuingDate: read.issuingDate }),
    ...(onlyDate(read.expiryDate) && { expiryDate: read.expiryDate }),
    ...present({ cardNumber: read.cardNumber }),
    personalAttributes: {
      dateOfBirth: { value: dateOfBirth.value },
      givenNames: givenNames.map((name) => ({ value: name.value })),
      surname: { value: surname.value },
      ...present({ gender: sex }),
      ...(height && { height: plain(height)! }),
      ...(eyeColor && { eyeColor: plain(eyeColor)! }),
    },
    ...(read.address && {
      address: {
        ...(streetDetails && { streetDetails: { streetLines: streetDetails.streetLines } }),
        ...present({ city, state, postcode, country }),
      },
    }),
  };
};
