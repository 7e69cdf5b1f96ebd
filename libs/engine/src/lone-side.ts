import { present } from '@assay/contracts';
import type { MachineParts } from './machine-parts.ts';
import { type DocumentSide, type Recognition, recognise } from './recognition/recognise.ts';
import type { LabelledValues } from './viz/labels.ts';
import type { PlacedLine } from './viz/placed-line.ts';

/** What a document is, and which of two pictures it is on if it has one side. */
interface Recognised {
  recognition?: Recognition;
  loneSide?: DocumentSide;
}

const isOneSided = (model: Recognition | undefined): model is Recognition =>
  model !== undefined && !model.sides.includes('BACK');

/**
 * The picture that a one-sided document is on, by its machine-readable part. A second picture shows
 * something else: no print and no face on it belongs to the document.
 */
export const loneMachineSide = ({ mrz, barcode }: MachineParts): DocumentSide | undefined => {
  const model = recognise(mrz, barcode?.licence, []);
  if (!isOneSided(model)) return undefined;
  return model.by === 'MRZ' ? mrz?.side : barcode?.side;
};

/** The document without the machine-readable parts of another side. */
export const partsOn = (side: DocumentSide | undefined, { mrz, barcode, several }: MachineParts): MachineParts => ({
  ...(mrz && (side ?? mrz.side) === mrz.side && { mrz }),
  ...(barcode && (side ?? barcode.side) === barcode.side && { barcode }),
  several,
});

/**
 * The model of the document. A one-sided model that is known only by its print must be recognised
 * on one picture, not by what two pictures say together.
 */
export const recogniseOn = (
  { mrz, barcode }: MachineParts,
  lines: readonly PlacedLine[],
  machineSide: DocumentSide | undefined,
): Recognised => {
  const on = (side?: DocumentSide): Recognition | undefined => {
    const seen = lines.filter((line) => side === undefined || line.side === side);
    return recognise(
      mrz,
      barcode?.licence,
      seen.map(({ text }) => text),
    );
  };
  const together = on();
  if (machineSide || together?.by !== 'LAYOUT' || !isOneSided(together))
    return present({ recognition: together, loneSide: machineSide });
  const loneSide = (['FRONT', 'BACK'] as const).find((side) => isOneSided(on(side)));
  return present({ recognition: on(loneSide ?? 'FRONT'), loneSide });
};

/**
 * What is printed on the document. If it is known to be on one picture, the other picture adds only
 * what backs have: values of two documents must not become values of one person.
 */
export const valuesOn = (
  loneSide: DocumentSide | undefined,
  lines: readonly PlacedLine[],
  valuesOf: (lines: readonly PlacedLine[]) => LabelledValues,
): LabelledValues => {
  if (!loneSide) return valuesOf(lines);
  const { cardNumber, address } = valuesOf(lines);
  return {
    ...(cardNumber && { cardNumber }),
    ...(address && { address }),
    ...valuesOf(lines.filter(({ side }) => side === loneSide)),
  };
};
