/** Words of the wire that are no words for people. */
const WIRE_WORDS: Readonly<Record<string, string>> = {
  GIV: 'issuing source',
  MRZ: 'machine-readable zone',
  OCR: 'printed',
  DOC: 'document',
  DOCNUM: 'document number',
  IDDOCUMENT: 'identity document',
  LCD: 'screen',
  CB2D: 'barcode',
  ALIGNEMENT: 'alignment',
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

/** Words with their first letter large. */
export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/**
 * What an indicator is about, without its status, in words: MRZ_CHECKSUMS becomes "Machine-readable
 * zone checksums".
 */
export const indicatorWords = (name: string): string =>
  capital(
    name
      .split('_')
      .map((word) => WIRE_WORDS[word] ?? word.toLowerCase())
      .join(' '),
  );

/** A name of the wire in words: ID_DOCUMENT_CAPTURE becomes "Id document capture". */
export const plainWords = (name: string): string => capital(name.replaceAll('_', ' ').toLowerCase());
