import type { EvidenceType, IdentityOperationName, ParticipantType, TrustLevel } from '@assay/contracts';

/**
 * A value of a list of the specification: its meaning, and the file that produces it or why nothing
 * does.
 */
export type Word = { meaning: string; in: string; states: string } | { meaning: string; why: string };

const gateway = (file: string): string => `services/gateway/src/http/${file}.ts`;
const ANY_PROGRESS = 'STARTING, PROCESSING, DONE, ERROR';
const call = (meaning: string, file: string): Word => ({ meaning, in: gateway(file), states: ANY_PROGRESS });
const contact = (meaning: string): Word => ({
  meaning,
  in: 'services/gateway/src/domain/contacts.ts',
  states: ANY_PROGRESS,
});
const unused = (meaning: string, why: string): Word => ({ meaning, why });

export const OPERATIONS: Record<IdentityOperationName, Word> = {
  EMAIL_OTP: contact('a code was sent to an e-mail address'),
  EMAIL_OTP_VERIFICATION: contact('that code came back'),
  MOBILE_OTP: contact('a code was sent to a mobile number'),
  OTP_VERIFICATION: contact('that code came back'),
  CONSENTS: call('consents were recorded', 'consents'),
  ATTRIBUTES: call('the person stated attributes or an address', 'statements'),
  PORTRAIT_CAPTURE: call('a portrait was uploaded', 'documents'),
  LIVENESS_VIDEO: call('a portrait was captured live', 'live-capture'),
  ID_DOCUMENT: call('a document was submitted as text', 'documents'),
  ID_DOCUMENT_CAPTURE: call('a document was uploaded', 'documents'),
  ID_DOCUMENT_LIVE_CAPTURE: call('a document was captured live', 'live-capture'),
  EVIDENCE_NFC_VERIFICATION: call('a chip was read', 'nfc'),
  ADJUDICATION: unused(
    'an operator decided',
    'a decision shows inside the element of its evidence, which has the operation that brought it',
  ),
  MEDICARE: call('a health card was submitted', 'documents'),
  CERTIFICATES: unused('certificates were submitted', 'no endpoint of the specification takes certificates'),
  TRUSTED_ID_CLAIM: unused(
    'a trusted provider vouched for the person',
    'no endpoint of the specification takes such claims',
  ),
  PORTRAIT_REFERENCE: call('a portrait reference was uploaded', 'uploads'),
  ID_CLAIM: unused('the person claimed an identity', 'no endpoint of the specification takes such claims'),
  ADDITIONAL_FILE: call('a further file was uploaded', 'uploads'),
};

const STATES = 'PROCESSING, ACCEPTED, REJECTED, ADJUDICATION';
const works = (meaning: string, file: string): Word => ({
  meaning,
  in: `services/verification-worker/src/${file}.ts`,
  states: STATES,
});

export const PARTICIPANTS: Record<ParticipantType, Word> = {
  IMAGE_OCR: works('reads a document from pictures', 'flows/image-ocr'),
  BIOMETRIC_QUALITY_CHECK: works('looks whether a portrait can be used', 'flows/portrait-quality'),
  BIOMETRIC_MATCHING: works('compares two faces', 'domain/proof-details'),
  BIOMETRIC_LIVENESS: works(
    'would report whether a person was there; always UNVERIFIED here',
    'flows/portrait-quality',
  ),
  ADJUDICATION: works('operators', 'domain/proof-details'),
  ANTIFRAUD: unused('checks for fraud', 'no source about fraud is attached'),
  GOV_VERIFICATION: works('the issuing source', 'flows/run-participants'),
  NFC_CHIP_VERIFICATION: works('checks a chip', 'flows/verify-chip'),
  CLAIM_VERIFICATION: works('compares statements, and takes codes that came back', 'flows/run-participants'),
  OPEN_ID_CONNECT: unused('another provider that knows the person', 'no provider is attached'),
};

const STATUSES = 'PROCESSING, ADJUDICATION, VERIFIED, NOT_VERIFIED, INVALID';
const submitted = (meaning: string, file: string): Word => ({ meaning, in: file, states: STATUSES });
const read = (meaning: string) => submitted(meaning, 'libs/engine/src/recognition/recognise.ts');

export const EVIDENCES: Record<EvidenceType, Word> = {
  PASSPORT: read('a passport'),
  IDENTITY_CARD: read('an identity card'),
  RESIDENT_CARD: read('a residence permit'),
  DRIVING_LICENSE: read('a driving licence'),
  VISA: read('a visa'),
  ID_DOCUMENT: submitted('a document that was not recognised yet', gateway('documents')),
  TAX_CARD: submitted('a tax card; ends NOT_VERIFIED with 1502', 'libs/contracts/src/vocabulary.ts'),
  VOTER_CARD: submitted('a voter card; ends NOT_VERIFIED with 1502', 'libs/contracts/src/vocabulary.ts'),
  MEDICARE: submitted('an Australian health card', 'services/verification-worker/src/domain/evidence-data.ts'),
  PORTRAIT: submitted('a portrait of the person', gateway('uploads')),
  PORTRAIT_REFERENCE: submitted('a portrait that others are compared with', gateway('uploads')),
  ATTRIBUTES: submitted('what the person states', gateway('statements')),
  ADDRESS: submitted('an address the person states', gateway('statements')),
  EMAIL: submitted('an e-mail address', 'services/proof-builder/src/domain/evidence-elements.ts'),
  MOBILE_OTP: submitted('a mobile number', 'services/proof-builder/src/domain/evidence-elements.ts'),
  ADDITIONAL_FILE: submitted('a file that is stored and not evaluated', gateway('uploads')),
  CONSENT: submitted('a consent', 'services/proof-builder/src/domain/elements.ts'),
  ID_DOCUMENT_DATA: unused('data of a document', 'a document submitted as text has the type it states'),
  BIRTH_CERTIFICATE: unused('a birth certificate', 'no endpoint takes it; its file can be an ADDITIONAL_FILE'),
  MARRIAGE_CERTIFICATE: unused('a marriage certificate', 'no endpoint takes it; its file can be an ADDITIONAL_FILE'),
  POLL_CARD: unused('a poll card', 'no endpoint takes it; its file can be an ADDITIONAL_FILE'),
  CERTIFICATE: unused('a certificate', 'no endpoint takes it; its file can be an ADDITIONAL_FILE'),
  MAIL_OTP: unused('a code sent by e-mail', 'a code sent by e-mail makes an evidence of type EMAIL'),
  SMS_OTP: unused('a code sent by SMS', 'a code sent by SMS makes an evidence of type MOBILE_OTP'),
  TRUSTED_ID_CLAIM: unused('what a trusted provider vouched for', 'no provider is attached'),
  ID_CLAIM: unused('an identity the person claims', 'no endpoint takes such claims'),
  PARTNER_ASSESSMENT: unused('what a partner found', 'no endpoint takes it'),
};

/**
 * What each level means under the default policy; which evidence reaches it is counted from
 * the policies.
 */
export const LEVELS: Record<TrustLevel, string> = {
  LEVEL1: 'the floor: something was shown, little of it checked',
  LEVEL2: 'authentic by itself, or confirmed by its issuer',
  LEVEL3: 'both, or a chip whose data its issuer signed',
  LEVEL4: 'a chip that proved to be the one its issuer made',
  LEVEL5: 'beyond what any check here shows',
};
