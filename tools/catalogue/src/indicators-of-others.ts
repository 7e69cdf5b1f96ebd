import type { INDICATOR_NAMES } from '@assay/contracts';
import { type Entry, never, raisedIn } from './entry.ts';
import type { INDICATORS_OF_DOCUMENTS } from './indicators-of-documents.ts';

type Groups = typeof INDICATOR_NAMES;
type Name = Exclude<Groups[keyof Groups][number], keyof typeof INDICATORS_OF_DOCUMENTS>;

const check = raisedIn('services/issuing-source-adapter/src/domain/check-result.ts');
const dldv = raisedIn('services/issuing-source-adapter/src/domain/dldv-answer.ts');
const chip = raisedIn('libs/chip/src/verify/verification.ts');
const references = raisedIn('services/verification-worker/src/domain/references.ts');
const evaluation = raisedIn('services/verification-worker/src/domain/evaluate-evidence.ts');
const matching = raisedIn('services/verification-worker/src/domain/portrait-matching.ts');
const selfie = raisedIn('libs/engine/src/rules/portrait-indicators.ts');
const substitution = raisedIn('libs/engine/src/rules/substitution.ts');
const contact = raisedIn('services/verification-worker/src/consumers/contact-changed.ts');

const SOURCE = "the source's own answer, passed on";
const ARITHMETIC = 'a cryptographic check: it errs only where its key was stolen';
const READER = 'only the reader knows, and it is not believed';
const compared = (what: string) => dldv('OFU', `the issuing source has the same ${what}`, SOURCE);
const fuzzy = (what: string) =>
  dldv('OFU', `the issuing source has a similar ${what}; only where the exact comparison is not OK`, SOURCE);
const reason = (meaning: string): Entry => ({
  meaning: `${meaning}: a reason an operator gives for a rejection`,
  in: 'services/gateway/src/domain/adjudication.ts',
  as: 'OPERATOR_REASONS',
  states: [],
  errs: "a person's judgement",
});
const mapped = 'a source attached by a mapping file may raise it; none that ships does';

/** Indicators of sources, chips, faces, statements, contacts and operators. */
export const INDICATORS_OF_OTHERS: Record<Name, Entry> = {
  GIV_AVAILABILITY: check('OFU', 'the issuing source could be asked', SOURCE),
  GIV_ELIGIBILITY: check(
    'OWFU',
    'an issuing source answers for such documents; WARNING: for some of them only',
    'a table (issuing-sources.md)',
  ),
  GIV_VERIFICATION: check('VFU', 'the issuing source confirms the document', SOURCE),
  GOV_DATA_FORMAT: check(
    'WF',
    'the data has the form that the source asks for; raised only where not',
    'a table (issuing-sources.md)',
  ),
  DOC_ACTIVE: never(
    'the document is neither revoked nor reported lost',
    'no source that ships reports it; a document that is not active fails GIV_VERIFICATION',
  ),
  FIRSTNAME_COMPARE: compared('first name'),
  FIRSTNAME_FUZZY_COMPARE: fuzzy('first name'),
  MIDDLENAME_COMPARE: compared('middle name'),
  MIDDLENAME_FUZZY_COMPARE: fuzzy('middle name'),
  MIDDLENAME_INITIAL_COMPARE: compared('initial of the middle name'),
  SURNAME_COMPARE: compared('surname'),
  SURNAME_FUZZY_COMPARE: fuzzy('surname'),
  FULLNAME_COMPARE: never('the issuing source has the same full name', mapped),
  BIRTHDATE_COMPARE: compared('birth date'),
  GENDER_COMPARE: compared('gender'),
  HEIGHT_COMPARE: compared('height'),
  WEIGHT_COMPARE: dldv('U', 'the issuing source has the same weight', 'never asked: no request has a weight'),
  EYECOLOR_COMPARE: compared('eye colour'),
  NAMESUFFIX_COMPARE: compared('name suffix'),
  EXPIRYDATE_COMPARE: compared('expiry date'),
  ISSUINGDATE_COMPARE: compared('day of issue'),
  IDDOCUMENT_TYPE_COMPARE: compared('type of document; of pictures, the declared type is the recognised one'),
  IDDOCUMENT_NUMBER_COMPARE: compared('number'),
  ADDRESS_CITY_COMPARE: compared('city'),
  ADDRESS_POSTCODE_COMPARE: compared('postcode'),
  ADDRESS_STREET_COMPARE: compared('street'),
  ADDRESS_STATE_COMPARE: compared('state of the address'),
  ADDRESS_COUNTRY_COMPARE: never('the issuing source has the same country of the address', mapped),
  ISSUING_STATE_COMPARE: never('the issuing source has the same state of issue', mapped),
  BIOMETRIC_LIVENESS_CHALLENGE: selfie(
    'U',
    'a living person was before the camera',
    'never checked: two open nets took 89 to 99 % of attacks for live (faces.md, Selfies)',
    'BIOMETRIC_LIVENESS_CHALLENGE_UNVERIFIED',
  ),
  BIOMETRIC_MATCHING_CHECK: matching(
    'OWFU',
    'portrait and reference show one person',
    'no false match in 15,148 pairs, false non-match 17 % (13 to 21 %) at .58 (faces.md)',
    'BIOMETRIC_MATCHING_CHECK_OK',
  ),
  BIOMETRIC_QUALITY_CHECK: selfie(
    'OWF',
    'the portrait can be used',
    '6 of 85 good portraits refused, each for a reason to be seen (faces.md, Selfies)',
    'BIOMETRIC_QUALITY_CHECK_OK',
  ),
  SELFIE_SAME_AS_DOCUMENT: matching(
    'W',
    "the selfie is the document's own photograph; raised only then",
    '1 of 578 genuine pairs; 44 of 45 copied portraits found (faces.md, Selfies)',
    'SELFIE_SAME_AS_DOCUMENT_WARNING',
  ),
  PASSIVE_AUTHENTICATION_CHECK: chip('OFU', 'signature, hashes and signer of the chip are right together', ARITHMETIC),
  PASOD_SIGNATURE_CHECK: chip('OFU', "the signature over the chip's list of hashes is right", ARITHMETIC),
  PASSIVE_AUTHENTICATION_HASH_CHECK: chip('OFU', 'every file has the hash that was signed', ARITHMETIC),
  PASSIVE_AUTHENTICATION_DOCUMENT_SIGNER_CHECK: chip('OFU', "the signer is one of the issuing country's", ARITHMETIC),
  ACTIVE_AUTHENTICATION_CHECK: chip('OWFU', 'the chip answered our challenge with its own key', ARITHMETIC),
  CHIP_AUTHENTICATION_CHECK: chip('OWFU', 'the chip answered under a key that it shares with us', ARITHMETIC),
  DATA_GROUP1_CHECK: chip('OFU', 'the zone in the chip is right, and the one in the picture', ARITHMETIC),
  BASIC_ACCESS_CONTROL_CHECK: chip('U', 'the chip was opened by BAC', READER),
  PASSWORD_AUTHENTICATED_CONNECTION_ESTABLISHMENT_CHECK: chip('U', 'the chip was opened by PACE', READER),
  TERMINAL_AUTHENTICATION_CHECK: chip('U', 'the reader showed the chip that it may read it', READER),
  NAME_CONSISTENCY_CHECK: references(
    'OWFU',
    'names agree with the name reference',
    undefined,
    'NAME_CONSISTENCY_CHECK_',
  ),
  ADDRESS_CONSISTENCY_CHECK: references(
    'OWFU',
    'the address agrees with a document that carries one',
    undefined,
    'ADDRESS_CONSISTENCY_CHECK_',
  ),
  ATTRIBUTES_VALIDITY: references(
    'OWFU',
    'what the person states agrees with the name reference',
    undefined,
    'ATTRIBUTES_VALIDITY_',
  ),
  ADDRESS_VALIDITY: never('the address exists', 'no register of addresses is asked'),
  EMAIL_OTP_VALIDATION: contact(
    'O',
    'the code sent to the e-mail address came back',
    'six random digits, few attempts',
    '_OTP_VALIDATION_OK',
  ),
  MOBILE_OTP_VALIDATION: contact(
    'O',
    'the code sent to the mobile number came back',
    'six random digits, few attempts',
    '_OTP_VALIDATION_OK',
  ),
  DOCUMENT_ADJUDICATION: evaluation(
    'OFU',
    'an operator accepted the document; UNVERIFIED: no operator decided in time',
    "a person's judgement",
    '_ADJUDICATION_',
  ),
  PORTRAIT_ADJUDICATION: evaluation(
    'OFU',
    'an operator accepted the portrait; UNVERIFIED: no operator decided in time',
    "a person's judgement",
    '_ADJUDICATION_',
  ),
  OTHER_SUSPICIOUS_ELEMENT: reason('something else is suspicious'),
  COMPUTER_SCREEN_PHOTO: reason('photographed from a screen'),
  DOCUMENT_IMAGE_MANIPULATION: reason('the picture was changed'),
  DOCUMENT_TEMPLATE_DIFFERENT_FROM_REFERENCE: reason('the layout is not that of the model'),
  INCONSISTENT_FONT_SIZE_OR_TYPE: reason('the type is not that of the model'),
  OTHER_SUSPECTED_FRAUD: reason('another fraud is suspected'),
  PAPER_COPY: reason('a copy on paper'),
  PORTRAIT_SUBSTITUTION: substitution(
    'OWFU',
    'the portrait is the one that the document was issued with; OK only where a second portrait was compared; FAILED: a reason an operator gives for a rejection',
    '0 of 114 false alarms on drawn pages, 1 of 91 on published ones before its limit was set; 27 of 76 faces put into a picture found, none of 38 re-printed; 27 of 37 second portraits of others (indicators.md, An exchanged portrait)',
  ),
};
