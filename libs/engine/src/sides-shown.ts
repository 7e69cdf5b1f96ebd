import { present } from '@assay/contracts';
import { readLicenceBarcode } from './barcode/read.ts';
import type { Page } from './image.ts';
import type { MachineParts } from './machine-parts.ts';
import { isSamePicture } from './quality/same-side.ts';
import type { Recognition } from './recognition/recognise.ts';
import { counterpartModel, counterpartSeen, otherIssuer } from './viz/counterpart.ts';
import type { ExpectedValues } from './viz/match.ts';
import type { VisualReading } from './viz/read.ts';

/** What two pictures show of one document. */
export interface SidesShown {
  /** Both pictures show one side. */
  sameSide: boolean;
  /**
   * Values of the machine-readable part were read on the other side; absent if there is no such
   * part.
   */
  counterpartSeen?: boolean;
  /** The type of the side opposite to the machine-readable part by its words, if they say one. */
  counterpartModel?: Recognition;
  /** The state in the heading of that side, if another one issued the barcode. */
  counterpartState?: string;
}

interface BothRead {
  upright: readonly Page[];
  parts: MachineParts;
  read: VisualReading;
  expected: ExpectedValues;
}

/**
 * The same picture twice, or a second zone on the side that should have none. Two scans of one card
 * look alike when reduced: if a side shows the values of the other, it must be the same picture.
 */
const showSameSide = ({ upright, parts: { mrz }, read }: BothRead, counterpart: boolean): boolean => {
  const [one, other] = upright;
  const elsewhere = mrz !== undefined && read.machinePrint.some((side) => side !== mrz.side);
  const likeness = counterpart ? 'VERY_SAME' : 'ALIKE';
  return elsewhere || (one !== undefined && other !== undefined && isSamePicture(one.grey, other.grey, likeness));
};

/**
 * The back of a licence twice, in two photographs that do not look alike: its barcode is on both.
 * To look for it takes time, so only where the other picture shows nothing of a front.
 */
const showBarcodeTwice = async ({ upright, parts: { barcode, mrz } }: BothRead): Promise<boolean> => {
  const other = barcode && !mrz && upright[barcode.side === 'FRONT' ? 1 : 0];
  return other ? (await readLicenceBarcode(other))?.text === barcode.text : false;
};

/** Which sides two pictures show, by what was read on them. */
export const sidesShown = async (both: BothRead): Promise<SidesShown> => {
  const { parts, read, expected } = both;
  const side = (parts.mrz ?? parts.barcode)?.side;
  const seen = side && counterpartSeen(read.lines, side, expected);
  const opposite = side && counterpartModel(read.lines, side);
  const { issuer } = parts.barcode?.licence ?? {};
  const other = side && issuer && otherIssuer(read.lines, side, issuer, expected);
  const sameSide = showSameSide(both, seen === true) || (seen === false && (await showBarcodeTwice(both)));
  return present({
    sameSide,
    counterpartSeen: seen,
    counterpartModel: opposite,
    counterpartState: other,
  });
};
