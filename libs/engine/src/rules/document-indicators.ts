import {
  type ErrorName,
  type ErrorObject,
  errorObject,
  type Indicator,
  type IndicatorStatus,
  indicator,
} from '@assay/contracts';
import type { DocumentReading, SideReading } from '../document.ts';
import type { MrzReading } from '../mrz/read.ts';
import * as quality from './quality-rules.ts';
import { barcodeIndicators, type Raised, visualIndicators, zoneIndicators } from './reading-rules.ts';

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

const isEmpty = ({ mrz, barcode, recognition, visual }: DocumentReading): IndicatorStatus => {
  if (mrz || barcode || recognition) return 'OK';
  return visual.lines.length < 3 ? 'FAILED' : 'WARNING';
};

const pictureIndicators = (reading: DocumentReading): Raised[] => {
  const all = sides(reading);
  const worst = (rule: (side: SideReading) => IndicatorStatus) => quality.worst(all.map(rule));
  return [
    ...imageIndicators(reading, 'FRONT'),
    ...imageIndicators(reading, 'BACK'),
    ['DARK_IMAGE_QUALITY', worst(quality.darknessOf)],
    ['CUT_OFF_DOCUMENT_CHECK', worst(quality.cutOffOf)],
    ['IMAGE_WITHOUT_DOCUMENT_CHECK', isEmpty(reading)],
    ['NO_MULTIPLE_DOCUMENT_CHECK', reading.several],
    ['PHOTOCOPY_DETECTION', worst(quality.photocopyOf)],
    ['LCD_DETECTION', worst(quality.lcdOf)],
    ['SCREENSHOT_DETECTION', worst(quality.screenshotOf)],
    // No open method was found that tells genuine security print from a good imitation.
    ['VISUAL_SECURITY', 'UNVERIFIED'],
  ];
};

const UNSUPPORTED = new Set(['TAX_CARD', 'VOTER_CARD']);

const modelStatus = ({ recognition, mrz }: DocumentReading): IndicatorStatus => {
  if (!recognition) return 'FAILED';
  if (recognition.by === 'MRZ') return mrz!.valid && recognition.country ? 'OK' : 'WARNING';
  return recognition.complete ? 'OK' : 'WARNING';
};

const modelIndicators = (reading: DocumentReading): Raised[] => {
  const { recognition, details } = reading;
  const raised: Raised[] = [['MODEL_RECOGNIZED', modelStatus(reading)]];
  if (details.documentType && UNSUPPORTED.has(details.documentType))
    raised.push(['AUTHORIZED_DOCUMENT_TYPE', 'FAILED']);
  if (!recognition) return raised;
  if (details.documentType)
    raised.push(['IDDOCUMENT_TYPE_COMPARE', details.documentType === recognition.type ? 'OK' : 'FAILED']);
  raised.push(['DOC_ISSUING_COUNTRY', countryStatus(recognition.country, details.jurisdiction)]);
  return raised;
};

const countryStatus = (country: string | undefined, declared: string | undefined): IndicatorStatus => {
  if (country === undefined) return 'UNVERIFIED';
  return declared !== undefined && declared !== country ? 'WARNING' : 'OK';
};

const FRONT = 'DocumentFront';
const BACK = 'DocumentBack';

const TWO_SIDED = new Set(['IDENTITY_CARD', 'RESIDENT_CARD']);

/** Sides such a document needs; for one that was not recognised, what its declared type says. */
const needsBack = ({ recognition, details, mrz }: DocumentReading): boolean | undefined => {
  if (recognition) return recognition.sides.includes('BACK');
  if (details.documentType === 'PASSPORT' || details.documentType === 'VISA') return false;
  if (details.documentType === undefined) return undefined;
  return TWO_SIDED.has(details.documentType) ? !mrz : details.jurisdiction === 'USA';
};

/** The machine-readable side of a two-sided document is its back. */
type Sides = 'COMPLETE' | 'SURPLUS' | 'BACK_MISSING' | 'FRONT_MISSING' | 'SAME_TWICE' | 'SWAPPED' | 'UNKNOWN';

const machineSide = ({ mrz, barcode }: DocumentReading): 'FRONT' | 'BACK' | undefined => mrz?.side ?? barcode?.side;

/**
 * Which sides came. Front and back are told apart by the machine-readable part that only the back
 * has.
 */
const sidesOf = (reading: DocumentReading): Sides => {
  const { back, sameSide, recognition } = reading;
  const needed = needsBack(reading);
  if (needed === undefined) return 'UNKNOWN';
  if (!needed) return back ? 'SURPLUS' : 'COMPLETE';
  const side = recognition?.by === 'LAYOUT' ? undefined : machineSide(reading);
  if (!back) return side === 'FRONT' ? 'FRONT_MISSING' : 'BACK_MISSING';
  if (sameSide) return 'SAME_TWICE';
  if (side === undefined) return 'UNKNOWN';
  return side === 'FRONT' ? 'SWAPPED' : 'COMPLETE';
};

const SIDE_STATUS = {
  COMPLETE: ['OK', 'OK'],
  SURPLUS: ['OK', 'WARNING'],
  SWAPPED: ['OK', 'WARNING'],
  BACK_MISSING: ['FAILED', 'FAILED'],
  FRONT_MISSING: ['FAILED', 'FAILED'],
  SAME_TWICE: ['FAILED', 'FAILED'],
  UNKNOWN: ['UNVERIFIED', 'UNVERIFIED'],
} as const satisfies Record<Sides, readonly [IndicatorStatus, IndicatorStatus]>;

const sideIndicators = (reading: DocumentReading): Raised[] => {
  const [required, expected] = SIDE_STATUS[sidesOf(reading)];
  return [
    ['REQUIRED_SIDES_CHECK', required],
    ['EXPECTED_DOCUMENT_SIDES', expected],
  ];
};

/** What to do about the sides, and which parts came. */
const sideFaults = (reading: DocumentReading): ErrorObject[] => {
  const sides = sidesOf(reading);
  if (sides === 'BACK_MISSING')
    return [
      errorObject('SIDE_MISSING', BACK, 'Only DocumentFront came; send the back of the document as DocumentBack'),
    ];
  if (sides === 'FRONT_MISSING')
    return [
      errorObject(
        'SIDE_MISSING',
        FRONT,
        'Only the back of the document came, as DocumentFront; send its front as DocumentFront and this side as DocumentBack',
      ),
    ];
  if (sides === 'SAME_TWICE') {
    const missing = machineSide(reading) === undefined ? BACK : FRONT;
    const side = missing === BACK ? 'back' : 'front';
    return [
      errorObject(
        'SAME_SIDE_TWICE',
        missing,
        `DocumentFront and DocumentBack show the same side; send the ${side} as ${missing}`,
      ),
    ];
  }
  if (sides === 'SWAPPED')
    return [
      errorObject('SIDES_SWAPPED', FRONT, 'DocumentFront shows the back and DocumentBack the front; exchange them'),
    ];
  return [];
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

const isSpecimen = ({ data, visual }: DocumentReading): boolean => {
  const words = [data.surname, ...data.givenNames].map((name) => name?.value ?? '');
  return (
    [data.issuingCountry?.value, data.nationality?.value].includes('UTO') ||
    KNOWN_SAMPLE_NUMBERS.has(data.documentNumber?.value ?? '') ||
    [...words, ...visual.lines.map(({ text }) => text)].some((text) => /\bSPECIMEN\b|\bMUSTER(MANN)?\b/i.test(text))
  );
};

const dateIndicators = ({ data, today, mrz }: DocumentReading): Raised[] => {
  const raised: Raised[] = [];
  const expiry = data.expiryDate;
  const trusted = expiry && (expiry.source !== 'MRZ' || mrz?.checks.expiryDate);
  const expired = expiry && expiry.value < today ? 'FAILED' : 'OK';
  raised.push(['DOC_EXPIRATION_DATE', trusted ? expired : 'UNVERIFIED']);
  if (data.issuingDate) raised.push(['ISSUING_DATE_VALIDITY', data.issuingDate.value > today ? 'FAILED' : 'OK']);
  if (data.birthDate) {
    const age = Number(today.slice(0, 4)) - Number(data.birthDate.value.slice(0, 4));
    raised.push(['BIRTHDATE_VALID', data.birthDate.value > today || age > 120 ? 'FAILED' : 'OK']);
  }
  return raised;
};

/**
 * Every indicator a reading of a document raises, in the order of docs/indicators.md. PORTRAIT
 * belongs to the faces.
 */
export const indicatorsOf = (reading: DocumentReading): Indicator[] =>
  [
    ...modelIndicators(reading),
    ...sideIndicators(reading),
    ...zoneIndicators(reading),
    ...barcodeIndicators(reading),
    ...visualIndicators(reading),
    ...dateIndicators(reading),
    ['DOC_SPECIMEN', isSpecimen(reading) ? 'FAILED' : 'OK'] satisfies Raised,
    ...pictureIndicators(reading),
  ].map(([name, status]) => indicator(name, status));

/** Which error stands for which failed check, and the part of the upload it is about. */
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

/**
 * The capture faults behind the indicators, for the `errors` of an evidence that does not end
 * VERIFIED; each once.
 */
export const faultsOf = (reading: DocumentReading, raised: readonly string[]): ErrorObject[] => {
  const named = FAULTS.filter(([name]) => raised.includes(name)).map(([, error, field]) => errorObject(error, field));
  const all = [...sideFaults(reading), ...named];
  return all.filter((one, i) => all.findIndex(({ code, field }) => code === one.code && field === one.field) === i);
};
