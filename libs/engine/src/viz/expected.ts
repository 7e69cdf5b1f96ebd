import type { MachineParts } from '../machine-parts.ts';
import type { Description, ExpectedValues, NameField } from './match.ts';

/**
 * How the issuer writes dates in figures: month first on the licences of the United States, day
 * first on the zone's documents of other states.
 */
const monthFirstOf = ({ mrz, barcode }: MachineParts): boolean | undefined => {
  if (mrz) return mrz.fields.issuingState === 'USA' ? undefined : false;
  return barcode?.licence.issuer?.country === 'USA' ? true : undefined;
};

/** Names that the issuer marked as truncated in a barcode. */
const cutIn = (barcode: MachineParts['barcode']): NameField[] => {
  const truncated = barcode?.licence.truncated ?? [];
  return [
    ...(truncated.includes('surname') ? (['surname'] as const) : []),
    ...(truncated.some((name) => name !== 'surname') ? (['givenNames'] as const) : []),
  ];
};

const descriptionIn = (barcode: MachineParts['barcode']): Description | undefined => {
  if (!barcode) return undefined;
  const { address, height, eyeColor } = barcode.licence;
  return { ...(address && { address }), ...(height && { height }), ...(eyeColor && { eyeColor }) };
};

/** A visa's zone may have the number of the passport that it is in, or its own. */
const numberLabelOf = ({ mrz }: MachineParts): ExpectedValues['numberLabel'] => {
  if (!mrz) return 'LICENCE';
  const { documentCode } = mrz.fields;
  if (documentCode.startsWith('V')) return undefined;
  return documentCode.startsWith('P') ? 'PASSPORT' : 'CARD';
};

/** The values of the machine-readable part, which the visual zone should show. */
export const expectedOf = (parts: MachineParts): ExpectedValues => {
  const { mrz, barcode } = parts;
  const source = mrz?.fields ?? barcode?.licence;
  if (!source) return {};
  const { surname, givenNames, documentNumber, birthDate, expiryDate, sex } = source;
  const { nationality, issuingState } = mrz?.fields ?? {};
  const monthFirst = monthFirstOf(parts);
  const nameSuffix = barcode?.licence.nameSuffix;
  const numberLabel = numberLabelOf(parts);
  const description = descriptionIn(barcode);
  const issuingDate = mrz ? undefined : barcode?.licence.issuingDate;
  return {
    ...(surname && { surname }),
    givenNames,
    ...(mrz && { transliterated: true }),
    nameTruncated: mrz ? mrz.fields.nameTruncated : cutIn(barcode),
    ...(nameSuffix && { nameSuffix }),
    ...(documentNumber && { documentNumber }),
    ...(numberLabel && { numberLabel }),
    ...(birthDate && { birthDate }),
    ...(expiryDate && { expiryDate }),
    ...(issuingDate && { issuingDate }),
    ...(sex && { sex }),
    ...(nationality && { nationality }),
    ...(issuingState && { issuingState }),
    ...(description && { description }),
    ...(monthFirst !== undefined && { monthFirst }),
  };
};
