import { type ErrorObject, errorObject, type IndicatorStatus } from '@assay/contracts';
import type { DocumentReading } from '../document.ts';
import type { Recognition } from '../recognition/recognise.ts';
import type { Raised } from './raised.ts';

export const FRONT = 'DocumentFront';
export const BACK = 'DocumentBack';

const TWO_SIDED = new Set(['IDENTITY_CARD', 'RESIDENT_CARD']);

/** The sides that such a document needs; if it was not recognised, those of its declared type. */
const needsBack = ({ recognition, details, mrz }: DocumentReading): boolean | undefined => {
  if (recognition) return recognition.sides.includes('BACK');
  if (details.documentType === 'PASSPORT' || details.documentType === 'VISA') return false;
  if (details.documentType === undefined) return undefined;
  return TWO_SIDED.has(details.documentType) ? !mrz : details.jurisdiction === 'USA';
};

/** The machine-readable side of a two-sided document is its back. */
type Sides =
  | 'COMPLETE'
  | 'SURPLUS'
  | 'BACK_MISSING'
  | 'FRONT_MISSING'
  | 'SAME_TWICE'
  | 'SWAPPED'
  | 'COUNTERPART_UNREAD'
  | 'OF_ANOTHER'
  | 'UNKNOWN';

export const machineSide = ({ mrz, barcode }: DocumentReading): 'FRONT' | 'BACK' | undefined =>
  mrz?.side ?? barcode?.side;

/**
 * A driving licence and another card are two documents, even if all their values are of one person.
 * A card with both a zone and a barcode is a licence and an identity card in one.
 */
const isOfAnother = ({ recognition, counterpartModel, mrz, barcode }: DocumentReading): boolean => {
  if (!recognition || !counterpartModel || (mrz && barcode)) return false;
  const isLicence = ({ type }: Recognition) => type === 'DRIVING_LICENSE';
  return isLicence(recognition) !== isLicence(counterpartModel);
};

/**
 * Which sides were sent. Front and back are told apart by the machine-readable part, which only the
 * back has, and by the values of it that the other side shows: a picture of anything else is no
 * side.
 */
export const sidesOf = (reading: DocumentReading): Sides => {
  const { back, sameSide, recognition } = reading;
  const needed = needsBack(reading);
  if (needed === undefined) return 'UNKNOWN';
  if (!needed) return back ? 'SURPLUS' : 'COMPLETE';
  const side = recognition?.by === 'LAYOUT' ? undefined : machineSide(reading);
  if (!back) return side === 'FRONT' ? 'FRONT_MISSING' : 'BACK_MISSING';
  if (sameSide) return 'SAME_TWICE';
  if (side === undefined) return 'UNKNOWN';
  if (!reading.counterpartSeen) return 'COUNTERPART_UNREAD';
  if (isOfAnother(reading)) return 'OF_ANOTHER';
  return side === 'FRONT' ? 'SWAPPED' : 'COMPLETE';
};

/**
 * The sides that may have the holder's portrait, the likelier first. A picture that is no side of
 * the document does not count. `surely`: the portrait can be nowhere else.
 */
export const portraitSides = (reading: DocumentReading): { sides: readonly ('FRONT' | 'BACK')[]; surely: boolean } => {
  const { loneSide } = reading;
  if (loneSide) return { sides: [loneSide], surely: true };
  const [machine, sides] = [machineSide(reading), sidesOf(reading)];
  if ((sides === 'COUNTERPART_UNREAD' || sides === 'OF_ANOTHER') && machine) return { sides: [machine], surely: false };
  return { sides: sides === 'SWAPPED' ? ['BACK', 'FRONT'] : ['FRONT', 'BACK'], surely: true };
};

const SIDE_STATUS = {
  COMPLETE: ['OK', 'OK'],
  SURPLUS: ['OK', 'WARNING'],
  SWAPPED: ['OK', 'WARNING'],
  BACK_MISSING: ['FAILED', 'FAILED'],
  FRONT_MISSING: ['FAILED', 'FAILED'],
  SAME_TWICE: ['FAILED', 'FAILED'],
  COUNTERPART_UNREAD: ['UNVERIFIED', 'UNVERIFIED'],
  OF_ANOTHER: ['FAILED', 'FAILED'],
  UNKNOWN: ['UNVERIFIED', 'UNVERIFIED'],
} as const satisfies Record<Sides, readonly [IndicatorStatus, IndicatorStatus]>;

/** The values that its issuer is asked about. */
const hasItsValues = ({ documentNumber, surname, birthDate }: DocumentReading['data']): boolean =>
  documentNumber !== undefined && surname !== undefined && birthDate !== undefined;

/**
 * Anybody can print words, on any side: a side that is known only by its words may not be the side
 * it should be.
 */
export const isKnownByWordsAlone = ({ recognition, data }: DocumentReading): boolean =>
  recognition?.by === 'LAYOUT' && !(recognition.complete && hasItsValues(data));

/** If two documents have a zone each, it is unknown whether the sides belong to one of them. */
const isAmongSeveral = (reading: DocumentReading): boolean =>
  reading.several === 'FAILED' && needsBack(reading) === true;

export const sideIndicators = (reading: DocumentReading): Raised[] => {
  const isUnsure = isKnownByWordsAlone(reading) || isAmongSeveral(reading);
  const said = (status: IndicatorStatus): IndicatorStatus => (status === 'OK' && isUnsure ? 'UNVERIFIED' : status);
  const [required, expected] = SIDE_STATUS[sidesOf(reading)];
  return [
    ['REQUIRED_SIDES_CHECK', said(required)],
    ['EXPECTED_DOCUMENT_SIDES', said(expected)],
  ];
};

const mirroredFault = (side: 'FRONT' | 'BACK'): ErrorObject =>
  errorObject(
    'UNREADABLE',
    side === 'FRONT' ? FRONT : BACK,
    'The picture is mirrored, as some front cameras save it; send one on which the print can be read',
  );

/** What the client should do about the sides, and which parts it sent. */
export const sideFaults = (reading: DocumentReading): ErrorObject[] => {
  if (reading.mirrored) return reading.mirrored.map(mirroredFault);
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
  if (sides === 'COUNTERPART_UNREAD') {
    const unread = machineSide(reading) === 'FRONT' ? BACK : FRONT;
    return [
      errorObject(
        'UNREADABLE',
        unread,
        `Nothing that the machine-readable side says was read on ${unread}; send a sharp picture of the front of the same document`,
      ),
    ];
  }
  if (sides === 'OF_ANOTHER') {
    const other = machineSide(reading) === 'FRONT' ? BACK : FRONT;
    return [
      errorObject(
        'SIDE_MISSING',
        other,
        `${other} shows another document than the machine-readable side; send the other side of the same document`,
      ),
    ];
  }
  if (sides === 'SWAPPED')
    return [
      errorObject('SIDES_SWAPPED', FRONT, 'DocumentFront shows the back and DocumentBack the front; exchange them'),
    ];
  return [];
};
