import { type ErrorName, type ErrorObject, errorObject, type Indicator } from '@assay/contracts';
import type { DocumentReading } from '../document.ts';
import { isPrintMissing, severalDocuments } from './reading-rules.ts';
import { BACK, FRONT, sideFaults } from './side-rules.ts';

/** The error that reports each failed check, and the part of the upload it names. */
const FAULTS: readonly (readonly [Indicator, ErrorName, string?])[] = [
  ['DOC_EXPIRATION_DATE_FAILED', 'DOCUMENT_EXPIRED'],
  ['AUTHORIZED_DOCUMENT_TYPE_FAILED', 'TYPE_NOT_SUPPORTED'],
  ['MRZ_CHECKSUMS_FAILED', 'INVALID_DOCUMENT'],
  ['MRZ_BARCODE_CROSSCHECK_FAILED', 'INVALID_DOCUMENT'],
  ['ISSUING_DATE_VALIDITY_FAILED', 'INVALID_DOCUMENT'],
  ['IMAGE_WITHOUT_DOCUMENT_CHECK_FAILED', 'UNREADABLE', FRONT],
  ['MRZ_PRESENCE_FAILED', 'UNREADABLE', FRONT],
  ['MODEL_RECOGNIZED_FAILED', 'UNREADABLE', FRONT],
  ['DARK_IMAGE_QUALITY_FAILED', 'TOO_DARK'],
  ['GLARE_IMAGE_QUALITY_FRONT_FAILED', 'GLARE', FRONT],
  ['GLARE_IMAGE_QUALITY_BACK_FAILED', 'GLARE', BACK],
  ['BLUR_IMAGE_QUALITY_FRONT_FAILED', 'BLUR', FRONT],
  ['BLUR_IMAGE_QUALITY_BACK_FAILED', 'BLUR', BACK],
  ['LOW_IMAGE_QUALITY_FRONT_FAILED', 'QUALITY_TOO_LOW', FRONT],
  ['LOW_IMAGE_QUALITY_BACK_FAILED', 'QUALITY_TOO_LOW', BACK],
  ['CUT_OFF_DOCUMENT_CHECK_FAILED', 'PART_MISSING'],
  ['NO_MULTIPLE_DOCUMENT_CHECK_FAILED', 'SEVERAL_DOCUMENTS'],
  ['KEYSTONE_IMAGE_QUALITY_FRONT_FAILED', 'KEYSTONE', FRONT],
  ['KEYSTONE_IMAGE_QUALITY_BACK_FAILED', 'KEYSTONE', BACK],
  ['DOCUMENT_BARCODE_PARSING_FAILED', 'BARCODE_UNREADABLE', BACK],
];

const hiddenPrint = ({ mrz }: DocumentReading): ErrorObject =>
  errorObject(
    'OBSCURED',
    mrz?.side === 'BACK' ? BACK : FRONT,
    'Most of what the machine-readable zone says was not seen above it; show the whole page, with nothing on it',
  );

const unreadZone = ({ mrz }: DocumentReading): ErrorObject =>
  errorObject(
    'UNREADABLE',
    mrz?.side === 'BACK' ? BACK : FRONT,
    'Characters of the machine-readable zone could not be read surely; take the picture again, without reflections',
  );

/**
 * Why a zone is to be photographed again: a check of its digits, or a name that print has otherwise
 * and that was not surely read.
 */
const isZoneUnread = ({ mrz }: DocumentReading, raised: readonly string[]): boolean => {
  const isDoubted = (...names: string[]) => names.some((name) => raised.includes(name));
  if (isDoubted('MRZ_CHECKSUMS_UNVERIFIED', 'MRZ_CHECKSUMS_WARNING')) return true;
  return Boolean(mrz?.namesUnread) && isDoubted('OCR_SURNAME_WARNING', 'OCR_FIRSTNAMES_WARNING');
};

/** Values that print has otherwise than the machine-readable part. */
const PRINTED: readonly Indicator[] = [
  'OCR_SURNAME_WARNING',
  'OCR_FIRSTNAMES_WARNING',
  'OCR_DOCNUM_WARNING',
  'OCR_BIRTHDATE_WARNING',
  'OCR_EXPIRATION_DATE_WARNING',
];

/** A value that was not found in print, on a picture with a highlight, may be under it. */
const printUnderHighlight = ({ front }: DocumentReading, raised: readonly string[]): ErrorObject[] => {
  if (front.measures.glare === 0 || !PRINTED.some((name) => raised.includes(name))) return [];
  const why = 'A highlight may hide what is printed there; take the picture again, without reflections';
  return [errorObject('GLARE', FRONT, why)];
};

/** Below this share of its picture, a document could be twice as large on it. */
const FAR = 0.5;

/** Characters are too small because the document is far away, not because the camera is poor. */
const tooFar = (reading: DocumentReading, raised: readonly string[]): ErrorObject[] =>
  (['FRONT', 'BACK'] as const).flatMap((side) => {
    const { share = 1 } = (side === 'FRONT' ? reading.front : reading.back) ?? {};
    const isSmall = raised.some(
      (name) => /_(WARNING|FAILED)$/.test(name) && name.startsWith(`LOW_IMAGE_QUALITY_${side}`),
    );
    return isSmall && share < FAR ? [errorObject('TOO_FAR', side === 'FRONT' ? FRONT : BACK)] : [];
  });

/** Print beside the document that does not say it is another document. */
const printAround = (reading: DocumentReading): ErrorObject[] => {
  const { beside, mrz } = reading;
  if (!beside?.print || severalDocuments(reading) === 'FAILED') return [];
  return [errorObject('TEXT_IN_BACKGROUND', mrz?.side === 'BACK' ? BACK : FRONT)];
};

/**
 * The capture faults behind the indicators, for the `errors` of an evidence that does not end
 * VERIFIED; each one once.
 */
export const faultsOf = (reading: DocumentReading, raised: readonly string[]): ErrorObject[] => {
  // Of a mirrored side nothing was read: that is why zone or model are missing.
  const isNamed = ([name, error]: (typeof FAULTS)[number]) =>
    raised.includes(name) && !(reading.mirrored && error === 'UNREADABLE');
  const named = FAULTS.filter(isNamed).map(([, error, field]) => errorObject(error, field));
  const hidden = isPrintMissing(reading) ? [hiddenPrint(reading)] : [];
  const unread = isZoneUnread(reading, raised) ? [unreadZone(reading)] : [];
  const all = [
    ...sideFaults(reading),
    ...unread,
    ...named,
    ...hidden,
    ...printUnderHighlight(reading, raised),
    ...tooFar(reading, raised),
    ...printAround(reading),
  ];
  return all.filter((one, i) => all.findIndex(({ code, field }) => code === one.code && field === one.field) === i);
};
