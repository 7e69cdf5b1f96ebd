import { type AccessKey, FAMILY_OF_TYPE, type IdDocumentData } from '@assay/contracts';
import type { Evidence } from './identity.ts';

/**
 * A number with fewer than nine characters is padded, as the access protocols require; dates are
 * YYMMDD.
 */
const NUMBER_LENGTH = 9;
const shortDate = (date: string): string | undefined =>
  /^\d{4}-\d{2}-\d{2}$/.test(date) ? date.slice(2).replaceAll('-', '') : undefined;

const IMAGE_OPERATIONS = ['ID_DOCUMENT_CAPTURE', 'ID_DOCUMENT_LIVE_CAPTURE'];

/**
 * The evidence that may give the key to a chip: a document submitted as images whose zone was read,
 * not only stated.
 */
export const isDocumentImage = ({ type, operation }: Pick<Evidence, 'type' | 'operation'>): boolean =>
  FAMILY_OF_TYPE[type] === 'IDDOCUMENT' && IMAGE_OPERATIONS.includes(operation);

export const isChip = ({ operation }: Pick<Evidence, 'operation'>): boolean =>
  operation === 'EVIDENCE_NFC_VERIFICATION';

/**
 * The key to the chip of a document whose machine-readable zone was read; undefined if too little
 * was read. A driving licence has no such zone.
 */
export const accessKeyOf = (type: Evidence['type'], read: IdDocumentData | undefined): AccessKey | undefined => {
  if (type === 'DRIVING_LICENSE') return undefined;
  const { idDocumentNumber, expiryDate, personalAttributes } = read ?? {};
  const dateOfBirth = shortDate(personalAttributes?.dateOfBirth?.value ?? '');
  const dateOfExpiry = shortDate(expiryDate ?? '');
  if (!idDocumentNumber || !dateOfBirth || !dateOfExpiry) return undefined;
  const documentNumber = idDocumentNumber.replace(/[^A-Z0-9]/g, '<').padEnd(NUMBER_LENGTH, '<');
  return { documentNumber, dateOfBirth, dateOfExpiry };
};
