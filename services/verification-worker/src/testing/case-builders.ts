import type { Consent, EvidenceType, ParticipantDetails, VerificationSettings } from '@assay/contracts';
import type { EvidenceKind } from '@assay/policy';
import type { Agreement, CaseFacts, EvidenceFacts, FaceComparison, FieldAgreement } from '../domain/facts.ts';

/** Builders of facts for tests: the minimum of a case. The test adds the rest. */
export const AT = '2026-05-01T10:00:00.000';

export const settingsWith = (more: Partial<VerificationSettings> = {}): VerificationSettings => ({
  policy: { name: 'default', version: '1.0' },
  acceptSpecimens: true,
  issuingSources: { enabled: true, userCategory: 'COMMERCIAL' },
  adjudication: { enabled: false, fourEyes: false, expirySeconds: 3600 },
  ...more,
});

export const consentTo = (...types: Consent['type'][]): Consent[] =>
  types.map((type) => ({ consentId: `consent-of-${type.toLowerCase().padEnd(20, '-')}`, approved: true, type }));

export const participant = (
  participantType: NonNullable<ParticipantDetails['participantType']>,
  raisedIndicators: string[],
  more: Partial<ParticipantDetails> = {},
): ParticipantDetails => ({
  startDateTime: AT,
  endDateTime: AT,
  participantType,
  participantState: 'ACCEPTED',
  raisedIndicators,
  ...more,
});

export const AUTHENTIC = [
  'MODEL_RECOGNIZED_OK',
  'MRZ_CHECKSUMS_OK',
  'MRZ_FIELDS_SYNTAX_OK',
  'DOC_EXPIRATION_DATE_OK',
  'PORTRAIT_OK',
  'VISUAL_SECURITY_UNVERIFIED',
];
export const PARTLY = AUTHENTIC.filter((name) => name !== 'PORTRAIT_OK').concat('PHOTOCOPY_DETECTION_FAILED');

const evidence = (
  evidenceId: string,
  type: EvidenceType,
  kind: EvidenceKind,
  participants: ParticipantDetails[],
  more: Partial<EvidenceFacts> = {},
): EvidenceFacts => ({
  evidenceId,
  type,
  kind,
  submitDateTime: AT,
  settings: settingsWith(),
  consents: consentTo('GIV', 'PORTRAIT'),
  participants,
  extracted: kind.startsWith('document'),
  ...more,
});

const giv = (result: string): ParticipantDetails[] =>
  result === 'NONE' ? [] : [participant('GOV_VERIFICATION', [`GIV_VERIFICATION_${result}`])];

export const documentImage = (
  id: string,
  {
    type = 'IDENTITY_CARD' as EvidenceType,
    raised = AUTHENTIC,
    issuer = 'UNVERIFIED',
    ...more
  }: { type?: EvidenceType; raised?: string[]; issuer?: string } & Partial<EvidenceFacts> = {},
): EvidenceFacts =>
  evidence(id, type, 'documentImage', [participant('IMAGE_OCR', raised), ...giv(issuer)], {
    face: { width: 150 },
    ...more,
  });

/** The indicators that a chip raises that proves itself. */
export const GENUINE = [
  'PASSIVE_AUTHENTICATION_CHECK_OK',
  'DATA_GROUP1_CHECK_OK',
  'DOC_EXPIRATION_DATE_OK',
  'ACTIVE_AUTHENTICATION_CHECK_OK',
];

export const documentChip = (
  id: string,
  {
    type = 'PASSPORT' as EvidenceType,
    raised = GENUINE,
    ...more
  }: { type?: EvidenceType; raised?: string[] } & Partial<EvidenceFacts> = {},
): EvidenceFacts =>
  evidence(id, type, 'documentChip', [participant('NFC_CHIP_VERIFICATION', raised)], { face: { width: 150 }, ...more });

export const documentText = (
  id: string,
  {
    type = 'DRIVING_LICENSE' as EvidenceType,
    issuer = 'VERIFIED',
    ...more
  }: { type?: EvidenceType; issuer?: string } & Partial<EvidenceFacts> = {},
): EvidenceFacts => evidence(id, type, 'documentText', giv(issuer), more);

export const healthCard = (id: string, issuer = 'VERIFIED', more: Partial<EvidenceFacts> = {}): EvidenceFacts =>
  evidence(id, 'MEDICARE', 'healthCard', giv(issuer), more);

export const portrait = (id: string, more: Partial<EvidenceFacts> = {}): EvidenceFacts =>
  evidence(
    id,
    'PORTRAIT',
    'portrait',
    [participant('BIOMETRIC_QUALITY_CHECK', ['BIOMETRIC_QUALITY_CHECK_OK', 'BIOMETRIC_LIVENESS_CHALLENGE_UNVERIFIED'])],
    { face: { width: 300 }, ...more },
  );

export const portraitReference = (id: string, more: Partial<EvidenceFacts> = {}): EvidenceFacts =>
  evidence(
    id,
    'PORTRAIT_REFERENCE',
    'portraitReference',
    [participant('BIOMETRIC_QUALITY_CHECK', ['BIOMETRIC_QUALITY_CHECK_OK'])],
    { face: { width: 300 }, submittedBy: 'RELYING_SERVICE', ...more },
  );

export const statement = (id: string, kind: 'attributes' | 'address', more: Partial<EvidenceFacts> = {}) =>
  evidence(id, kind === 'address' ? 'ADDRESS' : 'ATTRIBUTES', kind, [], more);

export const contact = (id: string, type: 'EMAIL' | 'MOBILE_OTP', more: Partial<EvidenceFacts> = {}) =>
  evidence(
    id,
    type,
    'contact',
    [participant('CLAIM_VERIFICATION', [`${type === 'EMAIL' ? 'EMAIL_OTP' : type}_VALIDATION_OK`])],
    more,
  );

export const compared = (portraitId: string, referenceId: string, distance: number): FaceComparison => ({
  portraitId,
  referenceId,
  distance,
  referenceWidth: 150,
  model: 'test',
  startedAt: AT,
  responseTimeMs: 3,
});

const STATEMENTS = { AGREE: 'ALL', DISAGREE: 'CONTRADICTED', UNKNOWN: 'NONE' } as const;

export const agreement = (a: string, b: string, fields: FieldAgreement, more: Partial<Agreement> = {}): Agreement => ({
  a,
  b,
  surname: fields,
  givenNames: fields,
  dateOfBirth: fields,
  others: 'UNKNOWN',
  address: fields,
  sameDocument: false,
  statement: { all: STATEMENTS[fields], names: STATEMENTS[fields] },
  ...more,
});

/**
 * A case with these evidences. All belong to one person and every portrait matches every document,
 * unless `more` says otherwise.
 */
export const caseOf = (evidences: EvidenceFacts[], more: Partial<CaseFacts> = {}): CaseFacts => ({
  evidences,
  consents: { known: consentTo('GIV', 'PORTRAIT'), revision: 1, deleted: [] },
  comparisons: evidences
    .filter(({ kind }) => kind === 'portrait')
    .flatMap((one) =>
      evidences
        .filter(({ kind, face }) => face && kind !== 'portrait')
        .map((other) => compared(one.evidenceId, other.evidenceId, 0.4)),
    ),
  agreements: evidences.flatMap((one, at) =>
    evidences.slice(at + 1).map((other) => agreement(one.evidenceId, other.evidenceId, 'AGREE')),
  ),
  ...more,
});
