import type { DocumentReading } from '@assay/engine';

/**
 * Whether the holder has one name alone: neither the machine-readable zone (or else the barcode),
 * read in full, nor the page has given names.
 */
export const hasSingleName = ({ data, mrz, barcode }: DocumentReading): boolean => {
  if (!data.surname || data.givenNames.length > 0) return false;
  if (mrz) return mrz.valid && mrz.namesUnread === 0 && !mrz.fields.nameTruncated;
  return barcode?.licence.truncated.length === 0 && barcode.licence.givenNamesUnknown !== true;
};
