import type { INDICATOR_NAMES } from '@assay/contracts';
import { type Entry, never, raisedIn } from './entry.ts';

type Group = 'imageQuality' | 'reading' | 'document';
type Name = (typeof INDICATOR_NAMES)[Group][number];

const rules = raisedIn('libs/engine/src/rules/document-indicators.ts');
const dates = raisedIn('libs/engine/src/rules/date-rules.ts');
const sides = raisedIn('libs/engine/src/rules/side-rules.ts');
const reading = raisedIn('libs/engine/src/rules/reading-rules.ts');
const portrait = raisedIn('libs/engine/src/rules/portrait-indicators.ts');
const worker = raisedIn('services/verification-worker/src/flows/image-ocr.ts');

const FORGERIES = '24 of 24 forgeries stopped, 24 of 24 genuine ones passed (indicators.md, Reading)';
const SIMULATED = 'on simulated variants (indicators.md, Picture)';
const blur = `0 of 22 false alarms; 22 of 22 blurred found, ${SIMULATED}`;
const glare = `0 of 22 false alarms, 4 of 22 on grey copies; 19 of 22 highlights found, ${SIMULATED}`;
const side = (fault: 'BLUR' | 'GLARE' | 'LOW' | 'KEYSTONE') => `\`${fault}_IMAGE_QUALITY_`;
const printed = (what: string, by = 'zone or barcode') => `the printed ${what} is that of the ${by}`;

/** Indicators of a document seen in pictures. */
export const INDICATORS_OF_DOCUMENTS: Record<Name, Entry> = {
  BLUR_IMAGE_QUALITY_FRONT: rules('OWF', 'the front is blurred', blur, side('BLUR')),
  BLUR_IMAGE_QUALITY_BACK: rules('OWF', 'the back is blurred', blur, side('BLUR')),
  GLARE_IMAGE_QUALITY_FRONT: rules('OWF', 'a highlight covers part of the front', glare, side('GLARE')),
  GLARE_IMAGE_QUALITY_BACK: rules('OWF', 'a highlight covers part of the back', glare, side('GLARE')),
  LOW_IMAGE_QUALITY_FRONT: rules('OWF', 'the front has too few pixels', undefined, side('LOW')),
  LOW_IMAGE_QUALITY_BACK: rules('OWF', 'the back has too few pixels', undefined, side('LOW')),
  KEYSTONE_IMAGE_QUALITY_FRONT: rules(
    'OWFU',
    'the front was photographed aslant',
    '0 of 20 false alarms (indicators.md, Picture)',
    side('KEYSTONE'),
  ),
  KEYSTONE_IMAGE_QUALITY_BACK: rules(
    'OWFU',
    'the back was photographed aslant',
    '0 of 20 false alarms (indicators.md, Picture)',
    side('KEYSTONE'),
  ),
  DARK_IMAGE_QUALITY: rules(
    'OWF',
    'the picture is too dark',
    `0 of 22 false alarms; 22 of 22 darkened found, ${SIMULATED}`,
  ),
  DOC_CAPTURE_ORIENTATION: rules(
    'F',
    'the picture is not mirrored',
    '12 of 12 mirrored documents found, 0 of 12 others that could not be read (indicators.md, Picture)',
  ),
  IMAGE_WITHOUT_DOCUMENT_CHECK: rules('OWFU', 'the picture shows a document'),
  COVERED_IMAGE_CHECK: never(
    'the lens was not covered',
    'a covered lens is reported as darkness or as a picture without a document',
  ),
  OTHER_QUALITY_CHECK: never('other faults of the picture', 'each fault that is measured has an indicator of its own'),
  MRZ_PRESENCE: reading(
    'OF',
    'a machine-readable zone was found where one has to be',
    '18 of 18 found (indicators.md, Reading)',
  ),
  MRZ_CHECKSUMS: reading(
    'OWFU',
    'every check digit agrees',
    '18 of 18 exact, none called valid that is not (indicators.md, Reading)',
  ),
  MRZ_FIELDS_SYNTAX: reading(
    'OWFU',
    'states, dates, sex and names are possible',
    'names below 7 pixels a character 2 of 11 wrong, above 0 of 391 (indicators.md, Reading)',
  ),
  MRZ_ALIGNEMENT: reading(
    'OW',
    'the lines of the zone begin and end together',
    '0 of 18 false alarms (indicators.md, Reading)',
  ),
  MRZ_BARCODE_CROSSCHECK: reading('OWFU', 'zone and barcode of one card agree'),
  DOCUMENT_BARCODE_PARSING: reading('OF', 'the barcode of a licence was read', '5 of 5 read (indicators.md, Reading)'),
  CB2D_FIELDS_SYNTAX: reading(
    'OWF',
    'what the barcode says is complete and possible',
    '2 of 2 texts right (indicators.md, Reading)',
  ),
  OCR_BIRTHDATE: reading('OWU', printed('birth date'), FORGERIES),
  OCR_DOCNUM: reading('OWU', printed('number'), FORGERIES),
  OCR_DOC_NATIONALITY: reading(
    'OWU',
    'the nationality of the zone is printed; WARNING: another code is printed behind its label',
    FORGERIES,
  ),
  OCR_EXPIRATION_DATE: reading('OWU', printed('expiry date'), FORGERIES),
  OCR_FIRSTNAMES: reading('OWU', printed('given name'), FORGERIES),
  OCR_ISSUING_DATE: reading('OWU', printed('day of issue', 'barcode')),
  OCR_SEX: reading('OWU', printed('sex'), FORGERIES),
  OCR_SURNAME: reading('OWU', printed('surname'), FORGERIES),
  OCR_FULLNAME: never(
    'the full name as printed',
    'documents with a zone or barcode give surname and given names apart, and each is compared by itself',
  ),
  OCR_PERSONAL_NUMBER: never(
    'the personal number as printed',
    'optional data of a zone has no fixed meaning: nothing says where it is printed',
  ),
  MODEL_RECOGNIZED: rules('OWF', 'the model of the document is known'),
  VISUAL_SECURITY: rules(
    'U',
    'holograms, inks and fine print are genuine',
    'never checked: no open method measures them reliably',
  ),
  PORTRAIT: portrait(
    'OWFU',
    'the document has a usable portrait',
    'a face found on 60 of 60 random specimens (faces.md)',
    'PORTRAIT_OK',
  ),
  PHOTOCOPY_DETECTION: rules(
    'OWFU',
    'the document is no copy',
    `0 of 22 false alarms; 22 of 22 grey copies found, ${SIMULATED}`,
  ),
  LCD_DETECTION: rules(
    'OWU',
    'the document was not photographed from a screen',
    `0 of 22 false alarms; 19 of 22 screens found, ${SIMULATED}; real screens not measured, so never more than a warning`,
  ),
  SCREENSHOT_DETECTION: rules(
    'OWF',
    'the picture is no screenshot',
    `0 of 22 false alarms; 22 of 22 screenshots found, cropped ones never, ${SIMULATED}`,
  ),
  DOC_EXPIRATION_DATE: dates(
    'OFU',
    'the document has not expired',
    'none of 120 genuine ones stopped (indicators.md, What stops which forgery)',
  ),
  DOC_SPECIMEN: rules('OFU', 'the document is no specimen'),
  DOC_ISSUING_COUNTRY: rules('OWU', 'the issuer is the declared jurisdiction'),
  DOC_NATIONALITY: never("the holder's nationality is accepted", 'no setting limits nationalities'),
  DOCUMENT_ISSUER_WHITE_LIST: worker(
    'OFU',
    'the issuer is one that the tenant accepts (setting acceptedIssuers); absent without the setting',
    'exact comparison of a code',
    'DOCUMENT_ISSUER_WHITE_LIST_',
  ),
  AUTHORIZED_DOCUMENT_TYPE: rules(
    'F',
    'documents of the declared type are taken; raised only where not',
    'exact comparison of a name',
  ),
  DOCUMENT_SIDES_CHECK: never('the sides are right', 'REQUIRED_SIDES_CHECK and EXPECTED_DOCUMENT_SIDES say it'),
  REQUIRED_SIDES_CHECK: sides('OFU', 'every side that the model needs came'),
  EXPECTED_DOCUMENT_SIDES: sides('OWFU', 'no side came twice, exchanged or in surplus'),
  SIDES_DATA_CONSISTENCY: never(
    'the sides agree',
    'the print of the front is compared with the zone or barcode of the back field by field (OCR_*)',
  ),
  NO_MULTIPLE_DOCUMENT_CHECK: rules(
    'OFU',
    'the pictures show one document; UNVERIFIED: print or a face beside it that belongs to no document that was recognised',
  ),
  CUT_OFF_DOCUMENT_CHECK: rules('OWFU', 'the whole document is in the picture'),
  DAMAGED_DOCUMENT_CHECK: never(
    'the document is not damaged',
    'no measure of damage was found that distinguishes a tear from print',
  ),
  OBSCURED_DATA_CHECK: never(
    'nothing lies on the document',
    'what covers a value shows as a value that was not read (OCR_*_WARNING, MRZ_PRESENCE_FAILED); no measure distinguishes a finger from print',
  ),
  ISSUING_DATE_VALIDITY: dates(
    'OFU',
    'the document was issued in the past, after the birth of its holder and before its expiry; only where the date was read',
    'exact comparison of dates',
  ),
  EXPIRATION_DATE_CONSISTENCY: never(
    'the expiry date fits the issuing date',
    'periods of validity differ by state, age and year, and the suite has no table of them',
  ),
  DOCUMENT_NUMBER_VALIDITY: never(
    'the number has the form of its issuer',
    'forms of numbers change; a check digit or the issuing source decides',
  ),
  BIRTHDATE_VALID: dates('OFU', 'the holder has been born, and at most 120 years ago', 'exact comparison of dates'),
  HOLDER_AGE: never('the holder is old enough', 'no setting asks for an age'),
};
