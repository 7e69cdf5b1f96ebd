import type { LicenceBarcode } from './barcode/read.ts';
import type { MrzReading } from './mrz/read.ts';
import { NAMES_UNSURE_BELOW } from './mrz/sure-names.ts';
import { wholeNames } from './mrz/whole-names.ts';
import type { Recognition } from './recognition/recognise.ts';
import type { DescribedValue } from './viz/description.ts';
import { isLegible } from './viz/legible.ts';
import { matcherFor, type VisualField } from './viz/match.ts';
import type { VisualReading } from './viz/read.ts';

/**
 * One value of the document: where it was read, and whether check digits or the barcode confirm it.
 */
export interface ReadValue {
  value: string;
  source: 'MRZ' | 'BARCODE' | 'VISUAL';
  confirmed: boolean;
}

/**
 * Everything that was read, in the form this service uses. The worker turns it into
 * `idDocumentData`.
 */
export interface DocumentData {
  documentType?: string;
  documentNumber?: ReadValue;
  /** The number of the physical card, beside the licence number (Australia). */
  cardNumber?: ReadValue;
  issuingCountry?: ReadValue;
  issuingState?: ReadValue;
  issuingDate?: ReadValue;
  expiryDate?: ReadValue;
  nationality?: ReadValue;
  surname?: ReadValue;
  givenNames: ReadValue[];
  nameSuffix?: ReadValue;
  birthDate?: ReadValue;
  gender?: ReadValue;
  birthPlace?: ReadValue;
  issuingAuthority?: ReadValue;
  height?: ReadValue;
  weight?: ReadValue;
  eyeColor?: ReadValue;
  address?: {
    streetLines: string[];
    city?: string;
    state?: string;
    postcode?: string;
    country?: string;
    source: ReadValue['source'];
    confirmed: boolean;
  };
}

type SimpleKey = Exclude<keyof DocumentData, 'documentType' | 'givenNames' | 'address'>;

const collector = (source: ReadValue['source']) => {
  const data: DocumentData = { givenNames: [] };
  return {
    data,
    put: (key: SimpleKey, value: string | undefined, confirmed: boolean) => {
      if (value) data[key] = { value, source, confirmed };
    },
  };
};

/**
 * Print contradicts the value, or does not quite say it, and no check digit covers it: the
 * machine-readable part may have been altered.
 */
const isContradicted = (visual: VisualReading, field: VisualField): boolean => {
  const match = visual.checks[field]?.match;
  return match === 'absent' ? isLegible(visual) : match !== undefined && match !== 'exact';
};

/** A side that can be read prints something else than the barcode, or nothing of the kind. */
const isUndescribed = (visual: VisualReading, value: DescribedValue): boolean =>
  visual.undescribed?.includes(value) === true && isLegible(visual);

/**
 * Which names of a zone are whole, the surname first: as far as the zone tells, or if print has
 * them in full.
 */
const wholeIn = ({ fields }: MrzReading, { lines }: VisualReading): boolean[] => {
  const { surname, givenNames, nameTruncated, issuingState } = fields;
  const whole = wholeNames(surname, givenNames, nameTruncated);
  if (!nameTruncated) return whole;
  const printed = matcherFor({ surname, givenNames, issuingState, transliterated: true });
  for (const line of lines) printed.look(line);
  const found = printed.result();
  return whole.map((isWhole, at) => isWhole || found[at === 0 ? 'surname' : 'givenNames']?.match === 'exact');
};

const fromMrz = (mrz: MrzReading, visual: VisualReading): DocumentData => {
  const { data, put } = collector('MRZ');
  const { fields, checks, valid } = mrz;
  // No check digit covers names, states and sex. They count as confirmed if the whole zone is right
  // and large enough to be reliable; names and sex also need print that agrees.
  const trusted = valid && mrz.unlistedStates.length === 0 && mrz.pitch >= NAMES_UNSURE_BELOW;
  const name = (field: 'surname' | 'givenNames') => valid && visual.checks[field]?.match === 'exact';
  const [isSurnameWhole = false, ...areWhole] = wholeIn(mrz, visual);
  put('surname', fields.surname, name('surname') && isSurnameWhole);
  data.givenNames = fields.givenNames.map((value, at) => ({
    value,
    source: 'MRZ',
    confirmed: name('givenNames') && areWhole[at] === true,
  }));
  put('documentNumber', fields.documentNumber, checks.documentNumber === true);
  put('birthDate', fields.birthDate, checks.birthDate === true);
  put('expiryDate', fields.expiryDate, checks.expiryDate === true);
  put('gender', fields.sex, trusted && visual.sex === 'OK');
  put('nationality', fields.nationality, trusted);
  put('issuingCountry', fields.issuingState, trusted);
  return data;
};

const fromBarcode = ({ licence }: LicenceBarcode, visual: VisualReading): DocumentData => {
  const { data, put } = collector('BARCODE');
  const isPrinted = (field: VisualField) => !isContradicted(visual, field);
  put('surname', licence.surname?.toUpperCase(), isPrinted('surname') && !licence.truncated.includes('surname'));
  data.givenNames = licence.givenNames.map((name, i) => ({
    value: name.toUpperCase(),
    source: 'BARCODE',
    confirmed: isPrinted('givenNames') && !licence.truncated.includes(i === 0 ? 'givenName' : 'middleName'),
  }));
  put('nameSuffix', licence.nameSuffix, true);
  put('documentNumber', licence.documentNumber, isPrinted('documentNumber'));
  put('birthDate', licence.birthDate, isPrinted('birthDate'));
  put('expiryDate', licence.expiryDate, isPrinted('expiryDate'));
  // A day of issue that was not found proves nothing: the search for it is not complete.
  put('issuingDate', licence.issuingDate, visual.checks.issuingDate?.match !== 'near');
  put('gender', licence.sex, visual.sex !== 'WARNING');
  put('height', licence.height, !isUndescribed(visual, 'height'));
  put('weight', licence.weight, true);
  put('eyeColor', licence.eyeColor, !isUndescribed(visual, 'eyeColor'));
  put('issuingCountry', licence.issuer?.country, true);
  put('issuingState', licence.issuer?.state, true);
  const confirmed = !isUndescribed(visual, 'address');
  if (licence.address) data.address = { ...licence.address, source: 'BARCODE', confirmed };
  return data;
};

const fromLabels = (visual: VisualReading): DocumentData => {
  const { data, put } = collector('VISUAL');
  const { labelled } = visual;
  put('surname', labelled?.surname, false);
  data.givenNames = (labelled?.givenNames ?? []).map((value) => ({ value, source: 'VISUAL', confirmed: false }));
  put('documentNumber', labelled?.documentNumber, false);
  put('cardNumber', labelled?.cardNumber, false);
  put('birthDate', labelled?.birthDate, false);
  put('expiryDate', labelled?.expiryDate, false);
  put('issuingDate', labelled?.issuingDate, false);
  put('gender', labelled?.sex, false);
  put('birthPlace', labelled?.birthPlace, false);
  put('issuingAuthority', labelled?.authority, false);
  if (labelled?.address) data.address = { ...labelled.address, source: 'VISUAL', confirmed: false };
  return data;
};

/** Earlier parts win; later ones fill what they lack. */
const merged = (parts: readonly DocumentData[]): DocumentData => {
  const data: DocumentData = Object.assign({ givenNames: [] }, ...[...parts].reverse());
  return { ...data, givenNames: parts.find(({ givenNames }) => givenNames.length > 0)?.givenNames ?? [] };
};

/** Names come from the MRZ; without one, from the barcode; without both, from the visual zone. */
export const documentData = (
  mrz: MrzReading | undefined,
  barcode: LicenceBarcode | undefined,
  visual: VisualReading,
  recognition: Recognition | undefined,
): DocumentData => {
  const data = merged([
    ...(mrz ? [fromMrz(mrz, visual)] : []),
    ...(barcode ? [fromBarcode(barcode, visual)] : []),
    fromLabels(visual),
  ]);
  const place: ReadValue | undefined = recognition?.country
    ? { value: recognition.country, source: 'VISUAL', confirmed: false }
    : undefined;
  const state: ReadValue | undefined = recognition?.state
    ? { value: recognition.state, source: 'VISUAL', confirmed: false }
    : undefined;
  return {
    ...data,
    ...(recognition && { documentType: recognition.type }),
    ...(place && !data.issuingCountry && { issuingCountry: place }),
    ...(state && !data.issuingState && { issuingState: state }),
  };
};
