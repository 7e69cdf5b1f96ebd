import type { DocumentSide } from './recognition/recognise.ts';
import { counterpartSeen } from './viz/counterpart.ts';
import { type LabelledValues, labelledValues } from './viz/labels.ts';
import type { ExpectedValues } from './viz/match.ts';
import type { Ocr } from './viz/ocr.ts';
import { readVisualZone, type VisualReading, type VisualSide } from './viz/read.ts';

/**
 * What is on the second of two pictures of a one-sided document. It confirms nothing; it may
 * contradict.
 */
export interface SurplusPicture {
  visual: VisualReading;
  /** Values of the machine-readable part stand on it: it shows the same document again. */
  sameDocument: boolean;
  /** What it says behind labels. */
  labelled: LabelledValues;
}

/**
 * Reads the picture that is no side of the document, where the machine-readable part is on `lone`.
 */
export const readSurplus = async (
  sides: readonly VisualSide[],
  lone: DocumentSide | undefined,
  expected: ExpectedValues,
  ocr: Ocr,
): Promise<SurplusPicture | undefined> => {
  const others = sides.filter(({ side }) => lone !== undefined && side !== lone);
  if (!lone || others.length === 0) return undefined;
  const visual = await readVisualZone(others, expected, ocr, { everything: false, most: 60 });
  return {
    visual,
    sameDocument: counterpartSeen(visual.lines, lone, expected),
    labelled: labelledValues(visual.lines, undefined),
  };
};
