import { nameOfIndicator, statusOfIndicator } from '@assay/contracts';

const STATUS_WORDS: Readonly<Record<string, string>> = {
  OK: 'passed',
  VERIFIED: 'confirmed by the issuer',
  WARNING: 'gave a warning',
  FAILED: 'failed',
  UNVERIFIED: 'was not decided',
};

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  GIV: 'issuing source',
  MRZ: 'machine-readable zone',
  OCR: 'printed text:',
  DOC: 'document',
  DOCNUM: 'document number',
  IDDOCUMENT: 'identity document',
  LCD: 'screen',
  CB2D: 'barcode',
  FIRSTNAME: 'first name',
  FIRSTNAMES: 'first names',
  MIDDLENAME: 'middle name',
  BIRTHDATE: 'date of birth',
  EXPIRYDATE: 'expiry date',
  ISSUINGDATE: 'issuing date',
  NAMESUFFIX: 'name suffix',
  EYECOLOR: 'eye colour',
  COMPARE: 'comparison',
};

/** An indicator in words: "Machine-readable zone checksums passed". */
export const indicatorWords = (indicator: string): string => {
  const words = nameOfIndicator(indicator)
    .split('_')
    .map((word) => ABBREVIATIONS[word] ?? word.toLowerCase())
    .join(' ');
  const status = STATUS_WORDS[statusOfIndicator(indicator) ?? ''] ?? '';
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${status}`.trim();
};

/** A name of the wire in words: ID_DOCUMENT_CAPTURE becomes "Id document capture". */
export const plainWords = (name: string): string => {
  const words = name.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
