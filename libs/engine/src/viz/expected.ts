import { present } from '@assay/contracts';
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
  return present({ address, height, eyeColor });
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
  // A zone that has fillers alone for a value has an empty one, which print cannot show.
  return present({
    surname: surname || undefined,
    givenNames,
    transliterated: mrz ? (true as const) : undefined,
    nameTruncated: mrz ? mrz.fields.nameTruncated : cutIn(barcode),
    nameSuffix: barcode?.licence.nameSuffix,
    documentNumber: documentNumber || undefined,
    numberLabel: numberLabelOf(parts),
    birthDate,
    expiryDate,
    issuingDate: mrz ? undefined : barcode?.licence.issuingDate,
    sex,
    nationality: nationality || undefined,
    issuingState: issuingState || undefined,
    description: descriptionIn(barcode),
    monthFirst: monthFirstOf(parts),
  });
};
