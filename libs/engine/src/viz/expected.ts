import type { MachineParts } from '../machine-parts.ts';
import type { ExpectedValues } from './match.ts';

/** The values of the machine-readable part, which the visual zone should show. */
export const expectedOf = ({ mrz, barcode }: MachineParts): ExpectedValues => {
  const source = mrz?.fields ?? barcode?.licence;
  if (!source) return {};
  const { surname, givenNames, documentNumber, birthDate, expiryDate, sex } = source;
  const { nationality, issuingState } = mrz?.fields ?? {};
  const issuingDate = mrz ? undefined : barcode?.licence.issuingDate;
  return {
    ...(surname && { surname }),
    givenNames,
    nameTruncated: mrz ? mrz.fields.nameTruncated : (barcode?.licence.truncated.length ?? 0) > 0,
    ...(documentNumber && { documentNumber }),
    ...(birthDate && { birthDate }),
    ...(expiryDate && { expiryDate }),
    ...(issuingDate && { issuingDate }),
    ...(sex && { sex }),
    ...(nationality && { nationality }),
    ...(issuingState && { issuingState }),
  };
};
