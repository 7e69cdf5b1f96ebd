import type { IndicatorName, IndicatorStatus } from '@assay/contracts';
import { FEWEST_BOXES } from '../beside.ts';
import type { DocumentReading } from '../document.ts';
import type { MrzReading } from '../mrz/read.ts';
import { NAMES_UNSURE_BELOW } from '../mrz/sure-names.ts';
import type { SurplusPicture } from '../surplus.ts';
import { isLegible } from '../viz/legible.ts';
import { agrees, type FieldCheck, type VisualField } from '../viz/match.ts';

import type { Raised } from './raised.ts';
import { sidesOf } from './side-rules.ts';
import { crossCheck } from './zone-and-barcode.ts';

const names = (reading: DocumentReading): IndicatorStatus[] => {
  const { surname, givenNames } = reading.visual.checks;
  const seen = surname?.match === 'exact' && (givenNames === undefined || givenNames.match === 'exact');
  return reading.mrz!.pitch >= NAMES_UNSURE_BELOW || seen ? ['OK'] : ['WARNING'];
};

const zoneSyntax = (reading: DocumentReading): IndicatorStatus => {
  const { fields, unlistedStates, stateReplaced, format } = reading.mrz!;
  // Of fillers for a day that the page prints, one is wrong.
  const isUnknown = fields.birthDateUnknown === true && reading.data.birthDate === undefined;
  const isOpenEnded = fields.expiryUnknown === true;
  const ends = format === 'FRENCH_ID' || fields.expiryDate !== undefined || isOpenEnded;
  const dated = (fields.birthDate !== undefined || isUnknown) && ends;
  const complete = fields.surname !== '' && fields.documentNumber !== '' && fields.sex !== undefined;
  if (!dated || !complete || unlistedStates.length > 0) return 'FAILED';
  if (stateReplaced || names(reading).includes('WARNING')) return 'WARNING';
  // ICAO 9303 has no fillers for a last day, and yet some cards have none.
  return isOpenEnded ? 'UNVERIFIED' : 'OK';
};

const MISALIGNED = 3;
/** Below this confidence, a check digit that disagrees may be a misreading and proves nothing. */
const SURELY_READ = 0.95;

const checksums = ({ valid, repaired, confidence, checks, unread }: MrzReading): IndicatorStatus => {
  if (valid) return repaired ? 'WARNING' : 'OK';
  const isRefuted = Object.values(checks).includes(false) || !unread;
  return confidence >= SURELY_READ && isRefuted ? 'FAILED' : 'UNVERIFIED';
};

/** The machine-readable zone: present, with right check digits, and in the form of its format. */
export const zoneIndicators = (reading: DocumentReading): Raised[] => {
  const { mrz, recognition, details } = reading;
  if (!mrz) {
    const declared = details.documentType === 'PASSPORT' || details.documentType === 'VISA';
    return recognition?.type === 'PASSPORT' || recognition?.type === 'VISA' || declared
      ? [['MRZ_PRESENCE', 'FAILED']]
      : [];
  }
  return [
    ['MRZ_PRESENCE', 'OK'],
    ['MRZ_CHECKSUMS', checksums(mrz)],
    ['MRZ_FIELDS_SYNTAX', zoneSyntax(reading)],
    ['MRZ_ALIGNEMENT', mrz.misalignment > MISALIGNED ? 'WARNING' : 'OK'],
  ];
};

const barcodeSyntax = ({ barcode }: DocumentReading): IndicatorStatus => {
  const { licence } = barcode!;
  const ends = licence.expiryDate !== undefined || licence.neverExpires === true;
  const complete = licence.documentNumber && licence.surname && licence.birthDate && ends;
  if (!complete || !licence.issuer) return 'FAILED';
  const state = licence.address?.state;
  return state !== undefined && licence.issuer.state !== undefined && state !== licence.issuer.state ? 'WARNING' : 'OK';
};

const NORTH_AMERICAN = new Set(['USA', 'CAN']);

/**
 * The barcode of a licence: parsed, in the form of the standard, and in agreement with a zone on
 * the same card.
 */
export const barcodeIndicators = (reading: DocumentReading): Raised[] => {
  const { barcode, mrz, recognition, back } = reading;
  if (barcode)
    return [
      ['DOCUMENT_BARCODE_PARSING', 'OK'],
      ['CB2D_FIELDS_SYNTAX', barcodeSyntax(reading)],
      ...(mrz ? [['MRZ_BARCODE_CROSSCHECK', crossCheck(mrz, barcode.licence)] satisfies Raised] : []),
    ];
  const due = recognition?.by === 'LAYOUT' && NORTH_AMERICAN.has(recognition.country ?? '') && back !== undefined;
  return due ? [['DOCUMENT_BARCODE_PARSING', 'FAILED']] : [];
};

const OCR: Readonly<Record<VisualField, IndicatorName>> = {
  surname: 'OCR_SURNAME',
  givenNames: 'OCR_FIRSTNAMES',
  documentNumber: 'OCR_DOCNUM',
  birthDate: 'OCR_BIRTHDATE',
  expiryDate: 'OCR_EXPIRATION_DATE',
  issuingDate: 'OCR_ISSUING_DATE',
};

/** How many values a page with a large zone may lack because of misreadings. */
const MAY_BE_UNREAD = 2;

/**
 * A page that lacks most of the values in its zone: the print is covered, cut off, blurred or was
 * never there. If characters are smaller, not even the zone's names count. The zone of a card is on
 * the other side.
 */
export const isPrintMissing = ({ mrz, recognition, visual }: DocumentReading): boolean => {
  if (!mrz?.valid || recognition?.by !== 'MRZ' || recognition.sides.includes('BACK')) return false;
  const matches = Object.values(visual.checks).map(({ match }) => match);
  const absent = matches.filter((match) => match === 'absent').length;
  const most = absent === matches.length || (absent > MAY_BE_UNREAD && absent * 2 > matches.length);
  return most && mrz.pitch >= NAMES_UNSURE_BELOW;
};

/** The front of this model of this issuer does not print the value. */
const isUnprinted = ({ recognition, counterpartModel }: DocumentReading, field: VisualField): boolean =>
  counterpartModel?.unprinted?.includes(field) === true && counterpartModel.country === recognition?.country;

/**
 * A readable second picture of the same page that says something else: one of the two pages was
 * altered.
 */
const isOtherwise = ({ surplus }: DocumentReading, field: VisualField): boolean => {
  const match = surplus?.visual.checks[field]?.match;
  const isSaid = match !== undefined && !agrees(match) && field !== 'issuingDate';
  return isSaid && surplus?.sameDocument === true && isLegible(surplus.visual);
};

const isOtherSex = ({ surplus }: DocumentReading): boolean =>
  surplus?.sameDocument === true && surplus.visual.sex === 'WARNING';

const IDENTIFYING = ['surname', 'documentNumber', 'birthDate', 'expiryDate'] as const;
const ENOUGH = 2;
const bare = (value: string | undefined): string => (value ?? '').replace(/[^A-Z0-9]/g, '');

/** Another document, by the values after its labels. */
const saysOtherwise = ({ labelled, visual }: SurplusPicture, data: DocumentReading['data']): boolean => {
  const others = IDENTIFYING.filter((field) => {
    const said = labelled[field];
    return said !== undefined && bare(said) !== bare(data[field]?.value);
  });
  return others.length >= ENOUGH && isLegible(visual);
};

/** Beside the document is one of another type: its words say so, and it has a portrait. */
const isOfAnotherType = ({ beside, faceBeside, recognition }: DocumentReading): boolean => {
  if (!beside?.model || !recognition) return false;
  return faceBeside === true && beside.model.type !== recognition.type;
};

/** Print or a face beside the document, whose nature is unknown. */
const isSomethingBeside = ({ beside, faceBeside }: DocumentReading): boolean =>
  faceBeside === true || (beside !== undefined && beside.found >= FEWEST_BOXES);

/**
 * Two sides that may not belong to one card: the front shows nothing of what the back says, or
 * something else.
 */
const mayBeTwoCards = (reading: DocumentReading): boolean => {
  const { back, recognition, visual } = reading;
  if (!back || !recognition?.sides.includes('BACK')) return false;
  const isOther = IDENTIFYING.some((field) => {
    const check = visual.checks[field];
    return check !== undefined && !agrees(check.match) && !isUnprinted(reading, field);
  });
  return isOther || sidesOf(reading) === 'COUNTERPART_UNREAD';
};

/**
 * Whether the pictures show one document. A second picture of a one-sided document may show the
 * same page, or another document by the values after its labels; else it is unknown. The same holds
 * for what is beside the document: an open passport has another page there.
 */
export const severalDocuments = (reading: DocumentReading): IndicatorStatus => {
  const { several, surplus, beside, data } = reading;
  if (several === 'FAILED' || sidesOf(reading) === 'OF_ANOTHER') return 'FAILED';
  const other = surplus?.sameDocument === false ? surplus : undefined;
  const isAnother = [other, beside?.print].some((print) => print && saysOtherwise(print, data));
  if (isAnother || isOfAnotherType(reading)) return 'FAILED';
  return other || isSomethingBeside(reading) || mayBeTwoCards(reading) ? 'UNVERIFIED' : several;
};

/**
 * The value comes from a zone of which characters were not read: print that says something else
 * refutes nothing then, unless the value's own check digit agrees.
 */
const isOfUnread = ({ mrz }: DocumentReading, value: VisualField | 'sex' | 'nationality'): boolean => {
  const checks: Partial<Record<string, boolean>> = mrz?.checks ?? {};
  return Boolean(mrz?.unread) && checks[value] !== true;
};

/** Compares the visual zone with the machine-readable part, field by field. */
export const visualIndicators = (reading: DocumentReading): Raised[] => {
  const { checks, sex, nationality: seen, labelled, otherStates } = reading.visual;
  const nationality = otherStates?.nationality ? 'WARNING' : seen;
  const fields = Object.entries(checks) as [VisualField, NonNullable<(typeof checks)[VisualField]>][];
  const absent = isLegible(reading.visual) || isPrintMissing(reading) ? 'WARNING' : 'UNVERIFIED';
  const statuses = { exact: 'OK', unread: 'UNVERIFIED', partly: 'UNVERIFIED', near: 'WARNING', absent } as const;
  // The search for the day of issue is not complete, and some fronts lack values of their backs: if
  // one of these is not found, that proves nothing.
  const unsought = (field: VisualField, match: string) =>
    match === 'absent' && (field === 'issuingDate' || isUnprinted(reading, field));
  const statusOf = (field: VisualField, match: FieldCheck['match']): IndicatorStatus =>
    unsought(field, match) ? 'UNVERIFIED' : statuses[match];
  const unrefuted = (status: IndicatorStatus, value: VisualField | 'sex' | 'nationality'): IndicatorStatus =>
    status === 'WARNING' && isOfUnread(reading, value) ? 'UNVERIFIED' : status;
  const raised = fields.map(([field, { match }]): Raised => {
    const status = isOtherwise(reading, field) ? 'WARNING' : statusOf(field, match);
    return [OCR[field], unrefuted(status, field)];
  });
  // Read only by labels: there is nothing to compare it with.
  const alone = labelled
    ? (Object.keys(OCR) as VisualField[]).filter((field) => labelled[field] !== undefined && !checks[field])
    : [];
  return [
    ...raised,
    ...alone.map((field): Raised => [OCR[field], 'UNVERIFIED']),
    ...(sex ? [['OCR_SEX', unrefuted(isOtherSex(reading) ? 'WARNING' : sex, 'sex')] satisfies Raised] : []),
    ...(nationality ? [['OCR_DOC_NATIONALITY', unrefuted(nationality, 'nationality')] satisfies Raised] : []),
  ];
};
