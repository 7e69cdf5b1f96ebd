import {
  type ErrorName,
  type ErrorObject,
  errorObject,
  hasBegun,
  type Indicator,
  type IndicatorStatus,
  indicator,
  isOver,
} from '@assay/contracts';
import type { DocumentReading, SideReading } from '../document.ts';
import type { ReadValue } from '../document-data.ts';
import type { MrzReading } from '../mrz/read.ts';
import * as quality from './quality-rules.ts';
import type { Raised } from './raised.ts';
import {
  barcodeIndicators,
  isPrintMissing,
  severalDocuments,
  visualIndicators,
  zoneIndicators,
} from './reading-rules.ts';
import { BACK, FRONT, isKnownByWordsAlone, machineSide, sideFaults, sideIndicators, sidesOf } from './side-rules.ts';
import { isTooLong } from './validity.ts';

const sides = (reading: DocumentReading): SideReading[] => [reading.front, ...(reading.back ? [reading.back] : [])];

const zoneOf = (reading: DocumentReading, side: 'FRONT' | 'BACK'): MrzReading | undefined =>
  reading.mrz?.side === side ? reading.mrz : undefined;

const imageIndicators = (reading: DocumentReading, side: 'FRONT' | 'BACK'): Raised[] => {
  const picture = side === 'FRONT' ? reading.front : reading.back;
  if (!picture) return [];
  const mrz = zoneOf(reading, side);
  return [
    [`BLUR_IMAGE_QUALITY_${side}`, quality.blurOf(picture)],
    [`GLARE_IMAGE_QUALITY_${side}`, quality.glareOf(picture)],
    [`LOW_IMAGE_QUALITY_${side}`, quality.resolutionOf(picture, mrz)],
    [`KEYSTONE_IMAGE_QUALITY_${side}`, quality.keystoneOf(mrz)],
  ];
};

const FEW_LINES = 3;

const isEmpty = (reading: DocumentReading): IndicatorStatus => {
  const { mrz, barcode, recognition, visual, mirrored } = reading;
  if (mirrored) return 'UNVERIFIED';
  const counterpart = sidesOf(reading) === 'COUNTERPART_UNREAD';
  if (!mrz && !barcode && isKnownByWordsAlone(reading)) return 'UNVERIFIED';
  if ((mrz || barcode || recognition) && !counterpart) return 'OK';
  const lines = counterpart ? visual.lines.filter(({ side }) => side !== machineSide(reading)) : visual.lines;
  return lines.length < FEW_LINES ? 'FAILED' : 'WARNING';
};

const pictureIndicators = (reading: DocumentReading): Raised[] => {
  const all = sides(reading);
  const worst = (rule: (side: SideReading) => IndicatorStatus) => quality.worstOfSides(all.map(rule));
  return [
    ...imageIndicators(reading, 'FRONT'),
    ...imageIndicators(reading, 'BACK'),
    ['DARK_IMAGE_QUALITY', worst(quality.darknessOf)],
    ['CUT_OFF_DOCUMENT_CHECK', worst(quality.cutOffOf)],
    ...(reading.mirrored ? [['DOC_CAPTURE_ORIENTATION', 'FAILED'] satisfies Raised] : []),
    ['IMAGE_WITHOUT_DOCUMENT_CHECK', isEmpty(reading)],
    ['NO_MULTIPLE_DOCUMENT_CHECK', severalDocuments(reading)],
    ['PHOTOCOPY_DETECTION', worst(quality.photocopyOf)],
    ['LCD_DETECTION', worst(quality.lcdOf)],
    ['SCREENSHOT_DETECTION', worst(quality.screenshotOf)],
    // No open method is known that tells genuine security print from a good imitation.
    ['VISUAL_SECURITY', 'UNVERIFIED'],
  ];
};

const UNSUPPORTED = new Set(['TAX_CARD', 'VOTER_CARD']);

const modelStatus = (reading: DocumentReading): IndicatorStatus => {
  const { recognition, mrz } = reading;
  if (!recognition) return 'FAILED';
  const sides = sidesOf(reading);
  if (sides === 'COUNTERPART_UNREAD' || sides === 'OF_ANOTHER') return 'WARNING';
  const isOtherState = reading.visual.otherStates?.state !== undefined;
  if (recognition.by === 'MRZ') return mrz!.valid && recognition.country && !isOtherState ? 'OK' : 'WARNING';
  return isKnownByWordsAlone(reading) || reading.counterpartState ? 'WARNING' : 'OK';
};

const modelIndicators = (reading: DocumentReading): Raised[] => {
  const { recognition, details } = reading;
  const raised: Raised[] = [['MODEL_RECOGNIZED', modelStatus(reading)]];
  if (details.documentType && UNSUPPORTED.has(details.documentType))
    raised.push(['AUTHORIZED_DOCUMENT_TYPE', 'FAILED']);
  if (!recognition) return raised;
  if (details.documentType)
    raised.push(['IDDOCUMENT_TYPE_COMPARE', details.documentType === recognition.type ? 'OK' : 'FAILED']);
  if (details.jurisdiction)
    raised.push(['DOC_ISSUING_COUNTRY', countryStatus(recognition.country, details.jurisdiction)]);
  return raised;
};

const countryStatus = (country: string | undefined, declared: string): IndicatorStatus => {
  if (country === undefined) return 'UNVERIFIED';
  return declared === country ? 'OK' : 'WARNING';
};

const KNOWN_SAMPLE_NUMBERS = new Set([
  'L898902C3',
  'L898902C',
  'D23145890',
  'C01X00T47',
  'C01X0006H',
  'T22000129',
  'PA0940443',
]);

const specimenStatus = (reading: DocumentReading): IndicatorStatus => {
  if (isSpecimen(reading)) return 'FAILED';
  const { mrz, barcode, visual } = reading;
  return mrz || barcode || visual.lines.length > 0 ? 'OK' : 'UNVERIFIED';
};

const isSpecimen = ({ data, visual }: DocumentReading): boolean => {
  const words = [data.surname, ...data.givenNames].map((name) => name?.value ?? '');
  const { state, nationality } = visual.otherStates ?? {};
  return (
    [data.issuingCountry?.value, data.nationality?.value, state, nationality].includes('UTO') ||
    KNOWN_SAMPLE_NUMBERS.has(data.documentNumber?.value ?? '') ||
    [...words, ...visual.lines.map(({ text }) => text)].some((text) => /\bSPECIMEN\b|\bMUSTER(MANN)?\b/i.test(text))
  );
};

/**
 * The date of issue is in the past, not before the holder's birth, and not after the expiry.
 * Printed dates may be misread or confused with each other: beside a machine-readable part, which
 * says what holds, they refute nothing, and their order never does.
 */
const issuingDateStatus = (issued: ReadValue, reading: DocumentReading): IndicatorStatus => {
  const {
    data: { birthDate, expiryDate },
    today,
    mrz,
    barcode,
  } = reading;
  const isBeside = issued.source === 'VISUAL' && (mrz !== undefined || barcode !== undefined);
  if (!hasBegun(issued.value, today)) return isBeside ? 'UNVERIFIED' : 'FAILED';
  const inOrderOfTime = [
    [birthDate, issued],
    [issued, expiryDate],
  ] as const;
  const outOfOrder = inOrderOfTime.filter(([first, second]) => first && second && first.value > second.value);
  if (outOfOrder.length === 0) return isTooLong(issued, reading) ? 'UNVERIFIED' : 'OK';
  const isOfBarcode = outOfOrder.some((dates) => dates.every((date) => date?.source === 'BARCODE'));
  return isOfBarcode ? 'FAILED' : 'UNVERIFIED';
};

const dateIndicators = (reading: DocumentReading): Raised[] => {
  const { data, today, mrz } = reading;
  const raised: Raised[] = [];
  const expiry = data.expiryDate;
  const trusted = expiry && (expiry.source !== 'MRZ' || mrz?.checks.expiryDate);
  const expired = expiry && isOver(expiry.value, today) ? 'FAILED' : 'OK';
  raised.push(['DOC_EXPIRATION_DATE', trusted ? expired : 'UNVERIFIED']);
  if (data.issuingDate) raised.push(['ISSUING_DATE_VALIDITY', issuingDateStatus(data.issuingDate, reading)]);
  if (data.birthDate) {
    const age = Number(today.latest.slice(0, 4)) - Number(data.birthDate.value.slice(0, 4));
    const possible = hasBegun(data.birthDate.value, today) && age <= 120 ? 'OK' : 'FAILED';
    const read = data.birthDate.source !== 'MRZ' || mrz?.checks.birthDate;
    raised.push(['BIRTHDATE_VALID', read ? possible : 'UNVERIFIED']);
  } else if (mrz?.fields.birthDateUnknown) raised.push(['BIRTHDATE_VALID', 'UNVERIFIED']);
  return raised;
};

/**
 * Every indicator that a reading of a document raises, in the order of docs/indicators.md. PORTRAIT
 * is raised by the rules for faces.
 */
export const indicatorsOf = (reading: DocumentReading): Indicator[] =>
  [
    ...modelIndicators(reading),
    ...sideIndicators(reading),
    ...zoneIndicators(reading),
    ...barcodeIndicators(reading),
    ...visualIndicators(reading),
    ...dateIndicators(reading),
    ['DOC_SPECIMEN', specimenStatus(reading)] satisfies Raised,
    ...pictureIndicators(reading),
  ].map(([name, status]) => indicator(name, status));

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
  const all = [...sideFaults(reading), ...named, ...hidden, ...tooFar(reading, raised), ...printAround(reading)];
  return all.filter((one, i) => all.findIndex(({ code, field }) => code === one.code && field === one.field) === i);
};
