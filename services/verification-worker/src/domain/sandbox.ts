import {
  INDICATOR_NAMES,
  indicator,
  nameOfIndicator,
  SANDBOX_OUTCOMES,
  type SandboxKind,
  type SandboxOutcome,
  type SandboxPlay,
} from '@assay/contracts';
import type { EvidenceData } from './evidence-data.ts';

/** The indicators of a genuine evidence of each kind under the policy `default`. */
const GENUINE: Readonly<Record<SandboxKind, readonly string[]>> = {
  documentImage: [
    'MODEL_RECOGNIZED_OK',
    'MRZ_PRESENCE_OK',
    'MRZ_CHECKSUMS_OK',
    'MRZ_FIELDS_SYNTAX_OK',
    'DOC_EXPIRATION_DATE_OK',
    'PORTRAIT_OK',
    'VISUAL_SECURITY_UNVERIFIED',
  ],
  documentText: [
    'GIV_ELIGIBILITY_OK',
    'GIV_VERIFICATION_VERIFIED',
    'IDDOCUMENT_NUMBER_COMPARE_OK',
    'FIRSTNAME_COMPARE_OK',
    'SURNAME_COMPARE_OK',
    'BIRTHDATE_COMPARE_OK',
  ],
  healthCard: ['GIV_ELIGIBILITY_OK', 'GIV_VERIFICATION_VERIFIED'],
  documentChip: [
    'PASOD_SIGNATURE_CHECK_OK',
    'PASSIVE_AUTHENTICATION_HASH_CHECK_OK',
    'PASSIVE_AUTHENTICATION_DOCUMENT_SIGNER_CHECK_OK',
    'PASSIVE_AUTHENTICATION_CHECK_OK',
    'ACTIVE_AUTHENTICATION_CHECK_OK',
    'DATA_GROUP1_CHECK_OK',
    'DOC_EXPIRATION_DATE_OK',
  ],
  portrait: ['BIOMETRIC_QUALITY_CHECK_OK', 'BIOMETRIC_MATCHING_CHECK_OK', 'BIOMETRIC_LIVENESS_CHALLENGE_UNVERIFIED'],
};

/** Adds results of checks; a later result of a check replaces an earlier one. */
const inPlace = (raised: readonly string[]): string[] => [
  ...new Map(raised.map((one) => [nameOfIndicator(one), one])).values(),
];

export const playedIndicators = (outcome: SandboxOutcome, more: readonly string[] = []): string[] =>
  inPlace([...GENUINE[outcome.kind], ...outcome.indicators, ...more]);

const ISSUER: readonly string[] = [...INDICATOR_NAMES.issuingSource, ...INDICATOR_NAMES.fieldComparison];
export const isOfIssuer = (one: string): boolean => ISSUER.includes(nameOfIndicator(one));

const MATCHING = indicator('BIOMETRIC_MATCHING_CHECK', 'OK');
export const isOfMatching = (one: string): boolean => nameOfIndicator(one) === nameOfIndicator(MATCHING);

/** The member of a submission that a path with dots names. */
const valueAt = (submission: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], submission);

/** The outcome that the data of a submission select by themselves, without being armed. */
export const playOfData = (kind: SandboxKind, submission: unknown): SandboxPlay | undefined => {
  const outcome = SANDBOX_OUTCOMES.find(
    (one) => one.kind === kind && one.data && valueAt(submission, one.data.field) === one.data.value,
  );
  return outcome && { outcome: outcome.name };
};

const said = (value: string) => ({ value, verified: true });

/**
 * The person that every document of a sandbox names if the outcome is armed and nothing is read.
 */
export const sandboxPerson = (
  type: 'PASSPORT' | 'IDENTITY_CARD' | 'RESIDENT_CARD' | 'DRIVING_LICENSE',
): EvidenceData => {
  const document = { number: 'SBX000001', country: 'UTO' };
  const person = { surname: 'SANDBOX', givenNames: ['ERIKA'], dateOfBirth: '1990-01-01', gender: 'F' };
  const expiryDate = '2099-12-31';
  return {
    idDocumentData: {
      idDocumentType: type,
      idDocumentNumber: document.number,
      issuingCountry: document.country,
      expiryDate,
      personalAttributes: {
        surname: said(person.surname),
        givenNames: person.givenNames.map(said),
        dateOfBirth: said(person.dateOfBirth),
        gender: said(person.gender),
      },
    },
    confirmed: ['surname', 'givenName', 'dateOfBirth', 'gender'],
    proof: {
      data: {
        documentNumber: document.number,
        issuingCountry: document.country,
        expiryDate,
        holderInformation: [person],
      },
    },
    person: { ...person, document: { type, ...document } },
  };
};
