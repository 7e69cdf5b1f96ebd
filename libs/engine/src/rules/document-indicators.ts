import { type Indicator, type IndicatorStatus, indicator } from '@assay/contracts';
import type { DocumentReading, SideReading } from '../document.ts';
import type { MrzReading } from '../mrz/read.ts';
import { dateIndicators } from './date-rules.ts';
import * as quality from './quality-rules.ts';
import type { Raised } from './raised.ts';
import { barcodeIndicators, severalDocuments, visualIndicators, zoneIndicators } from './reading-rules.ts';
import { isKnownByWordsAlone, machineSide, sideIndicators, sidesOf } from './side-rules.ts';

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
