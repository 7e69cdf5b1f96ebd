import type { AccessKey, IdDocumentData } from '@assay/contracts';

/** A number of less than nine characters is filled up, as the access protocols take it; dates are YYMMDD. */
const NUMBER_LENGTH = 9;
const shortDate = (date: string): string | undefined =>
  /^\d{4}-\d{2}-\d{2}$/.test(date) ? date.slice(2).replaceAll('-', '') : undefined;

/** What opens the chip of a document whose machine-readable zone was read; undefined where too little was. */
export const accessKeyOf = (read: IdDocumentData | undefined): AccessKey | undefined => {
  const { idDocumentNumber, expiryDate, personalAttributes } = read ?? {};
  const dateOfBirth = shortDate(personalAttributes?.dateOfBirth?.value ?? '');
  const dateOfExpiry = shortDate(expiryDate ?? '');
  if (!idDocumentNumber || !dateOfBirth || !dateOfExpiry) return undefined;
  const documentNumber = idDocumentNumber.replace(/[^A-Z0-9]/g, '<').padEnd(NUMBER_LENGTH, '<');
  return { documentNumber, dateOfBirth, dateOfExpiry };
};
