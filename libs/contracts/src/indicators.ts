/** The statuses of an indicator (specification, Indicators). Only GIV_VERIFICATION has VERIFIED. */
export const INDICATOR_STATUSES = ['OK', 'WARNING', 'FAILED', 'UNVERIFIED', 'VERIFIED'] as const;
export type IndicatorStatus = (typeof INDICATOR_STATUSES)[number];

/** Why an operator rejects an evidence. Each reason becomes an indicator of the evidence. */
export const OPERATOR_REASONS = [
  'OTHER_SUSPICIOUS_ELEMENT',
  'COMPUTER_SCREEN_PHOTO',
  'DOCUMENT_IMAGE_MANIPULATION',
  'DOCUMENT_TEMPLATE_DIFFERENT_FROM_REFERENCE',
  'INCONSISTENT_FONT_SIZE_OR_TYPE',
  'OTHER_SUSPECTED_FRAUD',
  'PAPER_COPY',
  'PORTRAIT_SUBSTITUTION',
] as const;

/** The names of all checks that an indicator can be about, grouped by what they examine. */
export const INDICATOR_NAMES = {
  issuingSource: ['GIV_AVAILABILITY', 'GIV_ELIGIBILITY', 'GIV_VERIFICATION', 'GOV_DATA_FORMAT', 'DOC_ACTIVE'],
  fieldComparison: [
    'FIRSTNAME_COMPARE',
    'FIRSTNAME_FUZZY_COMPARE',
    'MIDDLENAME_COMPARE',
    'MIDDLENAME_FUZZY_COMPARE',
    'MIDDLENAME_INITIAL_COMPARE',
    'SURNAME_COMPARE',
    'SURNAME_FUZZY_COMPARE',
    'FULLNAME_COMPARE',
    'BIRTHDATE_COMPARE',
    'GENDER_COMPARE',
    'HEIGHT_COMPARE',
    'WEIGHT_COMPARE',
    'EYECOLOR_COMPARE',
    'NAMESUFFIX_COMPARE',
    'EXPIRYDATE_COMPARE',
    'ISSUINGDATE_COMPARE',
    'IDDOCUMENT_TYPE_COMPARE',
    'IDDOCUMENT_NUMBER_COMPARE',
    'ADDRESS_CITY_COMPARE',
    'ADDRESS_POSTCODE_COMPARE',
    'ADDRESS_STREET_COMPARE',
    'ADDRESS_STATE_COMPARE',
    'ADDRESS_COUNTRY_COMPARE',
    'ISSUING_STATE_COMPARE',
  ],
  biometric: [
    'BIOMETRIC_LIVENESS_CHALLENGE',
    'BIOMETRIC_MATCHING_CHECK',
    'BIOMETRIC_QUALITY_CHECK',
    'SELFIE_SAME_AS_DOCUMENT',
  ],
  imageQuality: [
    'BLUR_IMAGE_QUALITY_FRONT',
    'BLUR_IMAGE_QUALITY_BACK',
    'GLARE_IMAGE_QUALITY_FRONT',
    'GLARE_IMAGE_QUALITY_BACK',
    'LOW_IMAGE_QUALITY_FRONT',
    'LOW_IMAGE_QUALITY_BACK',
    'KEYSTONE_IMAGE_QUALITY_FRONT',
    'KEYSTONE_IMAGE_QUALITY_BACK',
    'DARK_IMAGE_QUALITY',
    'DOC_CAPTURE_ORIENTATION',
    'IMAGE_WITHOUT_DOCUMENT_CHECK',
    'COVERED_IMAGE_CHECK',
    'OTHER_QUALITY_CHECK',
  ],
  reading: [
    'MRZ_PRESENCE',
    'MRZ_CHECKSUMS',
    'MRZ_FIELDS_SYNTAX',
    'MRZ_ALIGNEMENT',
    'MRZ_BARCODE_CROSSCHECK',
    'DOCUMENT_BARCODE_PARSING',
    'CB2D_FIELDS_SYNTAX',
    'OCR_BIRTHDATE',
    'OCR_DOCNUM',
    'OCR_DOC_NATIONALITY',
    'OCR_EXPIRATION_DATE',
    'OCR_FIRSTNAMES',
    'OCR_ISSUING_DATE',
    'OCR_SEX',
    'OCR_SURNAME',
    'OCR_FULLNAME',
    'OCR_PERSONAL_NUMBER',
  ],
  document: [
    'MODEL_RECOGNIZED',
    'VISUAL_SECURITY',
    'PORTRAIT',
    'PHOTOCOPY_DETECTION',
    'LCD_DETECTION',
    'SCREENSHOT_DETECTION',
    'DOC_EXPIRATION_DATE',
    'DOC_SPECIMEN',
    'DOC_ISSUING_COUNTRY',
    'DOC_NATIONALITY',
    'DOCUMENT_ISSUER_WHITE_LIST',
    'AUTHORIZED_DOCUMENT_TYPE',
    'DOCUMENT_SIDES_CHECK',
    'REQUIRED_SIDES_CHECK',
    'EXPECTED_DOCUMENT_SIDES',
    'SIDES_DATA_CONSISTENCY',
    'NO_MULTIPLE_DOCUMENT_CHECK',
    'CUT_OFF_DOCUMENT_CHECK',
    'DAMAGED_DOCUMENT_CHECK',
    'OBSCURED_DATA_CHECK',
    'ISSUING_DATE_VALIDITY',
    'EXPIRATION_DATE_CONSISTENCY',
    'DOCUMENT_NUMBER_VALIDITY',
    'BIRTHDATE_VALID',
    'HOLDER_AGE',
  ],
  chip: [
    'PASSIVE_AUTHENTICATION_CHECK',
    'PASOD_SIGNATURE_CHECK',
    'PASSIVE_AUTHENTICATION_HASH_CHECK',
    'PASSIVE_AUTHENTICATION_DOCUMENT_SIGNER_CHECK',
    'ACTIVE_AUTHENTICATION_CHECK',
    'CHIP_AUTHENTICATION_CHECK',
    'DATA_GROUP1_CHECK',
    'BASIC_ACCESS_CONTROL_CHECK',
    'PASSWORD_AUTHENTICATED_CONNECTION_ESTABLISHMENT_CHECK',
    'TERMINAL_AUTHENTICATION_CHECK',
  ],
  consistency: ['NAME_CONSISTENCY_CHECK', 'ADDRESS_CONSISTENCY_CHECK', 'ATTRIBUTES_VALIDITY', 'ADDRESS_VALIDITY'],
  contact: ['EMAIL_OTP_VALIDATION', 'MOBILE_OTP_VALIDATION'],
  adjudication: ['DOCUMENT_ADJUDICATION', 'PORTRAIT_ADJUDICATION', ...OPERATOR_REASONS],
} as const;

type Groups = typeof INDICATOR_NAMES;
export type IndicatorName = Groups[keyof Groups][number];
/** An indicator as clients see it: name, underscore, status. */
export type Indicator = `${IndicatorName}_${IndicatorStatus}`;

/** Builds an indicator from the name of a check and its status. */
export const indicator = (name: IndicatorName, status: IndicatorStatus): Indicator => `${name}_${status}`;

interface IndicatorParts {
  name: string;
  status?: IndicatorStatus;
}

const readParts = (value: string): IndicatorParts => {
  const status = INDICATOR_STATUSES.find(
    (one) => value.endsWith(`_${one}`) && !(one === 'VERIFIED' && value.endsWith('_UNVERIFIED')),
  );
  return status ? { name: value.slice(0, -(status.length + 1)), status } : { name: value };
};

const MOST_KNOWN = 2000;
/** A cache: every evaluation reads the same few hundred indicators again and again. */
const knownParts = new Map<string, IndicatorParts>();
const partsOf = (value: string): IndicatorParts => {
  const found = knownParts.get(value);
  if (found) return found;
  const parts = readParts(value);
  if (knownParts.size < MOST_KNOWN) knownParts.set(value, parts);
  return parts;
};

const NAMES: ReadonlySet<string> = new Set(Object.values(INDICATOR_NAMES).flat());

/** Whether this is an indicator of a known check. */
export const isIndicator = (value: string): value is Indicator => {
  const { name, status } = partsOf(value);
  return status !== undefined && NAMES.has(name);
};

/** The status at the end of an indicator. */
export const statusOfIndicator = (value: string): IndicatorStatus | undefined => partsOf(value).status;

/** The check of an indicator: the indicator without its status. */
export const nameOfIndicator = (value: string): string => partsOf(value).name;

/** If one check has two results, the one further left is the evidence's. */
const PRECEDENCE: readonly IndicatorStatus[] = ['FAILED', 'WARNING', 'VERIFIED', 'OK', 'UNVERIFIED'];

/**
 * One result for each check, whichever participants made it: if two participants made a check and
 * it failed for one of them, it failed.
 */
export const oneStateEach = (raised: readonly string[]): string[] => {
  const states = new Map<string, IndicatorStatus>();
  for (const one of raised) {
    const { name, status } = partsOf(one);
    if (!status) continue;
    const known = states.get(name);
    if (!known || PRECEDENCE.indexOf(status) < PRECEDENCE.indexOf(known)) states.set(name, status);
  }
  return [...states].map(([name, status]) => `${name}_${status}`).sort();
};

/**
 * The three lists of an evidence status. Every `_FAILED` is in the warning list, since a reply has
 * no other (specification, Indicators).
 */
export interface IndicatorLists {
  positiveIndicators: string[];
  warningIndicators: string[];
  unverifiedIndicators: string[];
}

/**
 * Sorts raised indicators into the three lists of a reply, each without repeats and in alphabetical
 * order.
 */
export const listIndicators = (raised: readonly string[]): IndicatorLists => {
  const unique = oneStateEach(raised);
  const having = (...statuses: IndicatorStatus[]) =>
    unique.filter((value) => statuses.includes(statusOfIndicator(value)!));
  return {
    positiveIndicators: having('OK', 'VERIFIED'),
    warningIndicators: having('WARNING', 'FAILED'),
    unverifiedIndicators: having('UNVERIFIED'),
  };
};
