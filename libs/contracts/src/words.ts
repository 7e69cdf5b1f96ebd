import { table } from './table.ts';

/** Words of the interface that people do not use. */
const WIRE_WORDS = table<string>({
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
});

/** The text with a capital first letter. */
export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Indicators whose names alone do not say what was checked. */
const ASKED = table<string>({
  DOC_SPECIMEN: 'A genuine document rather than a specimen',
  GIV_ELIGIBILITY: 'An issuing source that can be asked',
  SELFIE_SAME_AS_DOCUMENT: 'The selfie shows the face on the document',
  VISUAL_SECURITY: 'Visual security features',
});

/**
 * The check of an indicator in words, without its status: MRZ_CHECKSUMS becomes "Machine-readable
 * zone checksums".
 */
export const indicatorWords = (name: string): string =>
  ASKED[name] ??
  capital(
    name
      .split('_')
      .map((word) => WIRE_WORDS[word] ?? word.toLowerCase())
      .join(' '),
  );

/** A name of the interface in words: ID_DOCUMENT_CAPTURE becomes "Id document capture". */
export const plainWords = (name: string): string => capital(name.replaceAll('_', ' ').toLowerCase());

/**
 * What is wrong with an unusable portrait, in the words of error 1570, and what the person can
 * change.
 */
export const PORTRAIT_FAULTS = {
  NO_FACE: { what: 'no face was found', change: 'look straight into the camera' },
  SEVERAL_FACES: { what: 'there is more than one face', change: 'be alone in the picture' },
  FACE_TOO_SMALL: { what: 'the face is too small', change: 'come nearer to the camera' },
  HEAD_TILTED: { what: 'the head is tilted', change: 'hold the head upright' },
  HEAD_TURNED: { what: 'the head is turned away', change: 'turn the face to the camera' },
  BLURRED: { what: 'the face is blurred', change: 'hold the camera still' },
  TOO_DARK: { what: 'the face is too dark', change: 'turn to the light' },
  TOO_BRIGHT: { what: 'the face is too bright', change: 'turn away from the strong light' },
  UNEVEN_LIGHT: { what: 'half of the face is in shadow', change: 'turn so that the light comes from the front' },
  EYES_COVERED: { what: 'the eyes are covered', change: 'take off dark glasses, and hair from the eyes' },
  MOUTH_COVERED: { what: 'the mouth is covered', change: 'take off what covers mouth and nose' },
} as const;
