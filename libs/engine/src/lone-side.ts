import type { MachineParts } from './machine-parts.ts';
import { type DocumentSide, type Recognition, recognise } from './recognition/recognise.ts';
import type { LabelledValues } from './viz/labels.ts';
import type { PlacedLine } from './viz/placed-line.ts';

/** What a document is, and which side it is on where two pictures of a one-sided one came. */
interface Recognised {
  recognition?: Recognition;
  loneSide?: DocumentSide;
}

const isOneSided = (model: Recognition | undefined): model is Recognition =>
  model !== undefined && !model.sides.includes('BACK');

/**
 * The side that a document of one side is on, by its machine-readable part. A second picture shows
 * something else: no print and no face on it is the document's.
 */
export const loneMachineSide = ({ mrz, barcode }: MachineParts): DocumentSide | undefined => {
  const model = recognise(mrz, barcode?.licence, []);
  if (!isOneSided(model)) return undefined;
  return model.by === 'MRZ' ? mrz?.side : barcode?.side;
};

/** Without what machines read on another side. */
export const partsOn = (side: DocumentSide | undefined, { mrz, barcode, several }: MachineParts): MachineParts => ({
  ...(mrz && (side ?? mrz.side) === mrz.side && { mrz }),
  ...(barcode && (side ?? barcode.side) === barcode.side && { barcode }),
  several,
});

/**
 * The model of the document. One of a single side that is known by its print alone has to be
 * recognised on one picture, not on what two of them say together.
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
    return { ...(together && { recognition: together }), ...(machineSide && { loneSide: machineSide }) };
  const loneSide = (['FRONT', 'BACK'] as const).find((side) => isOneSided(on(side)));
  const recognition = on(loneSide ?? 'FRONT');
  return { ...(recognition && { recognition }), ...(loneSide && { loneSide }) };
};

/**
 * What is printed on the document. Of one that is known to be on one picture, the other one adds
 * only what backs have: values of two documents must not become those of one person.
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
