// Made of the OpenAPI document: npm run client:types.
/** A file to send. */
export type Upload = Blob | Uint8Array;
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail?: string;
  instance?: string;
  requestId?: string;
  errors: Array<ErrorObject>;
};
export type ErrorObject = {
  code: string;
  field?: string;
  message?: string;
};
export type IdentityCreated = {
  id: string;
  status: 'EXPECTING_INPUT' | 'EXPECTED_INPUT' | 'PROCESSING' | 'PAUSED' | 'ERROR' | 'TIMEOUT';
  levelOfAssurance: 'LOA0' | 'LOA1' | 'LOA2' | 'LOA3' | 'LOA4' | 'LOA5' | 'LOA6';
  /** UTC, yyyy-MM-ddTHH:mm:ss.SSS */
  creationDateTime: string;
  /** UTC, yyyy-MM-ddTHH:mm:ss.SSS */
  evaluationDateTime: string;
  upgradePaths: Record<
    string,
    Array<
      Array<{
        evidenceTypes: Array<
          | 'PASSPORT'
          | 'IDENTITY_CARD'
          | 'RESIDENT_CARD'
          | 'BIRTH_CERTIFICATE'
          | 'MARRIAGE_CERTIFICATE'
          | 'POLL_CARD'
          | 'ADDRESS'
          | 'EMAIL'
          | 'MOBILE_OTP'
          | 'MAIL_OTP'
          | 'SMS_OTP'
          | 'DRIVING_LICENSE'
          | 'CONSENT'
          | 'ATTRIBUTES'
          | 'ID_DOCUMENT'
          | 'PORTRAIT'
          | 'VISA'
          | 'CERTIFICATE'
          | 'ID_DOCUMENT_DATA'
          | 'TAX_CARD'
          | 'VOTER_CARD'
          | 'TRUSTED_ID_CLAIM'
          | 'ID_CLAIM'
          | 'PORTRAIT_REFERENCE'
          | 'PARTNER_ASSESSMENT'
          | 'ADDITIONAL_FILE'
          | 'MEDICARE'
        >;
        score: 'LEVEL1' | 'LEVEL2' | 'LEVEL3' | 'LEVEL4' | 'LEVEL5';
        with?: Array<string>;
      }>
    >
  >;
};
export type Identity = {
  globalStatus: GlobalStatus;
  consents: Array<Consent>;
  attributes: Array<EvidenceRecord>;
  addresses: Array<EvidenceRecord>;
  idDocuments: Array<EvidenceRecord>;
  portrait?: PortraitRecord;
};
export type GlobalStatus = {
  id: string;
  status: 'EXPECTING_INPUT' | 'EXPECTED_INPUT' | 'PROCESSING' | 'PAUSED' | 'ERROR' | 'TIMEOUT';
  levelOfAssurance: 'LOA0' | 'LOA1' | 'LOA2' | 'LOA3' | 'LOA4' | 'LOA5' | 'LOA6';
  /** UTC, yyyy-MM-ddTHH:mm:ss.SSS */
  creationDateTime: string;
  /** UTC, yyyy-MM-ddTHH:mm:ss.SSS */
  evaluationDateTime?: string;
  nameReferenceEvidenceId?: string;
  portraitReferenceEvidenceId?: string;
  upgradePaths?: Record<
    string,
    Array<
      Array<{
        evidenceTypes: Array<
          | 'PASSPORT'
          | 'IDENTITY_CARD'
          | 'RESIDENT_CARD'
          | 'BIRTH_CERTIFICATE'
          | 'MARRIAGE_CERTIFICATE'
          | 'POLL_CARD'
          | 'ADDRESS'
          | 'EMAIL'
          | 'MOBILE_OTP'
          | 'MAIL_OTP'
          | 'SMS_OTP'
          | 'DRIVING_LICENSE'
          | 'CONSENT'
          | 'ATTRIBUTES'
          | 'ID_DOCUMENT'
          | 'PORTRAIT'
          | 'VISA'
          | 'CERTIFICATE'
          | 'ID_DOCUMENT_DATA'
          | 'TAX_CARD'
          | 'VOTER_CARD'
          | 'TRUSTED_ID_CLAIM'
          | 'ID_CLAIM'
          | 'PORTRAIT_REFERENCE'
          | 'PARTNER_ASSESSMENT'
          | 'ADDITIONAL_FILE'
          | 'MEDICARE'
        >;
        score: 'LEVEL1' | 'LEVEL2' | 'LEVEL3' | 'LEVEL4' | 'LEVEL5';
        with?: Array<string>;
      }>
    >
  >;
};
export type IdentityStatus = {
  globalStatus: GlobalStatus;
  singleStatuses: Array<{
    id: string;
    type:
      | 'PASSPORT'
      | 'IDENTITY_CARD'
      | 'RESIDENT_CARD'
      | 'BIRTH_CERTIFICATE'
      | 'MARRIAGE_CERTIFICATE'
      | 'POLL_CARD'
      | 'ADDRESS'
      | 'EMAIL'
      | 'MOBILE_OTP'
      | 'MAIL_OTP'
      | 'SMS_OTP'
      | 'DRIVING_LICENSE'
      | 'CONSENT'
      | 'ATTRIBUTES'
      | 'ID_DOCUMENT'
      | 'PORTRAIT'
      | 'VISA'
      | 'CERTIFICATE'
      | 'ID_DOCUMENT_DATA'
      | 'TAX_CARD'
      | 'VOTER_CARD'
      | 'TRUSTED_ID_CLAIM'
      | 'ID_CLAIM'
      | 'PORTRAIT_REFERENCE'
      | 'PARTNER_ASSESSMENT'
      | 'ADDITIONAL_FILE'
      | 'MEDICARE';
    status: 'VERIFIED' | 'NOT_VERIFIED' | 'INVALID' | 'PROCESSING' | 'ADJUDICATION';
  }>;
};
export type IdDocumentData = {
  idDocumentType?: string;
  idDocumentNumber?: string;
  issuingCountry?: string;
  issuingState?: string;
  issuingDate?: string;
  expiryDate?: string;
  personalAttributes?: {
    givenNames?: Array<{
      value: string;
      verified: boolean;
    }>;
    surname?: {
      value: string;
      verified: boolean;
    };
    fullname?: {
      value: string;
      verified: boolean;
    };
    dateOfBirth?: {
      value: string;
      verified: boolean;
    };
    gender?: {
      value: string;
      verified: boolean;
    };
    eyeColor?: {
      value: string;
      verified: boolean;
    };
    height?: {
      value: string;
      verified: boolean;
    };
  };
  address?: {
    streetDetails?: {
      streetLines: Array<string>;
      verified: boolean;
    };
    postcode?: string;
    city?: string;
    state?: string;
    country?: string;
    verified?: boolean;
  };
  cardNumber?: string;
  cardType?: string;
  individualReferenceNumber?: number;
  fullname2?: string;
  fullname3?: string;
  fullname4?: string;
};
export type EvidenceRecord = {
  evidenceId: string;
  /** UTC, yyyy-MM-ddTHH:mm:ss.SSS */
  submitDateTime: string;
  type:
    | 'PASSPORT'
    | 'IDENTITY_CARD'
    | 'RESIDENT_CARD'
    | 'BIRTH_CERTIFICATE'
    | 'MARRIAGE_CERTIFICATE'
    | 'POLL_CARD'
    | 'ADDRESS'
    | 'EMAIL'
    | 'MOBILE_OTP'
    | 'MAIL_OTP'
    | 'SMS_OTP'
    | 'DRIVING_LICENSE'
    | 'CONSENT'
    | 'ATTRIBUTES'
    | 'ID_DOCUMENT'
    | 'PORTRAIT'
    | 'VISA'
    | 'CERTIFICATE'
    | 'ID_DOCUMENT_DATA'
    | 'TAX_CARD'
    | 'VOTER_CARD'
    | 'TRUSTED_ID_CLAIM'
    | 'ID_CLAIM'
    | 'PORTRAIT_REFERENCE'
    | 'PARTNER_ASSESSMENT'
    | 'ADDITIONAL_FILE'
    | 'MEDICARE';
  evidenceStatus: EvidenceEvaluation;
  referenceIds?: Array<string>;
  attributesData?: {
    givenNames?: Array<{
      value: string;
      verified: boolean;
    }>;
    surname?: {
      value: string;
      verified: boolean;
    };
    fullname?: {
      value: string;
      verified: boolean;
    };
    dateOfBirth?: {
      value: string;
      verified: boolean;
    };
    gender?: {
      value: string;
      verified: boolean;
    };
    eyeColor?: {
      value: string;
      verified: boolean;
    };
    height?: {
      value: string;
      verified: boolean;
    };
  };
  addressData?: {
    streetDetails?: {
      streetLines: Array<string>;
      verified: boolean;
    };
    postcode?: string;
    city?: string;
    state?: string;
    country?: string;
    verified?: boolean;
  };
  idDocumentData?: IdDocumentData;
};
export type EvidenceEvaluation = {
  /** UTC, yyyy-MM-ddTHH:mm:ss.SSS */
  evaluationDateTime?: string;
  status: 'VERIFIED' | 'NOT_VERIFIED' | 'INVALID' | 'PROCESSING' | 'ADJUDICATION';
  strength?: 'LEVEL1' | 'LEVEL2' | 'LEVEL3' | 'LEVEL4' | 'LEVEL5';
  score?: 'LEVEL1' | 'LEVEL2' | 'LEVEL3' | 'LEVEL4' | 'LEVEL5';
  isAdjudicable?: boolean;
  positiveIndicators?: Array<string>;
  warningIndicators?: Array<string>;
  unverifiedIndicators?: Array<string>;
  errors?: Array<ErrorObject>;
};
export type PortraitRecord = {
  evidenceId: string;
  /** UTC, yyyy-MM-ddTHH:mm:ss.SSS */
  submitDateTime: string;
  type: 'PORTRAIT';
  evidenceStatus: EvidenceEvaluation;
  portraitQuality?: boolean;
  portraitData?: {
    source?: string;
    channel?: string;
  };
};
export type EvidenceStatus = {
  id: string;
  type:
    | 'PASSPORT'
    | 'IDENTITY_CARD'
    | 'RESIDENT_CARD'
    | 'BIRTH_CERTIFICATE'
    | 'MARRIAGE_CERTIFICATE'
    | 'POLL_CARD'
    | 'ADDRESS'
    | 'EMAIL'
    | 'MOBILE_OTP'
    | 'MAIL_OTP'
    | 'SMS_OTP'
    | 'DRIVING_LICENSE'
    | 'CONSENT'
    | 'ATTRIBUTES'
    | 'ID_DOCUMENT'
    | 'PORTRAIT'
    | 'VISA'
    | 'CERTIFICATE'
    | 'ID_DOCUMENT_DATA'
    | 'TAX_CARD'
    | 'VOTER_CARD'
    | 'TRUSTED_ID_CLAIM'
    | 'ID_CLAIM'
    | 'PORTRAIT_REFERENCE'
    | 'PARTNER_ASSESSMENT'
    | 'ADDITIONAL_FILE'
    | 'MEDICARE';
  status: 'VERIFIED' | 'NOT_VERIFIED' | 'INVALID' | 'PROCESSING' | 'ADJUDICATION';
  errors?: Array<ErrorObject>;
};
export type Submission = {
  status: 'VERIFIED' | 'NOT_VERIFIED' | 'INVALID' | 'PROCESSING' | 'ADJUDICATION';
  type:
    | 'PASSPORT'
    | 'IDENTITY_CARD'
    | 'RESIDENT_CARD'
    | 'BIRTH_CERTIFICATE'
    | 'MARRIAGE_CERTIFICATE'
    | 'POLL_CARD'
    | 'ADDRESS'
    | 'EMAIL'
    | 'MOBILE_OTP'
    | 'MAIL_OTP'
    | 'SMS_OTP'
    | 'DRIVING_LICENSE'
    | 'CONSENT'
    | 'ATTRIBUTES'
    | 'ID_DOCUMENT'
    | 'PORTRAIT'
    | 'VISA'
    | 'CERTIFICATE'
    | 'ID_DOCUMENT_DATA'
    | 'TAX_CARD'
    | 'VOTER_CARD'
    | 'TRUSTED_ID_CLAIM'
    | 'ID_CLAIM'
    | 'PORTRAIT_REFERENCE'
    | 'PARTNER_ASSESSMENT'
    | 'ADDITIONAL_FILE'
    | 'MEDICARE';
  id: string;
};
export type ConsentRequest = {
  approved: boolean;
  type:
    | 'ATTRIBUTES'
    | 'ID_DOCUMENT'
    | 'PORTRAIT'
    | 'ADDRESS'
    | 'EMAIL'
    | 'EMAIL_OTP'
    | 'LANDLINE'
    | 'MOBILE'
    | 'MOBILE_OTP'
    | 'VISA'
    | 'GIV'
    | 'ID_CLAIM';
  validityPeriod?: {
    /** A date, YYYY-MM-DD */
    from?: string;
    /** A date, YYYY-MM-DD */
    to?: string;
  };
};
export type Consent = {
  consentId: string;
  approved: boolean;
  type:
    | 'ATTRIBUTES'
    | 'ID_DOCUMENT'
    | 'PORTRAIT'
    | 'ADDRESS'
    | 'EMAIL'
    | 'EMAIL_OTP'
    | 'LANDLINE'
    | 'MOBILE'
    | 'MOBILE_OTP'
    | 'VISA'
    | 'GIV'
    | 'ID_CLAIM';
  validityPeriod?: {
    /** A date, YYYY-MM-DD */
    from?: string;
    /** A date, YYYY-MM-DD */
    to?: string;
  };
};
export type DocumentText = {
  idDocumentType: 'DRIVING_LICENSE' | 'IDENTITY_CARD' | 'PASSPORT' | 'RESIDENT_CARD' | 'VISA';
  idDocumentNumber: string;
  /** ISO 3166-1 alpha-3, or a code of ICAO 9303 */
  issuingCountry: string;
  issuingState?: string;
  /** A date, not in the future */
  issuingDate?: string;
  /** A date, YYYY-MM-DD */
  expiryDate?: string;
  cardNumber?: string;
  /** ISO 3166-1 alpha-3, or a code of ICAO 9303 */
  passportCountry?: string;
  personalAttributes: {
    dateOfBirth: {
      /** A date since 1900, not in the future */
      value: string;
    };
    givenNames: Array<{
      value: string;
    }>;
    surname: {
      value: string;
    };
    fullname?: {
      value: string;
    };
    gender?: {
      value: 'M' | 'F' | 'X';
    };
    height?: {
      value: string;
    };
    eyeColor?: {
      value: string;
    };
  };
  address?: {
    streetDetails?: {
      streetLines?: Array<string>;
    };
    city?: string;
    state?: string;
    postcode?: string;
    /** ISO 3166-1 alpha-3, or a code of ICAO 9303 */
    country?: string;
  };
};
export type HealthCard = {
  cardNumber: string;
  cardType: 'B' | 'G' | 'Y';
  /** ISO 3166-1 alpha-3, or a code of ICAO 9303 */
  issuingCountry?: string;
  /** A date, YYYY-MM-DD */
  expiryDate: string;
  individualReferenceNumber?: number;
  fullname2?: string;
  fullname3?: string;
  fullname4?: string;
  personalAttributes: {
    fullname: {
      value: string;
    };
    dateOfBirth: {
      /** A date since 1900, not in the future */
      value: string;
    };
  };
};
export type Attributes = {
  givenNames?: Array<{
    value: string;
  }>;
  surname?: {
    value: string;
  };
  dateOfBirth?: {
    /** A date since 1900, not in the future */
    value: string;
  };
  fullname?: {
    value: string;
  };
  gender?: {
    value: 'M' | 'F' | 'X';
  };
  height?: {
    value: string;
  };
  eyeColor?: {
    value: string;
  };
};
export type Address = {
  streetDetails?: {
    streetLines?: Array<string>;
  };
  city?: string;
  state?: string;
  postcode?: string;
  /** ISO 3166-1 alpha-3, or a code of ICAO 9303 */
  country?: string;
};
export type ChipSessionRequest = {
  idDocumentType?:
    | 'PASSPORT'
    | 'DRIVING_LICENSE'
    | 'RESIDENT_CARD'
    | 'IDENTITY_CARD'
    | 'TAX_CARD'
    | 'VOTER_CARD'
    | 'ID_DOCUMENT'
    | 'UNKNOWN';
  /** ISO 3166-1 alpha-3, or a code of ICAO 9303 */
  issuingCountry?: string;
  /** the id of a document by images, as its submission answered it */
  evidenceId?: string;
};
export type ChipSession = {
  status: 'VERIFIED' | 'NOT_VERIFIED' | 'INVALID' | 'PROCESSING' | 'ADJUDICATION';
  type:
    | 'PASSPORT'
    | 'IDENTITY_CARD'
    | 'RESIDENT_CARD'
    | 'BIRTH_CERTIFICATE'
    | 'MARRIAGE_CERTIFICATE'
    | 'POLL_CARD'
    | 'ADDRESS'
    | 'EMAIL'
    | 'MOBILE_OTP'
    | 'MAIL_OTP'
    | 'SMS_OTP'
    | 'DRIVING_LICENSE'
    | 'CONSENT'
    | 'ATTRIBUTES'
    | 'ID_DOCUMENT'
    | 'PORTRAIT'
    | 'VISA'
    | 'CERTIFICATE'
    | 'ID_DOCUMENT_DATA'
    | 'TAX_CARD'
    | 'VOTER_CARD'
    | 'TRUSTED_ID_CLAIM'
    | 'ID_CLAIM'
    | 'PORTRAIT_REFERENCE'
    | 'PARTNER_ASSESSMENT'
    | 'ADDITIONAL_FILE'
    | 'MEDICARE';
  id: string;
  sessionId: string;
  expireAt: string;
  dataGroups: Array<number>;
  /** 8 bytes, base64; used once */
  activeAuthenticationChallenge: string;
  /** what opens the chip, as the access protocols take it: dates are YYMMDD */
  accessKey?: {
    documentNumber: string;
    dateOfBirth: string;
    dateOfExpiry: string;
  };
};
export type ChipData = {
  /** base64, standard alphabet */
  documentSecurityObject?: string;
  dataGroups?: Record<string, string>;
  /** base64, standard alphabet */
  comFile?: string;
  /** base64, standard alphabet */
  cardAccess?: string;
  /** base64, standard alphabet */
  cardSecurity?: string;
  accessProtocol?: 'NONE' | 'BAC' | 'PACE' | 'PACE_CAM';
  /** base64, standard alphabet */
  activeAuthenticationResponse?: string;
  chipAuthentication?: {
    /** base64, standard alphabet */
    response: string;
    /** base64, standard alphabet */
    command?: string;
  };
  reader?: {
    application?: string;
    version?: string;
    osType?: string;
    osVersion?: string;
    deviceModel?: string;
  };
  errors?: Array<{
    code: string;
    message?: string;
  }>;
};
export type SandboxPlay = {
  outcome: string;
  /** further indicators, in place of the outcome's of the same check */
  indicators?: Array<string>;
  /** PROCESSING for this long */
  delaySeconds?: number;
  /** first attempts of its webhook that fail with 500, unsent */
  webhookFailures?: number;
};
export type CaseSummary = {
  caseId: string;
  identityId: string;
  evidenceId: string;
  type: string;
  state: 'OPEN' | 'CLAIMED' | 'DECIDED';
  requestedAt: string;
  expiresAt: string;
  claimedBy?: string;
  claimedByName?: string;
  /** from then on another operator may claim the case; claiming it again renews the claim */
  claimedUntil?: string;
  fourEyes: boolean;
  decisions: Array<{
    /** a person where one is known, else a key */
    operatorId: string;
    operatorName?: string;
    decision: 'ACCEPT' | 'REJECT';
    reasons: Array<string>;
    at: string;
  }>;
  reasons: Array<string>;
  /** ACCEPT, REJECT, EXPIRED, or CLOSED when the question ended first */
  decision?: string;
  /** why the question ended; with the decision CLOSED */
  closedBecause?:
    | 'CONSENT_WITHDRAWN'
    | 'REFERENCE_CHANGED'
    | 'EVALUATED_OTHERWISE'
    | 'EVIDENCE_DELETED'
    | 'IDENTITY_FAILED'
    | 'IDENTITY_CLOSED';
};
export type Case = {
  caseId: string;
  identityId: string;
  evidenceId: string;
  type: string;
  state: 'OPEN' | 'CLAIMED' | 'DECIDED';
  requestedAt: string;
  expiresAt: string;
  claimedBy?: string;
  claimedByName?: string;
  /** from then on another operator may claim the case; claiming it again renews the claim */
  claimedUntil?: string;
  fourEyes: boolean;
  decisions: Array<{
    /** a person where one is known, else a key */
    operatorId: string;
    operatorName?: string;
    decision: 'ACCEPT' | 'REJECT';
    reasons: Array<string>;
    at: string;
    /** gone once the identity is closed */
    comment?: string;
  }>;
  reasons: Array<string>;
  /** ACCEPT, REJECT, EXPIRED, or CLOSED when the question ended first */
  decision?: string;
  /** why the question ended; with the decision CLOSED */
  closedBecause?:
    | 'CONSENT_WITHDRAWN'
    | 'REFERENCE_CHANGED'
    | 'EVALUATED_OTHERWISE'
    | 'EVIDENCE_DELETED'
    | 'IDENTITY_FAILED'
    | 'IDENTITY_CLOSED';
  /** what the relying service calls the person */
  businessId?: string;
  submitDateTime: string;
  raisedIndicators: Array<string>;
  fields: Record<string, unknown>;
  /** where print differs from the machine-readable part, as far as read */
  places?: Array<{
    field: 'surname' | 'givenNames' | 'idDocumentNumber' | 'dateOfBirth' | 'expiryDate' | 'issuingDate' | 'gender';
    side: 'FRONT' | 'BACK';
    /** what was read there */
    printed: string;
    left: number;
    top: number;
    width: number;
    height: number;
  }>;
  media: Array<{
    mediaId: string;
    label: string;
  }>;
  similarity?: {
    distance: number;
    samePhoto: number;
    match: number;
    refuse: number;
  };
  /** chips of the identity, as they were when the case began */
  chips?: Array<{
    evidenceId: string;
    status: 'VERIFIED' | 'NOT_VERIFIED' | 'INVALID' | 'PROCESSING' | 'ADJUDICATION';
    raisedIndicators: Array<string>;
  }>;
};
export type EvaluationNotification = {
  event: 'Evaluation';
  identityId: string;
  businessId?: string;
  identityStatus: 'EXPECTING_INPUT' | 'EXPECTED_INPUT' | 'PROCESSING' | 'PAUSED' | 'ERROR' | 'TIMEOUT';
  /** UTC, yyyy-MM-ddTHH:mm:ss.SSS */
  completedAt: string;
  evidence: {
    evidenceId: string;
    evidenceType:
      | 'PASSPORT'
      | 'IDENTITY_CARD'
      | 'RESIDENT_CARD'
      | 'BIRTH_CERTIFICATE'
      | 'MARRIAGE_CERTIFICATE'
      | 'POLL_CARD'
      | 'ADDRESS'
      | 'EMAIL'
      | 'MOBILE_OTP'
      | 'MAIL_OTP'
      | 'SMS_OTP'
      | 'DRIVING_LICENSE'
      | 'CONSENT'
      | 'ATTRIBUTES'
      | 'ID_DOCUMENT'
      | 'PORTRAIT'
      | 'VISA'
      | 'CERTIFICATE'
      | 'ID_DOCUMENT_DATA'
      | 'TAX_CARD'
      | 'VOTER_CARD'
      | 'TRUSTED_ID_CLAIM'
      | 'ID_CLAIM'
      | 'PORTRAIT_REFERENCE'
      | 'PARTNER_ASSESSMENT'
      | 'ADDITIONAL_FILE'
      | 'MEDICARE';
    evidenceOperation: 'CREATED' | 'DELETED' | 'UPDATED';
  };
};
export type StatusNotification = {
  event: 'IdentityStatusUpdate';
  identityId: string;
  businessId?: string;
  identityStatus: 'EXPECTING_INPUT' | 'EXPECTED_INPUT' | 'PROCESSING' | 'PAUSED' | 'ERROR' | 'TIMEOUT';
  /** UTC, yyyy-MM-ddTHH:mm:ss.SSS */
  expireAt?: string;
  /** UTC, yyyy-MM-ddTHH:mm:ss.SSS */
  completedAt?: string;
};

/** Every call of the API by its operationId. */
export interface Operations {
  /** Whether the service answers */
  healthcheck: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: {
      status: 'UP';
      version: string;
    };
  };
  /** The keys that verify proofs */
  jwks: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: {
      keys: Array<{
        kty: string;
        kid: string;
        n: string;
        e: string;
      }>;
    };
  };
  /** The current key that verifies proofs */
  signingKey: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: Uint8Array;
  };
  /** The current key that verifies proofs, in a self-signed certificate */
  signingCertificate: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: Uint8Array;
  };
  /** Names of the JSON Schemas of a proof */
  schemas: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: {
      items: Array<string>;
    };
  };
  /** The JSON Schema of one file of a proof */
  schema: {
    path: { name: string };
    query: Record<string, never>;
    body?: undefined;
    reply: unknown;
  };
  /** Create an identity */
  createIdentity: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: {
      context?: Array<{
        key: string;
        value: string;
      }>;
      businessId?: string;
      email?: string;
      mobile?: string;
      landline?: string;
      language?: string;
      username?: string;
    };
    reply: IdentityCreated;
  };
  /** Retrieve an identity; a user agent sees a reduced evidenceStatus */
  getIdentity: {
    path: { identityId: string };
    query: { /** accepted; the reply is the same */ detailed?: string };
    body?: undefined;
    reply: Identity;
  };
  /** Delete an identity and everything gathered for it */
  deleteIdentity: {
    path: { identityId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: undefined;
  };
  /** Status of the identity and of each evidence */
  getIdentityStatus: {
    path: { identityId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: IdentityStatus;
  };
  /** Resume a paused identity */
  resumeIdentity: {
    path: { identityId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: GlobalStatus;
  };
  /** Retrieve the proof archive; ends the session */
  getProof: {
    path: { identityId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: Uint8Array;
  };
  /** Signed receipt of the deletion of a closed identity, as long as its tombstone is kept */
  getDeletionReceipt: {
    path: { identityId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: {
      identityId: string;
      tenantId: string;
      reason: 'PROOF_RETRIEVED' | 'TIMEOUT' | 'DELETED' | 'ERROR';
      createdAt: string;
      closedAt: string;
      keyDestroyed: boolean;
      proofId?: string;
      receipt: {
        jws: string;
        kid: string;
      };
    };
  };
  /** Record consents */
  submitConsents: {
    path: { identityId: string };
    query: Record<string, never>;
    body: Array<ConsentRequest>;
    reply: Array<Consent>;
  };
  /** Withdraw a consent */
  deleteConsent: {
    path: { identityId: string; consentId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: undefined;
  };
  /** Submit document images */
  captureDocument: {
    path: { identityId: string };
    query: Record<string, never>;
    body: {
      /** Front image */
      DocumentFront: Upload;
      /** Back image */
      DocumentBack?: Upload;
      /** JSON: jurisdiction, documentType, source */
      DocumentCaptureDetails?: Upload;
    };
    reply: Submission;
  };
  /** Submit document data as text */
  submitDocument: {
    path: { identityId: string };
    query: Record<string, never>;
    body: DocumentText;
    reply: Submission;
  };
  /** Submit an Australian health-card record */
  submitHealthCard: {
    path: { identityId: string };
    query: Record<string, never>;
    body: HealthCard;
    reply: Submission;
  };
  /** Submit a portrait */
  capturePortrait: {
    path: { identityId: string };
    query: Record<string, never>;
    body: {
      /** The selfie */
      Portrait: Upload;
    };
    reply: Submission;
  };
  /** The portrait as uploaded */
  getPortraitCapture: {
    path: { identityId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: Uint8Array;
  };
  /** The images of a document as uploaded */
  getDocumentCapture: {
    path: { identityId: string; evidenceId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: Uint8Array;
  };
  /** Status of one evidence */
  getEvidenceStatus: {
    path: { identityId: string; evidenceId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: EvidenceStatus;
  };
  /** Status of one evidence */
  getEvidenceStatusAlias: {
    path: { identityId: string; evidenceId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: EvidenceStatus;
  };
  /** Delete an evidence */
  deleteEvidence: {
    path: { identityId: string; evidenceId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: undefined;
  };
  /** Submit attributes */
  submitAttributes: {
    path: { identityId: string };
    query: Record<string, never>;
    body: Attributes;
    reply: Submission;
  };
  /** Submit an address */
  submitAddress: {
    path: { identityId: string };
    query: Record<string, never>;
    body: Address;
    reply: Submission;
  };
  /** Submit a portrait to compare the selfie with, where there is no document */
  submitPortraitReference: {
    path: { identityId: string };
    query: Record<string, never>;
    body: {
      /** The reference */
      Portrait: Upload;
    };
    reply: Submission;
  };
  /** Submit files that are kept for the proof */
  submitAdditionalFiles: {
    path: { identityId: string };
    query: Record<string, never>;
    body: {
      /** A file */
      File: Array<Upload>;
      /** JSON array of {key, value} */
      Metadata?: string;
    };
    reply: Submission;
  };
  /** Give a contact; a one-time code is sent to it */
  startEmailCode: {
    path: { identityId: string };
    query: Record<string, never>;
    body: {
      /** one plain address: no list, group, comment or quoted part */
      value: string;
      /** a language, such as de or pt-BR */
      language?: string;
      system?: string;
    };
    reply: {
      status: 'VERIFIED' | 'NOT_VERIFIED' | 'INVALID' | 'PROCESSING' | 'ADJUDICATION';
      type: 'EMAIL' | 'MOBILE_OTP';
      id: string;
      otp: {
        status: 'INITIATE' | 'NOT_INITIATED' | 'PENDING' | 'PROCESSING' | 'DONE' | 'ERROR' | 'TIMEOUT';
        creationTime: string;
        /** seconds the code is good for */
        timeout: number;
      };
    };
  };
  /** State of the contact and of its code */
  getEmail: {
    path: { identityId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: {
      status: 'VERIFIED' | 'NOT_VERIFIED' | 'INVALID' | 'PROCESSING' | 'ADJUDICATION';
      type: 'EMAIL' | 'MOBILE_OTP';
      id: string;
      otp: {
        status: 'INITIATE' | 'NOT_INITIATED' | 'PENDING' | 'PROCESSING' | 'DONE' | 'ERROR' | 'TIMEOUT';
        creationTime: string;
        /** seconds the code is good for */
        timeout: number;
      };
    };
  };
  /** Give the one-time code back */
  verifyEmailCode: {
    path: { identityId: string };
    query: Record<string, never>;
    body: {
      /** the code, 4 to 10 digits */
      otp: string;
    };
    reply: Submission;
  };
  /** Give a contact; a one-time code is sent to it */
  startMobileCode: {
    path: { identityId: string };
    query: Record<string, never>;
    body: {
      /** a telephone number of 6 to 27 characters, six of them digits, such as +49 170 1234567 */
      value: string;
      /** a language, such as de or pt-BR */
      language?: string;
      system?: string;
    };
    reply: {
      status: 'VERIFIED' | 'NOT_VERIFIED' | 'INVALID' | 'PROCESSING' | 'ADJUDICATION';
      type: 'EMAIL' | 'MOBILE_OTP';
      id: string;
      otp: {
        status: 'INITIATE' | 'NOT_INITIATED' | 'PENDING' | 'PROCESSING' | 'DONE' | 'ERROR' | 'TIMEOUT';
        creationTime: string;
        /** seconds the code is good for */
        timeout: number;
      };
    };
  };
  /** State of the contact and of its code */
  getMobile: {
    path: { identityId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: {
      status: 'VERIFIED' | 'NOT_VERIFIED' | 'INVALID' | 'PROCESSING' | 'ADJUDICATION';
      type: 'EMAIL' | 'MOBILE_OTP';
      id: string;
      otp: {
        status: 'INITIATE' | 'NOT_INITIATED' | 'PENDING' | 'PROCESSING' | 'DONE' | 'ERROR' | 'TIMEOUT';
        creationTime: string;
        /** seconds the code is good for */
        timeout: number;
      };
    };
  };
  /** Give the one-time code back */
  verifyMobileCode: {
    path: { identityId: string };
    query: Record<string, never>;
    body: {
      /** the code, 4 to 10 digits */
      otp: string;
    };
    reply: Submission;
  };
  /** Begin a live capture of the portrait */
  startPortraitSession: {
    path: { identityId: string };
    query: Record<string, never>;
    body: {
      type: 'LIVENESS_PASSIVE' | 'LIVENESS_PASSIVE_VIDEO' | 'LIVENESS_HIGH';
      securityLevel?: string;
      nbChallenge?: number;
    };
    reply: {
      status: 'VERIFIED' | 'NOT_VERIFIED' | 'INVALID' | 'PROCESSING' | 'ADJUDICATION';
      type:
        | 'PASSPORT'
        | 'IDENTITY_CARD'
        | 'RESIDENT_CARD'
        | 'BIRTH_CERTIFICATE'
        | 'MARRIAGE_CERTIFICATE'
        | 'POLL_CARD'
        | 'ADDRESS'
        | 'EMAIL'
        | 'MOBILE_OTP'
        | 'MAIL_OTP'
        | 'SMS_OTP'
        | 'DRIVING_LICENSE'
        | 'CONSENT'
        | 'ATTRIBUTES'
        | 'ID_DOCUMENT'
        | 'PORTRAIT'
        | 'VISA'
        | 'CERTIFICATE'
        | 'ID_DOCUMENT_DATA'
        | 'TAX_CARD'
        | 'VOTER_CARD'
        | 'TRUSTED_ID_CLAIM'
        | 'ID_CLAIM'
        | 'PORTRAIT_REFERENCE'
        | 'PARTNER_ASSESSMENT'
        | 'ADDITIONAL_FILE'
        | 'MEDICARE';
      id: string;
      sessionId: string;
      livenessParameters: {
        type: 'LIVENESS_PASSIVE' | 'LIVENESS_PASSIVE_VIDEO' | 'LIVENESS_HIGH';
        securityLevel: string;
        nbChallenge: number;
        /** seconds the session stays open */
        timeout: number;
      };
    };
  };
  /** Begin a live capture of a document */
  startDocumentSession: {
    path: { identityId: string };
    query: Record<string, never>;
    body: {
      idDocumentType:
        | 'PASSPORT'
        | 'DRIVING_LICENSE'
        | 'RESIDENT_CARD'
        | 'IDENTITY_CARD'
        | 'TAX_CARD'
        | 'VOTER_CARD'
        | 'ID_DOCUMENT'
        | 'UNKNOWN';
      /** ISO 3166-1 alpha-3, or a code of ICAO 9303 */
      issuingCountry?: string;
    };
    reply: {
      status: 'VERIFIED' | 'NOT_VERIFIED' | 'INVALID' | 'PROCESSING' | 'ADJUDICATION';
      type:
        | 'PASSPORT'
        | 'IDENTITY_CARD'
        | 'RESIDENT_CARD'
        | 'BIRTH_CERTIFICATE'
        | 'MARRIAGE_CERTIFICATE'
        | 'POLL_CARD'
        | 'ADDRESS'
        | 'EMAIL'
        | 'MOBILE_OTP'
        | 'MAIL_OTP'
        | 'SMS_OTP'
        | 'DRIVING_LICENSE'
        | 'CONSENT'
        | 'ATTRIBUTES'
        | 'ID_DOCUMENT'
        | 'PORTRAIT'
        | 'VISA'
        | 'CERTIFICATE'
        | 'ID_DOCUMENT_DATA'
        | 'TAX_CARD'
        | 'VOTER_CARD'
        | 'TRUSTED_ID_CLAIM'
        | 'ID_CLAIM'
        | 'PORTRAIT_REFERENCE'
        | 'PARTNER_ASSESSMENT'
        | 'ADDITIONAL_FILE'
        | 'MEDICARE';
      id: string;
      sessionId: string;
      sidesToCapture: Array<'FRONT' | 'BACK'>;
    };
  };
  /** Add frames to a session */
  addFrames: {
    path: { sessionId: string };
    query: Record<string, never>;
    body: {
      /** A frame */
      Frame?: Array<Upload>;
      /** The video, kept where the tenant keeps videos */
      Video?: Upload;
      /** FRONT or BACK, for documents */
      side?: string;
    };
    reply: {
      status: 'VERIFIED' | 'NOT_VERIFIED' | 'INVALID' | 'PROCESSING' | 'ADJUDICATION';
      type:
        | 'PASSPORT'
        | 'IDENTITY_CARD'
        | 'RESIDENT_CARD'
        | 'BIRTH_CERTIFICATE'
        | 'MARRIAGE_CERTIFICATE'
        | 'POLL_CARD'
        | 'ADDRESS'
        | 'EMAIL'
        | 'MOBILE_OTP'
        | 'MAIL_OTP'
        | 'SMS_OTP'
        | 'DRIVING_LICENSE'
        | 'CONSENT'
        | 'ATTRIBUTES'
        | 'ID_DOCUMENT'
        | 'PORTRAIT'
        | 'VISA'
        | 'CERTIFICATE'
        | 'ID_DOCUMENT_DATA'
        | 'TAX_CARD'
        | 'VOTER_CARD'
        | 'TRUSTED_ID_CLAIM'
        | 'ID_CLAIM'
        | 'PORTRAIT_REFERENCE'
        | 'PARTNER_ASSESSMENT'
        | 'ADDITIONAL_FILE'
        | 'MEDICARE';
      id: string;
      sessionId: string;
      /** frames the session has */
      frames: number;
    };
  };
  /** End a session: the best frames are submitted */
  endSession: {
    path: { sessionId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: Submission;
  };
  /** Give one device leave to act for this identity */
  createUserAgentSession: {
    path: { identityId: string };
    query: Record<string, never>;
    body?: {
      /** 1800 by default */
      expiresInSeconds?: number;
      /** with an origin of allowedOrigins */
      returnUrl?: string;
      /** a language, such as de or pt-BR */
      locale?: string;
      steps?: Array<'DOCUMENT' | 'CHIP' | 'PORTRAIT' | 'EMAIL' | 'MOBILE'>;
      /** some of the tenant's; all of them by default */
      allowedOrigins?: Array<string>;
    };
    reply: {
      sessionId: string;
      /** shown this once; sent as Authorization: Bearer */
      token: string;
      /** the capture page, with the token in the fragment */
      url: string;
      expireAt: string;
    };
  };
  /** Move the session to another device; asked with the token of the session */
  handOverUserAgentSession: {
    path: { identityId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: {
      sessionId: string;
      /** shown this once; sent as Authorization: Bearer */
      token: string;
      /** the capture page, with the token in the fragment */
      url: string;
      expireAt: string;
    };
  };
  /** What became of a handover; asked with the token that handed over */
  getHandover: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: {
      /** WAITING: its address was not opened yet; TAKEN: another device has the session; DONE: all steps are done there */
      handover: 'NONE' | 'WAITING' | 'TAKEN' | 'DONE';
    };
  };
  /** Go on at the device that handed over; the token of the other becomes invalid */
  takeBackUserAgentSession: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: {
      /** WAITING: its address was not opened yet; TAKEN: another device has the session; DONE: all steps are done there */
      handover: 'NONE' | 'WAITING' | 'TAKEN' | 'DONE';
    };
  };
  /** Say that the person has been through all steps; a device that handed over goes on */
  finishUserAgentSession: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: undefined;
  };
  /** End a session */
  deleteUserAgentSession: {
    path: { identityId: string; sessionId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: undefined;
  };
  /** The session whose token asks */
  getUserAgentSession: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: {
      identityId: string;
      steps: Array<'DOCUMENT' | 'CHIP' | 'PORTRAIT' | 'EMAIL' | 'MOBILE'>;
      locale?: string;
      returnUrl?: string;
      expireAt: string;
      /** documents by images and chips, oldest first; absent while there is no evidence at all */
      evidenceIds?: {
        DOCUMENT: Array<string>;
        CHIP: Array<string>;
      };
      /** the tenant's settings of the capture page */
      page: {
        /** who asks people for their identity */
        name?: string;
        /** an https address, or the image itself as data:image/png;base64,...; shown 32 pixels high */
        logoUrl?: string;
        /** #rrggbb; made lighter or darker where it could not be read */
        colour?: string;
        beginText?: {
          /** in place of the first sentence */
          en?: string;
          /** in place of the first sentence */
          de?: string;
          /** in place of the first sentence */
          fr?: string;
          /** in place of the first sentence */
          es?: string;
          /** in place of the first sentence */
          pt?: string;
          /** in place of the first sentence */
          ar?: string;
          /** in place of the first sentence */
          ja?: string;
        };
        finishText?: {
          /** in place of the last sentence */
          en?: string;
          /** in place of the last sentence */
          de?: string;
          /** in place of the last sentence */
          fr?: string;
          /** in place of the last sentence */
          es?: string;
          /** in place of the last sentence */
          pt?: string;
          /** in place of the last sentence */
          ar?: string;
          /** in place of the last sentence */
          ja?: string;
        };
        /** exact origins whose pages may show the capture page in a frame */
        embedders?: Array<string>;
        /** the https address or own scheme that opens your app for reading chips; without it the step CHIP is passed over */
        chipReader?: string;
      };
    };
  };
  /** Begin to read the chip of a document */
  startChipSession: {
    path: { identityId: string };
    query: Record<string, never>;
    body?: ChipSessionRequest;
    reply: ChipSession;
  };
  /** Begin chip authentication: a key of the server, and the command only it can protect */
  authenticateChip: {
    path: { sessionId: string };
    query: Record<string, never>;
    body: {
      /** base64, standard alphabet */
      dataGroup14: string;
    };
    reply: {
      /** dotted OID */
      protocol: string;
      keyId?: number;
      /** 04||x||y, base64 */
      terminalPublicKey: string;
      /** the first protected command, base64; the last exchange of the reader */
      command: string;
    };
  };
  /** Submit what was read of the chip, once */
  submitChip: {
    path: { sessionId: string };
    query: Record<string, never>;
    body: ChipData;
    reply: Submission;
  };
  /** Documents that can be submitted, by country */
  listSupportedEvidence: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: Array<{
      iso3CountryCode: string;
      documents: Array<{
        documentType: string;
        /** Of ISO/IEC 7810: ID1 or ID3 */
        format: string;
        liveVideoCaptureSupported: boolean;
      }>;
    }>;
  };
  /** Documents of one country that can be submitted */
  getSupportedEvidence: {
    path: { iso3CountryCode: string };
    query: Record<string, never>;
    body?: undefined;
    reply: {
      iso3CountryCode: string;
      documents: Array<{
        documentType: string;
        /** Of ISO/IEC 7810: ID1 or ID3 */
        format: string;
        liveVideoCaptureSupported: boolean;
      }>;
    };
  };
  /** The outcomes a sandbox tenant can have on purpose */
  listSandboxOutcomes: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: {
      items: Array<{
        outcome: string;
        /** what has to be submitted */
        kind: 'documentImage' | 'documentText' | 'healthCard' | 'documentChip' | 'portrait' | 'oneTimeCode';
        description: string;
        /** what the evidence comes to under the policy default */
        status: string;
        score?: string;
        errorCode?: string;
        /** those that differ from a genuine evidence */
        indicators: Array<string>;
        /** outcome of a document that comes first, or a consent */
        needs?: string;
        /** a submission with this value plays it without being armed */
        data?: {
          field: string;
          value: string;
        };
        /** an image that comes to it without being armed */
        specimen?: string;
      }>;
    };
  };
  /** Arm the outcome of the next submission of its kind; sandbox tenants only */
  armSandboxOutcome: {
    path: { identityId: string };
    query: Record<string, never>;
    body: SandboxPlay;
    reply: SandboxPlay;
  };
  /** Who asks, as cases name their operators */
  getOperator: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: {
      operatorId: string;
      name?: string;
      session?: {
        /** its end, whatever it is used for */
        expireAt: string;
        /** after so long without an act of the person it ends */
        idleSeconds: number;
      };
      /** whether cases come to the operators of this tenant at all */
      adjudicationEnabled: boolean;
    };
  };
  /** Cases by state: the longest waiting first, of decided ones the newest */
  listCases: {
    path: Record<string, never>;
    query: {
      /** OPEN (by default), CLAIMED or DECIDED */ state?: string /** from the page before */;
      cursor?: string /** 1 to 200, 50 by default */;
      limit?: string;
    };
    body?: undefined;
    reply: {
      items: Array<CaseSummary>;
      /** for the next page */
      cursor?: string;
    };
  };
  /** Counts of the tenant's cases */
  getStatistics: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: {
      open: number;
      claimed: number;
      decided: number;
      accepted: number;
      rejected: number;
      medianDecisionSeconds?: number;
      /** the last 30, oldest first */
      days: Array<{
        date: string;
        opened: number;
        accepted: number;
        rejected: number;
        undecided: number;
        medianWaitSeconds?: number;
      }>;
      /** in the same days, where there were cases */
      reasons: Array<{
        date: string;
        /** why the cases came to operators */
        reason: string;
        opened: number;
        accepted: number;
        rejected: number;
        undecided: number;
      }>;
      /** in the same days, who decided */
      operators: Array<{
        date: string;
        operatorId: string;
        operatorName?: string;
        accepted: number;
        rejected: number;
        /** from claim to decision */
        medianDecisionSeconds: number;
      }>;
    };
  };
  /** One case with what was read and raised */
  getCase: {
    path: { caseId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: Case;
  };
  /** An image of the case */
  getCaseMedium: {
    path: { caseId: string; mediaId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: Uint8Array;
  };
  /** Claim a case; the claim lapses after 15 minutes */
  claimCase: {
    path: { caseId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: Case;
  };
  /** Accept or reject, with reasons */
  decideCase: {
    path: { caseId: string };
    query: Record<string, never>;
    body: {
      decision: 'ACCEPT' | 'REJECT';
      /** a rejection has one */
      reasons?: Array<
        | 'OTHER_SUSPICIOUS_ELEMENT'
        | 'COMPUTER_SCREEN_PHOTO'
        | 'DOCUMENT_IMAGE_MANIPULATION'
        | 'DOCUMENT_TEMPLATE_DIFFERENT_FROM_REFERENCE'
        | 'INCONSISTENT_FONT_SIZE_OR_TYPE'
        | 'OTHER_SUSPECTED_FRAUD'
        | 'PAPER_COPY'
        | 'PORTRAIT_SUBSTITUTION'
      >;
      comment?: string;
    };
    reply: Case;
  };
  /** Sign out: end the session that asks */
  signOutOperator: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: undefined;
  };
  /** Why the level of assurance is what it is */
  explainForOperator: {
    path: { identityId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: {
      /** The case, without anything personal */
      case: unknown;
      evaluation: unknown;
      /** In words */
      explanation: unknown;
    };
  };
  /** What would change under another policy; nothing is stored */
  evaluateForOperator: {
    path: { identityId: string };
    query: Record<string, never>;
    body: {
      /** The name of a policy, or a whole policy file */
      policy: string | Record<string, unknown>;
    };
    reply: {
      before: unknown;
      after: unknown;
      changes: unknown;
      explanation: unknown;
    };
  };
  /** What would change of an exported case under another policy */
  evaluateExportedForOperator: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: {
      case: Record<string, unknown>;
      /** The name of a policy, or a whole policy file */
      policy: string | Record<string, unknown>;
    };
    reply: {
      before: unknown;
      after: unknown;
      changes: unknown;
      explanation: unknown;
    };
  };
  /** Who asks, and what for */
  getAdministrator: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: {
      role: 'RELYING_SERVICE' | 'USER_AGENT' | 'OPERATOR' | 'TENANT_ADMINISTRATOR' | 'ADMINISTRATOR';
      /** the one tenant that this administrator manages */
      tenantId?: string;
      name?: string;
      session?: {
        /** its end, whatever it is used for */
        expireAt: string;
        /** after so long without an act of the person it ends */
        idleSeconds: number;
      };
    };
  };
  /** Sign out: end the session that asks */
  signOutAdministrator: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: undefined;
  };
  /** Operators and administrators who signed in, or were named for a key */
  listPeople: {
    path: Record<string, never>;
    query: { /** from the page before */ cursor?: string /** 1 to 200, 50 by default */; limit?: string };
    body?: undefined;
    reply: {
      items: Array<{
        /** as the audit log and cases name the person */
        personId: string;
        name: string;
        /** who vouches for the person; absent of one named for a key */
        issuer?: string;
        /** what the issuer calls the person */
        subject: string;
        signedInAt?: string;
      }>;
      /** for the next page */
      cursor?: string;
    };
  };
  /** End every session of a person, who can sign in again as long as the issuer admits it */
  endSessionsOfPerson: {
    path: { personId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: {
      ended: number;
    };
  };
  /** End the sessions of a person and forget name and subject; cases and audit log keep the personId */
  deletePerson: {
    path: { personId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: {
      ended: number;
    };
  };
  /** Who is signed in for this tenant */
  listTenantSessions: {
    path: { tenantId: string };
    query: { /** from the page before */ cursor?: string /** 1 to 200, 50 by default */; limit?: string };
    body?: undefined;
    reply: {
      items: Array<{
        sessionId: string;
        personId: string;
        name?: string;
        role: 'RELYING_SERVICE' | 'USER_AGENT' | 'OPERATOR' | 'TENANT_ADMINISTRATOR' | 'ADMINISTRATOR';
        createdAt: string;
        /** to the minute */
        usedAt: string;
        expireAt: string;
      }>;
      /** for the next page */
      cursor?: string;
    };
  };
  /** End the sessions of a person for this tenant */
  endTenantSessionsOfPerson: {
    path: { tenantId: string; personId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: {
      ended: number;
    };
  };
  /** Create a tenant */
  createTenant: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: {
      name: string;
      settings?: {
        /** outcomes can be played; decided when the tenant is made, and never changed */
        sandbox?: boolean;
        /** by which evidence is evaluated; identities keep the one they begin with */
        policy?: string;
        /** specimen documents count; never in production */
        acceptSpecimens?: boolean;
        /** countries whose documents are accepted, three letters each; all where it is absent */
        acceptedIssuers?: Array<string>;
        /** exact origins whose pages may call the API */
        allowedOrigins?: Array<string>;
        capture?: {
          /** who asks people for their identity */
          name?: string;
          /** an https address, or the image itself as data:image/png;base64,...; shown 32 pixels high */
          logoUrl?: string;
          /** #rrggbb; made lighter or darker where it could not be read */
          colour?: string;
          beginText?: {
            /** in place of the first sentence */
            en?: string;
            /** in place of the first sentence */
            de?: string;
            /** in place of the first sentence */
            fr?: string;
            /** in place of the first sentence */
            es?: string;
            /** in place of the first sentence */
            pt?: string;
            /** in place of the first sentence */
            ar?: string;
            /** in place of the first sentence */
            ja?: string;
          };
          finishText?: {
            /** in place of the last sentence */
            en?: string;
            /** in place of the last sentence */
            de?: string;
            /** in place of the last sentence */
            fr?: string;
            /** in place of the last sentence */
            es?: string;
            /** in place of the last sentence */
            pt?: string;
            /** in place of the last sentence */
            ar?: string;
            /** in place of the last sentence */
            ja?: string;
          };
          /** exact origins whose pages may show the capture page in a frame */
          embedders?: Array<string>;
          /** the https address or own scheme that opens your app for reading chips; without it the step CHIP is passed over */
          chipReader?: string;
        };
        /** since the last accepted submission; whole seconds, from 1 to a hundred years */
        transactionLifetimeSeconds?: number;
        /** of live captures */
        videosInProof?: boolean;
        issuingSources?: {
          /** documents are checked with their issuer, with consent */
          enabled?: boolean;
          /** as which kind of user sources are asked */
          userCategory?: 'COMMERCIAL' | 'GOVERNMENT';
          /** a source that did not answer is asked again after this long; whole seconds, from 1 to a hundred years */
          recheckAfterSeconds?: number;
        };
        adjudication?: {
          /** what machines cannot decide waits for an operator */
          enabled?: boolean;
          /** two operators must agree */
          fourEyes?: boolean;
          /** operators sign in, or their key says whose it is; two keys that name nobody are not enough then */
          peopleOnly?: boolean;
          /** a case that nobody decided ends undecided; whole seconds, from 1 to a hundred years */
          expirySeconds?: number;
          /** a case that still waits is reported once, by webhook, mail or both; whole seconds, from 1 to a hundred years */
          noticeAfterSeconds?: number;
          /** as AdjudicationWaiting */
          noticeWebhook?: boolean;
          /** one address, best that of a desk; needs a mail server (SMTP_URL) */
          noticeEmail?: string;
        };
        pauseResume?: {
          /** a transaction whose time is up pauses instead of ending */
          enabled?: boolean;
          /** then the transaction ends; whole seconds, from 1 to a hundred years */
          pauseDurationSeconds?: number;
        };
        limits?: {
          /** in bytes */
          maxFileBytes?: number;
          /** of each key */
          requestsPerMinute?: number;
        };
        retention?: {
          /** how long a closed identity still answers 410 and has a deletion receipt; whole seconds, from 1 to a hundred years */
          tombstoneSeconds?: number;
          /** how long deliveries are kept; whole seconds, from 1 to a hundred years */
          deliveryLogSeconds?: number;
          /** how long a retrieved archive can be fetched again; whole seconds, from 1 to a hundred years */
          proofGraceSeconds?: number;
        };
        liveCapture?: {
          /** its longest life; whole seconds, from 1 to a hundred years */
          timeoutSeconds?: number;
        };
        chip?: {
          /** its longest life; whole seconds, from 1 to a hundred years */
          timeoutSeconds?: number;
        };
        otp?: {
          /** then a new one is needed; whole seconds, from 1 to a hundred years */
          timeoutSeconds?: number;
          /** wrong ones until it is good for nothing */
          attempts?: number;
        };
        webhook?: {
          /** where notifications go; https, or http outside production */
          url: string;
          /** NONE, API_KEY (the secret in a header) or HMAC (a signature in a header) */
          mode: 'NONE' | 'API_KEY' | 'HMAC';
          /** name of the header that carries the secret or the signature, without spaces or colons */
          headerName?: string;
          /** stored sealed and never shown again */
          secret?: string;
          /** how often one notification is tried */
          attempts?: number;
          /** between two attempts; whole seconds, from 1 to a hundred years */
          delaySeconds?: number;
          /** seconds between attempts, up to days; in place of attempts and pause */
          schedule?: Array<number>;
          /** signs too until it is removed; never shown again */
          formerSecret?: string;
          /** seconds in which every attempt has failed */
          disableAfterSeconds?: number;
          /** a receiver that answers 410, or fails for too long, disables it */
          enabled?: boolean;
        } | null;
      };
    };
    reply: {
      tenantId: string;
      name: string;
      settings: {
        /** outcomes can be played; decided when the tenant is made, and never changed */
        sandbox?: boolean;
        /** by which evidence is evaluated; identities keep the one they begin with */
        policy?: string;
        /** specimen documents count; never in production */
        acceptSpecimens?: boolean;
        /** countries whose documents are accepted, three letters each; all where it is absent */
        acceptedIssuers?: Array<string>;
        /** exact origins whose pages may call the API */
        allowedOrigins?: Array<string>;
        capture?: {
          /** who asks people for their identity */
          name?: string;
          /** an https address, or the image itself as data:image/png;base64,...; shown 32 pixels high */
          logoUrl?: string;
          /** #rrggbb; made lighter or darker where it could not be read */
          colour?: string;
          beginText?: {
            /** in place of the first sentence */
            en?: string;
            /** in place of the first sentence */
            de?: string;
            /** in place of the first sentence */
            fr?: string;
            /** in place of the first sentence */
            es?: string;
            /** in place of the first sentence */
            pt?: string;
            /** in place of the first sentence */
            ar?: string;
            /** in place of the first sentence */
            ja?: string;
          };
          finishText?: {
            /** in place of the last sentence */
            en?: string;
            /** in place of the last sentence */
            de?: string;
            /** in place of the last sentence */
            fr?: string;
            /** in place of the last sentence */
            es?: string;
            /** in place of the last sentence */
            pt?: string;
            /** in place of the last sentence */
            ar?: string;
            /** in place of the last sentence */
            ja?: string;
          };
          /** exact origins whose pages may show the capture page in a frame */
          embedders?: Array<string>;
          /** the https address or own scheme that opens your app for reading chips; without it the step CHIP is passed over */
          chipReader?: string;
        };
        /** since the last accepted submission; whole seconds, from 1 to a hundred years */
        transactionLifetimeSeconds?: number;
        /** of live captures */
        videosInProof?: boolean;
        issuingSources?: {
          /** documents are checked with their issuer, with consent */
          enabled?: boolean;
          /** as which kind of user sources are asked */
          userCategory?: 'COMMERCIAL' | 'GOVERNMENT';
          /** a source that did not answer is asked again after this long; whole seconds, from 1 to a hundred years */
          recheckAfterSeconds?: number;
        };
        adjudication?: {
          /** what machines cannot decide waits for an operator */
          enabled?: boolean;
          /** two operators must agree */
          fourEyes?: boolean;
          /** operators sign in, or their key says whose it is; two keys that name nobody are not enough then */
          peopleOnly?: boolean;
          /** a case that nobody decided ends undecided; whole seconds, from 1 to a hundred years */
          expirySeconds?: number;
          /** a case that still waits is reported once, by webhook, mail or both; whole seconds, from 1 to a hundred years */
          noticeAfterSeconds?: number;
          /** as AdjudicationWaiting */
          noticeWebhook?: boolean;
          /** one address, best that of a desk; needs a mail server (SMTP_URL) */
          noticeEmail?: string;
        };
        pauseResume?: {
          /** a transaction whose time is up pauses instead of ending */
          enabled?: boolean;
          /** then the transaction ends; whole seconds, from 1 to a hundred years */
          pauseDurationSeconds?: number;
        };
        limits?: {
          /** in bytes */
          maxFileBytes?: number;
          /** of each key */
          requestsPerMinute?: number;
        };
        retention?: {
          /** how long a closed identity still answers 410 and has a deletion receipt; whole seconds, from 1 to a hundred years */
          tombstoneSeconds?: number;
          /** how long deliveries are kept; whole seconds, from 1 to a hundred years */
          deliveryLogSeconds?: number;
          /** how long a retrieved archive can be fetched again; whole seconds, from 1 to a hundred years */
          proofGraceSeconds?: number;
        };
        liveCapture?: {
          /** its longest life; whole seconds, from 1 to a hundred years */
          timeoutSeconds?: number;
        };
        chip?: {
          /** its longest life; whole seconds, from 1 to a hundred years */
          timeoutSeconds?: number;
        };
        otp?: {
          /** then a new one is needed; whole seconds, from 1 to a hundred years */
          timeoutSeconds?: number;
          /** wrong ones until it is good for nothing */
          attempts?: number;
        };
        webhook?: {
          /** where notifications go; https, or http outside production */
          url: string;
          /** NONE, API_KEY (the secret in a header) or HMAC (a signature in a header) */
          mode: 'NONE' | 'API_KEY' | 'HMAC';
          /** name of the header that carries the secret or the signature, without spaces or colons */
          headerName?: string;
          /** stored sealed and never shown again */
          secret?: string;
          /** how often one notification is tried */
          attempts?: number;
          /** between two attempts; whole seconds, from 1 to a hundred years */
          delaySeconds?: number;
          /** seconds between attempts, up to days; in place of attempts and pause */
          schedule?: Array<number>;
          /** signs too until it is removed; never shown again */
          formerSecret?: string;
          /** seconds in which every attempt has failed */
          disableAfterSeconds?: number;
          /** a receiver that answers 410, or fails for too long, disables it */
          enabled?: boolean;
        } | null;
      };
    };
  };
  /** List the tenants */
  listTenants: {
    path: Record<string, never>;
    query: { /** from the page before */ cursor?: string /** 1 to 200, 50 by default */; limit?: string };
    body?: undefined;
    reply: {
      items: Array<{
        tenantId: string;
        name: string;
        settings: {
          /** outcomes can be played; decided when the tenant is made, and never changed */
          sandbox?: boolean;
          /** by which evidence is evaluated; identities keep the one they begin with */
          policy?: string;
          /** specimen documents count; never in production */
          acceptSpecimens?: boolean;
          /** countries whose documents are accepted, three letters each; all where it is absent */
          acceptedIssuers?: Array<string>;
          /** exact origins whose pages may call the API */
          allowedOrigins?: Array<string>;
          capture?: {
            /** who asks people for their identity */
            name?: string;
            /** an https address, or the image itself as data:image/png;base64,...; shown 32 pixels high */
            logoUrl?: string;
            /** #rrggbb; made lighter or darker where it could not be read */
            colour?: string;
            beginText?: {
              /** in place of the first sentence */
              en?: string;
              /** in place of the first sentence */
              de?: string;
              /** in place of the first sentence */
              fr?: string;
              /** in place of the first sentence */
              es?: string;
              /** in place of the first sentence */
              pt?: string;
              /** in place of the first sentence */
              ar?: string;
              /** in place of the first sentence */
              ja?: string;
            };
            finishText?: {
              /** in place of the last sentence */
              en?: string;
              /** in place of the last sentence */
              de?: string;
              /** in place of the last sentence */
              fr?: string;
              /** in place of the last sentence */
              es?: string;
              /** in place of the last sentence */
              pt?: string;
              /** in place of the last sentence */
              ar?: string;
              /** in place of the last sentence */
              ja?: string;
            };
            /** exact origins whose pages may show the capture page in a frame */
            embedders?: Array<string>;
            /** the https address or own scheme that opens your app for reading chips; without it the step CHIP is passed over */
            chipReader?: string;
          };
          /** since the last accepted submission; whole seconds, from 1 to a hundred years */
          transactionLifetimeSeconds?: number;
          /** of live captures */
          videosInProof?: boolean;
          issuingSources?: {
            /** documents are checked with their issuer, with consent */
            enabled?: boolean;
            /** as which kind of user sources are asked */
            userCategory?: 'COMMERCIAL' | 'GOVERNMENT';
            /** a source that did not answer is asked again after this long; whole seconds, from 1 to a hundred years */
            recheckAfterSeconds?: number;
          };
          adjudication?: {
            /** what machines cannot decide waits for an operator */
            enabled?: boolean;
            /** two operators must agree */
            fourEyes?: boolean;
            /** operators sign in, or their key says whose it is; two keys that name nobody are not enough then */
            peopleOnly?: boolean;
            /** a case that nobody decided ends undecided; whole seconds, from 1 to a hundred years */
            expirySeconds?: number;
            /** a case that still waits is reported once, by webhook, mail or both; whole seconds, from 1 to a hundred years */
            noticeAfterSeconds?: number;
            /** as AdjudicationWaiting */
            noticeWebhook?: boolean;
            /** one address, best that of a desk; needs a mail server (SMTP_URL) */
            noticeEmail?: string;
          };
          pauseResume?: {
            /** a transaction whose time is up pauses instead of ending */
            enabled?: boolean;
            /** then the transaction ends; whole seconds, from 1 to a hundred years */
            pauseDurationSeconds?: number;
          };
          limits?: {
            /** in bytes */
            maxFileBytes?: number;
            /** of each key */
            requestsPerMinute?: number;
          };
          retention?: {
            /** how long a closed identity still answers 410 and has a deletion receipt; whole seconds, from 1 to a hundred years */
            tombstoneSeconds?: number;
            /** how long deliveries are kept; whole seconds, from 1 to a hundred years */
            deliveryLogSeconds?: number;
            /** how long a retrieved archive can be fetched again; whole seconds, from 1 to a hundred years */
            proofGraceSeconds?: number;
          };
          liveCapture?: {
            /** its longest life; whole seconds, from 1 to a hundred years */
            timeoutSeconds?: number;
          };
          chip?: {
            /** its longest life; whole seconds, from 1 to a hundred years */
            timeoutSeconds?: number;
          };
          otp?: {
            /** then a new one is needed; whole seconds, from 1 to a hundred years */
            timeoutSeconds?: number;
            /** wrong ones until it is good for nothing */
            attempts?: number;
          };
          webhook?: {
            /** where notifications go; https, or http outside production */
            url: string;
            /** NONE, API_KEY (the secret in a header) or HMAC (a signature in a header) */
            mode: 'NONE' | 'API_KEY' | 'HMAC';
            /** name of the header that carries the secret or the signature, without spaces or colons */
            headerName?: string;
            /** stored sealed and never shown again */
            secret?: string;
            /** how often one notification is tried */
            attempts?: number;
            /** between two attempts; whole seconds, from 1 to a hundred years */
            delaySeconds?: number;
            /** seconds between attempts, up to days; in place of attempts and pause */
            schedule?: Array<number>;
            /** signs too until it is removed; never shown again */
            formerSecret?: string;
            /** seconds in which every attempt has failed */
            disableAfterSeconds?: number;
            /** a receiver that answers 410, or fails for too long, disables it */
            enabled?: boolean;
          } | null;
        };
        endpoint?: {
          /** false where it was switched off, or disabled itself after failures or a 410 */
          enabled: boolean;
          /** attempts that failed since the last that succeeded */
          consecutiveFailures: number;
          failingSince?: string;
          /** of the newest attempt: a status, or why nothing was reached */
          lastError?: string;
        };
      }>;
      /** for the next page */
      cursor?: string;
    };
  };
  /** One tenant */
  getTenant: {
    path: { tenantId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: {
      tenantId: string;
      name: string;
      settings: {
        /** outcomes can be played; decided when the tenant is made, and never changed */
        sandbox?: boolean;
        /** by which evidence is evaluated; identities keep the one they begin with */
        policy?: string;
        /** specimen documents count; never in production */
        acceptSpecimens?: boolean;
        /** countries whose documents are accepted, three letters each; all where it is absent */
        acceptedIssuers?: Array<string>;
        /** exact origins whose pages may call the API */
        allowedOrigins?: Array<string>;
        capture?: {
          /** who asks people for their identity */
          name?: string;
          /** an https address, or the image itself as data:image/png;base64,...; shown 32 pixels high */
          logoUrl?: string;
          /** #rrggbb; made lighter or darker where it could not be read */
          colour?: string;
          beginText?: {
            /** in place of the first sentence */
            en?: string;
            /** in place of the first sentence */
            de?: string;
            /** in place of the first sentence */
            fr?: string;
            /** in place of the first sentence */
            es?: string;
            /** in place of the first sentence */
            pt?: string;
            /** in place of the first sentence */
            ar?: string;
            /** in place of the first sentence */
            ja?: string;
          };
          finishText?: {
            /** in place of the last sentence */
            en?: string;
            /** in place of the last sentence */
            de?: string;
            /** in place of the last sentence */
            fr?: string;
            /** in place of the last sentence */
            es?: string;
            /** in place of the last sentence */
            pt?: string;
            /** in place of the last sentence */
            ar?: string;
            /** in place of the last sentence */
            ja?: string;
          };
          /** exact origins whose pages may show the capture page in a frame */
          embedders?: Array<string>;
          /** the https address or own scheme that opens your app for reading chips; without it the step CHIP is passed over */
          chipReader?: string;
        };
        /** since the last accepted submission; whole seconds, from 1 to a hundred years */
        transactionLifetimeSeconds?: number;
        /** of live captures */
        videosInProof?: boolean;
        issuingSources?: {
          /** documents are checked with their issuer, with consent */
          enabled?: boolean;
          /** as which kind of user sources are asked */
          userCategory?: 'COMMERCIAL' | 'GOVERNMENT';
          /** a source that did not answer is asked again after this long; whole seconds, from 1 to a hundred years */
          recheckAfterSeconds?: number;
        };
        adjudication?: {
          /** what machines cannot decide waits for an operator */
          enabled?: boolean;
          /** two operators must agree */
          fourEyes?: boolean;
          /** operators sign in, or their key says whose it is; two keys that name nobody are not enough then */
          peopleOnly?: boolean;
          /** a case that nobody decided ends undecided; whole seconds, from 1 to a hundred years */
          expirySeconds?: number;
          /** a case that still waits is reported once, by webhook, mail or both; whole seconds, from 1 to a hundred years */
          noticeAfterSeconds?: number;
          /** as AdjudicationWaiting */
          noticeWebhook?: boolean;
          /** one address, best that of a desk; needs a mail server (SMTP_URL) */
          noticeEmail?: string;
        };
        pauseResume?: {
          /** a transaction whose time is up pauses instead of ending */
          enabled?: boolean;
          /** then the transaction ends; whole seconds, from 1 to a hundred years */
          pauseDurationSeconds?: number;
        };
        limits?: {
          /** in bytes */
          maxFileBytes?: number;
          /** of each key */
          requestsPerMinute?: number;
        };
        retention?: {
          /** how long a closed identity still answers 410 and has a deletion receipt; whole seconds, from 1 to a hundred years */
          tombstoneSeconds?: number;
          /** how long deliveries are kept; whole seconds, from 1 to a hundred years */
          deliveryLogSeconds?: number;
          /** how long a retrieved archive can be fetched again; whole seconds, from 1 to a hundred years */
          proofGraceSeconds?: number;
        };
        liveCapture?: {
          /** its longest life; whole seconds, from 1 to a hundred years */
          timeoutSeconds?: number;
        };
        chip?: {
          /** its longest life; whole seconds, from 1 to a hundred years */
          timeoutSeconds?: number;
        };
        otp?: {
          /** then a new one is needed; whole seconds, from 1 to a hundred years */
          timeoutSeconds?: number;
          /** wrong ones until it is good for nothing */
          attempts?: number;
        };
        webhook?: {
          /** where notifications go; https, or http outside production */
          url: string;
          /** NONE, API_KEY (the secret in a header) or HMAC (a signature in a header) */
          mode: 'NONE' | 'API_KEY' | 'HMAC';
          /** name of the header that carries the secret or the signature, without spaces or colons */
          headerName?: string;
          /** stored sealed and never shown again */
          secret?: string;
          /** how often one notification is tried */
          attempts?: number;
          /** between two attempts; whole seconds, from 1 to a hundred years */
          delaySeconds?: number;
          /** seconds between attempts, up to days; in place of attempts and pause */
          schedule?: Array<number>;
          /** signs too until it is removed; never shown again */
          formerSecret?: string;
          /** seconds in which every attempt has failed */
          disableAfterSeconds?: number;
          /** a receiver that answers 410, or fails for too long, disables it */
          enabled?: boolean;
        } | null;
      };
    };
  };
  /** Change settings: objects merge, null removes (RFC 7396) */
  changeTenant: {
    path: { tenantId: string };
    query: Record<string, never>;
    body: {
      settings: {
        /** outcomes can be played; decided when the tenant is made, and never changed */
        sandbox?: boolean | null;
        /** by which evidence is evaluated; identities keep the one they begin with */
        policy?: string | null;
        /** specimen documents count; never in production */
        acceptSpecimens?: boolean | null;
        /** countries whose documents are accepted, three letters each; all where it is absent */
        acceptedIssuers?: Array<string> | null;
        /** exact origins whose pages may call the API */
        allowedOrigins?: Array<string> | null;
        capture?: {
          /** who asks people for their identity */
          name?: string | null;
          /** an https address, or the image itself as data:image/png;base64,...; shown 32 pixels high */
          logoUrl?: string | null;
          /** #rrggbb; made lighter or darker where it could not be read */
          colour?: string | null;
          beginText?: {
            /** in place of the first sentence */
            en?: string | null;
            /** in place of the first sentence */
            de?: string | null;
            /** in place of the first sentence */
            fr?: string | null;
            /** in place of the first sentence */
            es?: string | null;
            /** in place of the first sentence */
            pt?: string | null;
            /** in place of the first sentence */
            ar?: string | null;
            /** in place of the first sentence */
            ja?: string | null;
          } | null;
          finishText?: {
            /** in place of the last sentence */
            en?: string | null;
            /** in place of the last sentence */
            de?: string | null;
            /** in place of the last sentence */
            fr?: string | null;
            /** in place of the last sentence */
            es?: string | null;
            /** in place of the last sentence */
            pt?: string | null;
            /** in place of the last sentence */
            ar?: string | null;
            /** in place of the last sentence */
            ja?: string | null;
          } | null;
          /** exact origins whose pages may show the capture page in a frame */
          embedders?: Array<string> | null;
          /** the https address or own scheme that opens your app for reading chips; without it the step CHIP is passed over */
          chipReader?: string | null;
        } | null;
        /** since the last accepted submission; whole seconds, from 1 to a hundred years */
        transactionLifetimeSeconds?: number | null;
        /** of live captures */
        videosInProof?: boolean | null;
        issuingSources?: {
          /** documents are checked with their issuer, with consent */
          enabled?: boolean | null;
          /** as which kind of user sources are asked */
          userCategory?: 'COMMERCIAL' | 'GOVERNMENT' | null;
          /** a source that did not answer is asked again after this long; whole seconds, from 1 to a hundred years */
          recheckAfterSeconds?: number | null;
        } | null;
        adjudication?: {
          /** what machines cannot decide waits for an operator */
          enabled?: boolean | null;
          /** two operators must agree */
          fourEyes?: boolean | null;
          /** operators sign in, or their key says whose it is; two keys that name nobody are not enough then */
          peopleOnly?: boolean | null;
          /** a case that nobody decided ends undecided; whole seconds, from 1 to a hundred years */
          expirySeconds?: number | null;
          /** a case that still waits is reported once, by webhook, mail or both; whole seconds, from 1 to a hundred years */
          noticeAfterSeconds?: number | null;
          /** as AdjudicationWaiting */
          noticeWebhook?: boolean | null;
          /** one address, best that of a desk; needs a mail server (SMTP_URL) */
          noticeEmail?: string | null;
        } | null;
        pauseResume?: {
          /** a transaction whose time is up pauses instead of ending */
          enabled?: boolean | null;
          /** then the transaction ends; whole seconds, from 1 to a hundred years */
          pauseDurationSeconds?: number | null;
        } | null;
        limits?: {
          /** in bytes */
          maxFileBytes?: number | null;
          /** of each key */
          requestsPerMinute?: number | null;
        } | null;
        retention?: {
          /** how long a closed identity still answers 410 and has a deletion receipt; whole seconds, from 1 to a hundred years */
          tombstoneSeconds?: number | null;
          /** how long deliveries are kept; whole seconds, from 1 to a hundred years */
          deliveryLogSeconds?: number | null;
          /** how long a retrieved archive can be fetched again; whole seconds, from 1 to a hundred years */
          proofGraceSeconds?: number | null;
        } | null;
        liveCapture?: {
          /** its longest life; whole seconds, from 1 to a hundred years */
          timeoutSeconds?: number | null;
        } | null;
        chip?: {
          /** its longest life; whole seconds, from 1 to a hundred years */
          timeoutSeconds?: number | null;
        } | null;
        otp?: {
          /** then a new one is needed; whole seconds, from 1 to a hundred years */
          timeoutSeconds?: number | null;
          /** wrong ones until it is good for nothing */
          attempts?: number | null;
        } | null;
        webhook?: {
          /** where notifications go; https, or http outside production */
          url?: string | null;
          /** NONE, API_KEY (the secret in a header) or HMAC (a signature in a header) */
          mode?: 'NONE' | 'API_KEY' | 'HMAC' | null;
          /** name of the header that carries the secret or the signature, without spaces or colons */
          headerName?: string | null;
          /** stored sealed and never shown again */
          secret?: string | null;
          /** how often one notification is tried */
          attempts?: number | null;
          /** between two attempts; whole seconds, from 1 to a hundred years */
          delaySeconds?: number | null;
          /** seconds between attempts, up to days; in place of attempts and pause */
          schedule?: Array<number> | null;
          /** signs too until it is removed; never shown again */
          formerSecret?: string | null;
          /** seconds in which every attempt has failed */
          disableAfterSeconds?: number | null;
          /** a receiver that answers 410, or fails for too long, disables it */
          enabled?: boolean | null;
        } | null;
      };
    };
    reply: {
      tenantId: string;
      name: string;
      settings: {
        /** outcomes can be played; decided when the tenant is made, and never changed */
        sandbox?: boolean;
        /** by which evidence is evaluated; identities keep the one they begin with */
        policy?: string;
        /** specimen documents count; never in production */
        acceptSpecimens?: boolean;
        /** countries whose documents are accepted, three letters each; all where it is absent */
        acceptedIssuers?: Array<string>;
        /** exact origins whose pages may call the API */
        allowedOrigins?: Array<string>;
        capture?: {
          /** who asks people for their identity */
          name?: string;
          /** an https address, or the image itself as data:image/png;base64,...; shown 32 pixels high */
          logoUrl?: string;
          /** #rrggbb; made lighter or darker where it could not be read */
          colour?: string;
          beginText?: {
            /** in place of the first sentence */
            en?: string;
            /** in place of the first sentence */
            de?: string;
            /** in place of the first sentence */
            fr?: string;
            /** in place of the first sentence */
            es?: string;
            /** in place of the first sentence */
            pt?: string;
            /** in place of the first sentence */
            ar?: string;
            /** in place of the first sentence */
            ja?: string;
          };
          finishText?: {
            /** in place of the last sentence */
            en?: string;
            /** in place of the last sentence */
            de?: string;
            /** in place of the last sentence */
            fr?: string;
            /** in place of the last sentence */
            es?: string;
            /** in place of the last sentence */
            pt?: string;
            /** in place of the last sentence */
            ar?: string;
            /** in place of the last sentence */
            ja?: string;
          };
          /** exact origins whose pages may show the capture page in a frame */
          embedders?: Array<string>;
          /** the https address or own scheme that opens your app for reading chips; without it the step CHIP is passed over */
          chipReader?: string;
        };
        /** since the last accepted submission; whole seconds, from 1 to a hundred years */
        transactionLifetimeSeconds?: number;
        /** of live captures */
        videosInProof?: boolean;
        issuingSources?: {
          /** documents are checked with their issuer, with consent */
          enabled?: boolean;
          /** as which kind of user sources are asked */
          userCategory?: 'COMMERCIAL' | 'GOVERNMENT';
          /** a source that did not answer is asked again after this long; whole seconds, from 1 to a hundred years */
          recheckAfterSeconds?: number;
        };
        adjudication?: {
          /** what machines cannot decide waits for an operator */
          enabled?: boolean;
          /** two operators must agree */
          fourEyes?: boolean;
          /** operators sign in, or their key says whose it is; two keys that name nobody are not enough then */
          peopleOnly?: boolean;
          /** a case that nobody decided ends undecided; whole seconds, from 1 to a hundred years */
          expirySeconds?: number;
          /** a case that still waits is reported once, by webhook, mail or both; whole seconds, from 1 to a hundred years */
          noticeAfterSeconds?: number;
          /** as AdjudicationWaiting */
          noticeWebhook?: boolean;
          /** one address, best that of a desk; needs a mail server (SMTP_URL) */
          noticeEmail?: string;
        };
        pauseResume?: {
          /** a transaction whose time is up pauses instead of ending */
          enabled?: boolean;
          /** then the transaction ends; whole seconds, from 1 to a hundred years */
          pauseDurationSeconds?: number;
        };
        limits?: {
          /** in bytes */
          maxFileBytes?: number;
          /** of each key */
          requestsPerMinute?: number;
        };
        retention?: {
          /** how long a closed identity still answers 410 and has a deletion receipt; whole seconds, from 1 to a hundred years */
          tombstoneSeconds?: number;
          /** how long deliveries are kept; whole seconds, from 1 to a hundred years */
          deliveryLogSeconds?: number;
          /** how long a retrieved archive can be fetched again; whole seconds, from 1 to a hundred years */
          proofGraceSeconds?: number;
        };
        liveCapture?: {
          /** its longest life; whole seconds, from 1 to a hundred years */
          timeoutSeconds?: number;
        };
        chip?: {
          /** its longest life; whole seconds, from 1 to a hundred years */
          timeoutSeconds?: number;
        };
        otp?: {
          /** then a new one is needed; whole seconds, from 1 to a hundred years */
          timeoutSeconds?: number;
          /** wrong ones until it is good for nothing */
          attempts?: number;
        };
        webhook?: {
          /** where notifications go; https, or http outside production */
          url: string;
          /** NONE, API_KEY (the secret in a header) or HMAC (a signature in a header) */
          mode: 'NONE' | 'API_KEY' | 'HMAC';
          /** name of the header that carries the secret or the signature, without spaces or colons */
          headerName?: string;
          /** stored sealed and never shown again */
          secret?: string;
          /** how often one notification is tried */
          attempts?: number;
          /** between two attempts; whole seconds, from 1 to a hundred years */
          delaySeconds?: number;
          /** seconds between attempts, up to days; in place of attempts and pause */
          schedule?: Array<number>;
          /** signs too until it is removed; never shown again */
          formerSecret?: string;
          /** seconds in which every attempt has failed */
          disableAfterSeconds?: number;
          /** a receiver that answers 410, or fails for too long, disables it */
          enabled?: boolean;
        } | null;
      };
    };
  };
  /** The evaluation policies a tenant can choose from */
  listPolicies: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: {
      items: Array<{
        name: string;
        version: string;
        description: string;
      }>;
      /** for the next page */
      cursor?: string;
    };
  };
  /** Make an API key */
  createKey: {
    path: { tenantId: string };
    query: Record<string, never>;
    body: {
      role: 'RELYING_SERVICE' | 'USER_AGENT' | 'OPERATOR' | 'TENANT_ADMINISTRATOR';
      /** a time in UTC, yyyy-MM-ddTHH:mm:ss; from then on the key answers 401 */
      expiresAt?: string;
      /** whose key it is; who signs in as the same subject counts as the same operator */
      person?: {
        /** what the issuer of OpenID Connect calls the person; without an issuer any text of yours; no blanks around it */
        subject: string;
        /** as colleagues see it */
        name: string;
      };
    };
    reply: {
      keyId: string;
      /** Shown this once */
      apiKey: string;
      role: 'RELYING_SERVICE' | 'USER_AGENT' | 'OPERATOR' | 'TENANT_ADMINISTRATOR' | 'ADMINISTRATOR';
      expiresAt?: string;
      personId?: string;
    };
  };
  /** List the API keys, without their secrets */
  listKeys: {
    path: { tenantId: string };
    query: { /** from the page before */ cursor?: string /** 1 to 200, 50 by default */; limit?: string };
    body?: undefined;
    reply: {
      items: Array<{
        keyId: string;
        role: 'RELYING_SERVICE' | 'USER_AGENT' | 'OPERATOR' | 'TENANT_ADMINISTRATOR' | 'ADMINISTRATOR';
        createdAt: string;
        /** to the minute; absent while the key was never used */
        lastUsedAt?: string;
        expiresAt?: string;
        personId?: string;
        /** of the person whose key it is */
        name?: string;
      }>;
      /** for the next page */
      cursor?: string;
    };
  };
  /** Revoke an API key */
  deleteKey: {
    path: { tenantId: string; keyId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: undefined;
  };
  /** Make an administrator's key */
  createAdministratorKey: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: {
      /** there is no other here */
      role?: 'ADMINISTRATOR';
      /** a time in UTC, yyyy-MM-ddTHH:mm:ss; from then on the key answers 401 */
      expiresAt?: string;
      /** whose key it is; who signs in as the same subject counts as the same operator */
      person?: {
        /** what the issuer of OpenID Connect calls the person; without an issuer any text of yours; no blanks around it */
        subject: string;
        /** as colleagues see it */
        name: string;
      };
    };
    reply: {
      keyId: string;
      /** Shown this once */
      apiKey: string;
      role: 'RELYING_SERVICE' | 'USER_AGENT' | 'OPERATOR' | 'TENANT_ADMINISTRATOR' | 'ADMINISTRATOR';
      expiresAt?: string;
      personId?: string;
    };
  };
  /** List the administrators' keys, without their secrets */
  listAdministratorKeys: {
    path: Record<string, never>;
    query: { /** from the page before */ cursor?: string /** 1 to 200, 50 by default */; limit?: string };
    body?: undefined;
    reply: {
      items: Array<{
        keyId: string;
        role: 'RELYING_SERVICE' | 'USER_AGENT' | 'OPERATOR' | 'TENANT_ADMINISTRATOR' | 'ADMINISTRATOR';
        createdAt: string;
        /** to the minute; absent while the key was never used */
        lastUsedAt?: string;
        expiresAt?: string;
        personId?: string;
        /** of the person whose key it is */
        name?: string;
      }>;
      /** for the next page */
      cursor?: string;
    };
  };
  /** Revoke an administrator's key */
  deleteAdministratorKey: {
    path: { keyId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: undefined;
  };
  /** Webhook deliveries */
  listDeliveries: {
    path: { tenantId: string };
    query: {
      /** of one identity */ identityId?: string /** PENDING, DELIVERED or FAILED */;
      state?: string /** from the page before */;
      cursor?: string /** items a page */;
      limit?: string;
    };
    body?: undefined;
    reply: {
      items: Array<{
        deliveryId: string;
        webhookId: string;
        identityId: string;
        event: string;
        state: 'PENDING' | 'DELIVERED' | 'FAILED';
        createdAt: string;
        nextAttemptAt?: string;
        attempts: Array<{
          at: string;
          statusCode?: number;
          error?: string;
          /** SHA-256 of the body of this attempt, in hexadecimal */
          bodySha256?: string;
        }>;
        test?: boolean;
      }>;
      cursor?: string;
    };
  };
  /** Send a delivery again: the same bytes and webhook-id */
  resendDelivery: {
    path: { tenantId: string; deliveryId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: {
      deliveryId: string;
      webhookId: string;
      identityId: string;
      event: string;
      state: 'PENDING' | 'DELIVERED' | 'FAILED';
      createdAt: string;
      nextAttemptAt?: string;
      attempts: Array<{
        at: string;
        statusCode?: number;
        error?: string;
        /** SHA-256 of the body of this attempt, in hexadecimal */
        bodySha256?: string;
      }>;
      test?: boolean;
    };
  };
  /** Send every failed delivery since a time again: the same bytes and webhook-ids */
  recoverDeliveries: {
    path: { tenantId: string };
    query: Record<string, never>;
    body: {
      /** UTC, yyyy-MM-ddTHH:mm:ss.SSS */
      since: string;
      /** UTC, yyyy-MM-ddTHH:mm:ss.SSS */
      until?: string;
    };
    reply: {
      recovered: number;
    };
  };
  /** Health of the tenant's webhook endpoint */
  getEndpoint: {
    path: { tenantId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: {
      url: string;
      mode: 'NONE' | 'API_KEY' | 'HMAC';
      headerName?: string;
      /** 2 while a former secret signs too */
      liveSecrets?: number;
      attempts: number;
      delaySeconds: number;
      /** seconds between attempts */
      schedule?: Array<number>;
      /** when a 410 disabled it */
      goneAt?: string;
      /** when failures disabled it */
      disabledAt?: string;
      lastSuccessAt?: string;
      lastFailureAt?: string;
      /** false where it was switched off, or disabled itself after failures or a 410 */
      enabled: boolean;
      /** attempts that failed since the last that succeeded */
      consecutiveFailures: number;
      failingSince?: string;
      /** of the newest attempt: a status, or why nothing was reached */
      lastError?: string;
    };
  };
  /** Send a test notification; the log shows it, marked as a test */
  testEndpoint: {
    path: { tenantId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: {
      deliveryId: string;
      statusCode?: number;
      error?: string;
      durationMs: number;
    };
  };
  /** Send a test notification; the log shows it, marked as a test */
  testWebhook: {
    path: { tenantId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: {
      deliveryId: string;
      statusCode?: number;
      error?: string;
      durationMs: number;
    };
  };
  /** Identities of a tenant, the newest first; nothing personal */
  listIdentities: {
    path: { tenantId: string };
    query: {
      /** this one */ identityId?: string /** what the tenant calls the person */;
      businessId?: string /** EXPECTING_INPUT, PROCESSING, PAUSED, ERROR, CLOSED */;
      status?: string /** date or time (UTC), inclusive */;
      createdFrom?: string /** date or time (UTC), exclusive */;
      createdBefore?: string /** from the page before */;
      cursor?: string /** 1 to 200, 50 by default */;
      limit?: string;
    };
    body?: undefined;
    reply: {
      items: Array<{
        identityId: string;
        status: 'EXPECTING_INPUT' | 'PROCESSING' | 'PAUSED' | 'ERROR' | 'CLOSED';
        levelOfAssurance: 'LOA0' | 'LOA1' | 'LOA2' | 'LOA3' | 'LOA4' | 'LOA5' | 'LOA6';
        policy: string;
        evidences: Array<{
          evidenceId: string;
          type:
            | 'PASSPORT'
            | 'IDENTITY_CARD'
            | 'RESIDENT_CARD'
            | 'BIRTH_CERTIFICATE'
            | 'MARRIAGE_CERTIFICATE'
            | 'POLL_CARD'
            | 'ADDRESS'
            | 'EMAIL'
            | 'MOBILE_OTP'
            | 'MAIL_OTP'
            | 'SMS_OTP'
            | 'DRIVING_LICENSE'
            | 'CONSENT'
            | 'ATTRIBUTES'
            | 'ID_DOCUMENT'
            | 'PORTRAIT'
            | 'VISA'
            | 'CERTIFICATE'
            | 'ID_DOCUMENT_DATA'
            | 'TAX_CARD'
            | 'VOTER_CARD'
            | 'TRUSTED_ID_CLAIM'
            | 'ID_CLAIM'
            | 'PORTRAIT_REFERENCE'
            | 'PARTNER_ASSESSMENT'
            | 'ADDITIONAL_FILE'
            | 'MEDICARE';
          status: 'VERIFIED' | 'NOT_VERIFIED' | 'INVALID' | 'PROCESSING' | 'ADJUDICATION';
        }>;
        createdAt: string;
        expiresAt: string;
        closedAt?: string;
        reason?: string;
      }>;
      /** for the next page */
      cursor?: string;
    };
  };
  /** What happened to an identity: events, evaluations, deliveries, acts; nothing personal */
  getTimeline: {
    path: { tenantId: string; identityId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: {
      identity: {
        identityId: string;
        status: 'EXPECTING_INPUT' | 'PROCESSING' | 'PAUSED' | 'ERROR' | 'CLOSED';
        levelOfAssurance: 'LOA0' | 'LOA1' | 'LOA2' | 'LOA3' | 'LOA4' | 'LOA5' | 'LOA6';
        policy: string;
        evidences: Array<{
          evidenceId: string;
          type:
            | 'PASSPORT'
            | 'IDENTITY_CARD'
            | 'RESIDENT_CARD'
            | 'BIRTH_CERTIFICATE'
            | 'MARRIAGE_CERTIFICATE'
            | 'POLL_CARD'
            | 'ADDRESS'
            | 'EMAIL'
            | 'MOBILE_OTP'
            | 'MAIL_OTP'
            | 'SMS_OTP'
            | 'DRIVING_LICENSE'
            | 'CONSENT'
            | 'ATTRIBUTES'
            | 'ID_DOCUMENT'
            | 'PORTRAIT'
            | 'VISA'
            | 'CERTIFICATE'
            | 'ID_DOCUMENT_DATA'
            | 'TAX_CARD'
            | 'VOTER_CARD'
            | 'TRUSTED_ID_CLAIM'
            | 'ID_CLAIM'
            | 'PORTRAIT_REFERENCE'
            | 'PARTNER_ASSESSMENT'
            | 'ADDITIONAL_FILE'
            | 'MEDICARE';
          status: 'VERIFIED' | 'NOT_VERIFIED' | 'INVALID' | 'PROCESSING' | 'ADJUDICATION';
        }>;
        createdAt: string;
        expiresAt: string;
        closedAt?: string;
        reason?: string;
      };
      items: Array<{
        at: string;
        kind: 'EVENT' | 'EVALUATION' | 'DELIVERY' | 'ACT';
        type: string;
        evidenceId?: string;
        details: Record<string, unknown>;
      }>;
    };
  };
  /** All that is stored of the person, for the person */
  exportIdentity: {
    path: { tenantId: string; identityId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: Record<string, unknown>;
  };
  /** One of the images or files that the export names */
  exportMedium: {
    path: { tenantId: string; identityId: string; mediaId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: Uint8Array;
  };
  /** Close an identity and erase everything gathered for it; once it is closed, nothing changes */
  purgeIdentity: {
    path: { tenantId: string; identityId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: {
      identityId: string;
      status: 'CLOSED';
    };
  };
  /** Entries of the audit log, oldest first by default */
  listTenantAudit: {
    path: { tenantId: string };
    query: {
      /** from the page before */ cursor?: string /** 1 to 200, 50 by default */;
      limit?: string /** asc (the default), the oldest first, or desc, the newest first */;
      order?: string /** entries of one act: tenant.create, tenant.change, session.begin, session.end, key.create, key.delete, person.delete, master-key.rotate, signing-key.rotate, delivery.resend, delivery.recover, dead-letters.replay, dead-letters.remove, endpoint.test, case.claim, case.close, case.decide, case.expire, case.view, case.view-image, proof.retrieve, evidence.delete, identity.delete, identity.read, identity.export, identity.purge, identity.re-evaluate, identity.closed, trust.import, trust.remove, role.refused, act.refused */;
      act?: string /** entries about this identity */;
      identityId?: string;
    };
    body?: undefined;
    reply: {
      items: Array<{
        chain: string;
        seq: number;
        at: string;
        /** HMAC-SHA256 of the canonical JSON of the content, keyed by the salt */
        commitment: string;
        previous: string;
        /** SHA-256 of previous, chain, seq, at and commitment, each on its line */
        hash: string;
        content?: unknown;
        salt?: string;
      }>;
      /** for the next page */
      cursor?: string;
    };
  };
  /** Signed heads of the audit log */
  listTenantAuditCheckpoints: {
    path: { tenantId: string };
    query: { /** from the page before */ cursor?: string /** 1 to 200, 50 by default */; limit?: string };
    body?: undefined;
    reply: {
      items: Array<{
        chain: string;
        seq: number;
        hash: string;
        at: string;
        jws: string;
        kid: string;
      }>;
      /** for the next page */
      cursor?: string;
    };
  };
  /** Walk the whole chain */
  verifyTenantAudit: {
    path: { tenantId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: {
      entries: number;
      ok: boolean;
      fault?: {
        seq: number;
        fault: string;
      };
    };
  };
  /** Entries of the audit log, oldest first by default */
  listSuiteAudit: {
    path: Record<string, never>;
    query: {
      /** from the page before */ cursor?: string /** 1 to 200, 50 by default */;
      limit?: string /** asc (the default), the oldest first, or desc, the newest first */;
      order?: string /** entries of one act: tenant.create, tenant.change, session.begin, session.end, key.create, key.delete, person.delete, master-key.rotate, signing-key.rotate, delivery.resend, delivery.recover, dead-letters.replay, dead-letters.remove, endpoint.test, case.claim, case.close, case.decide, case.expire, case.view, case.view-image, proof.retrieve, evidence.delete, identity.delete, identity.read, identity.export, identity.purge, identity.re-evaluate, identity.closed, trust.import, trust.remove, role.refused, act.refused */;
      act?: string /** entries about this identity */;
      identityId?: string;
    };
    body?: undefined;
    reply: {
      items: Array<{
        chain: string;
        seq: number;
        at: string;
        /** HMAC-SHA256 of the canonical JSON of the content, keyed by the salt */
        commitment: string;
        previous: string;
        /** SHA-256 of previous, chain, seq, at and commitment, each on its line */
        hash: string;
        content?: unknown;
        salt?: string;
      }>;
      /** for the next page */
      cursor?: string;
    };
  };
  /** Signed heads of the audit log */
  listSuiteAuditCheckpoints: {
    path: Record<string, never>;
    query: { /** from the page before */ cursor?: string /** 1 to 200, 50 by default */; limit?: string };
    body?: undefined;
    reply: {
      items: Array<{
        chain: string;
        seq: number;
        hash: string;
        at: string;
        jws: string;
        kid: string;
      }>;
      /** for the next page */
      cursor?: string;
    };
  };
  /** Walk the whole chain */
  verifySuiteAudit: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: {
      entries: number;
      ok: boolean;
      fault?: {
        seq: number;
        fault: string;
      };
    };
  };
  /** Queues that hold dead letters */
  listDeadLetters: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: {
      items: Array<{
        queue: string;
        count: number;
      }>;
    };
  };
  /** The oldest dead letters of a queue, left where they are and without their data */
  showDeadLetters: {
    path: { queue: string };
    query: { /** 1 to 1000, 100 by default */ limit?: string };
    body?: undefined;
    reply: {
      items: Array<{
        messageId?: string;
        type?: string;
        tenantId?: string;
        identityId?: string;
        reason: string;
        firstFailedAt?: string;
      }>;
    };
  };
  /** Remove all dead letters of a queue */
  removeDeadLetters: {
    path: { queue: string };
    query: Record<string, never>;
    body?: undefined;
    reply: {
      removed: number;
    };
  };
  /** Hand dead letters to their queue again, the oldest first */
  replayDeadLetters: {
    path: { queue: string };
    query: Record<string, never>;
    body?: {
      limit?: number;
    };
    reply: {
      replayed: number;
    };
  };
  /** Why the level of assurance is what it is */
  explain: {
    path: { identityId: string };
    query: Record<string, never>;
    body?: undefined;
    reply: {
      /** The case, without anything personal */
      case: unknown;
      evaluation: unknown;
      /** In words */
      explanation: unknown;
    };
  };
  /** What would change under another policy; nothing is stored */
  evaluate: {
    path: { identityId: string };
    query: Record<string, never>;
    body: {
      /** The name of a policy, or a whole policy file */
      policy: string | Record<string, unknown>;
    };
    reply: {
      before: unknown;
      after: unknown;
      changes: unknown;
      explanation: unknown;
    };
  };
  /** What would change of an exported case under another policy */
  evaluateExported: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: {
      case: Record<string, unknown>;
      /** The name of a policy, or a whole policy file */
      policy: string | Record<string, unknown>;
    };
    reply: {
      before: unknown;
      after: unknown;
      changes: unknown;
      explanation: unknown;
    };
  };
  /** Evaluate a running identity under another policy, or the current version of its own, from now on */
  reEvaluate: {
    path: { identityId: string };
    query: Record<string, never>;
    body: {
      /** The name of a policy; the tenant's present one when left out */
      policy?: string;
    };
    reply: {
      policy: {
        name: string;
        version: string;
      };
    };
  };
  /** Import certificates of countries' signing authorities */
  importCsca: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: {
      /** a master list, an LDIF of the PKD, or a certificate */
      file: Upload;
      /** where it is from */
      source?: string;
    };
    reply: {
      added: number;
      known: number;
      refused: Array<{
        subject: string;
        reason: string;
      }>;
    };
  };
  /** List certificates of countries' signing authorities */
  listCscas: {
    path: Record<string, never>;
    query: {
      /** of one country, two letters or three */ country?: string /** from the page before */;
      cursor?: string /** 1 to 200; all entries without it and without a cursor */;
      limit?: string;
    };
    body?: undefined;
    reply: {
      items: Array<{
        id: string;
        country: string;
        subject: string;
        serialNumber?: string;
        notBefore: string;
        notAfter?: string;
        sha256: string;
        /** where it came from first */
        source: string;
        /** everything that contains it */
        sources?: Array<string>;
        level: 'MASTER_LIST' | 'SINGLE';
      }>;
      /** for the next page */
      cursor?: string;
    };
  };
  /** Remove one of the certificates of countries' signing authorities */
  removeCsca: {
    path: { id: string };
    query: { /** only what came from there: it stays while another source contains it */ source?: string };
    body?: undefined;
    reply: undefined;
  };
  /** Import revocation lists */
  importRevocationList: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: {
      /** a revocation list, or an LDIF of the PKD */
      file: Upload;
      /** where it is from */
      source?: string;
    };
    reply: {
      added: number;
      known: number;
      refused: Array<{
        subject: string;
        reason: string;
      }>;
    };
  };
  /** List revocation lists */
  listRevocationLists: {
    path: Record<string, never>;
    query: {
      /** of one country, two letters or three */ country?: string /** from the page before */;
      cursor?: string /** 1 to 200; all entries without it and without a cursor */;
      limit?: string;
    };
    body?: undefined;
    reply: {
      items: Array<{
        id: string;
        country: string;
        subject: string;
        serialNumber?: string;
        notBefore: string;
        notAfter?: string;
        sha256: string;
        /** where it came from first */
        source: string;
        /** everything that contains it */
        sources?: Array<string>;
        level: 'MASTER_LIST' | 'SINGLE';
      }>;
      /** for the next page */
      cursor?: string;
    };
  };
  /** Remove one of the revocation lists */
  removeRevocationList: {
    path: { id: string };
    query: { /** only what came from there: it stays while another source contains it */ source?: string };
    body?: undefined;
    reply: undefined;
  };
  /** List certificates of document signers, as directories bring them */
  listDocumentSigners: {
    path: Record<string, never>;
    query: {
      /** of one country, two letters or three */ country?: string /** from the page before */;
      cursor?: string /** 1 to 200; all entries without it and without a cursor */;
      limit?: string;
    };
    body?: undefined;
    reply: {
      items: Array<{
        id: string;
        country: string;
        subject: string;
        serialNumber?: string;
        notBefore: string;
        notAfter?: string;
        sha256: string;
        /** where it came from first */
        source: string;
        /** everything that contains it */
        sources?: Array<string>;
        level: 'MASTER_LIST' | 'SINGLE';
      }>;
      /** for the next page */
      cursor?: string;
    };
  };
  /** Countries covered, master lists grown old, certificates about to expire */
  reportTrust: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: {
      countries: Array<{
        country: string;
        certificates: number;
        /** of them, not expired */
        valid: number;
        /** when the next list of revoked signers is due */
        revocationListUntil?: string;
      }>;
      sources: Array<{
        source: string;
        certificates: number;
        /** when the newest master list of this source was signed */
        signedAt?: string;
        /** the authority that the newest list rests on: compare it with what its publisher states */
        signedUnder?: {
          subject: string;
          sha256: string;
        };
        /** more than 90 days ago */
        old: boolean;
      }>;
      /** authorities and signers whose certificates expire within 90 days */
      expiring: Array<{
        subject: string;
        sha256: string;
        notAfter: string;
      }>;
    };
  };
  /** What keeps this suite from being fit for production; findings only, never a secret */
  examineSuite: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: {
      at: string;
      findings: Array<{
        check:
          | 'environment'
          | 'test-hooks'
          | 'seed-file'
          | 'specimens'
          | 'sandbox'
          | 'four-eyes'
          | 'sign-in-issuer'
          | 'sign-in-secret'
          | 'sign-in-redirect'
          | 'simulated-sources'
          | 'simulated-authorities'
          | 'master-key'
          | 'master-keys-differ'
          | 'master-key-age'
          | 'key-service'
          | 'signing-key'
          | 'secrets-in-files'
          | 'api-key-age'
          | 'api-key-use'
          | 'administrators'
          | 'database-login'
          | 'database-open'
          | 'database-rights'
          | 'database-copies'
          | 'database-indexes'
          | 'broker-login'
          | 'broker-default-user'
          | 'database-tls'
          | 'broker-tls'
          | 'service-tls'
          | 'certificate'
          | 'public-address'
          | 'front-tls'
          | 'proxies'
          | 'private-targets'
          | 'webhooks'
          | 'outside-addresses'
          | 'one-time-codes'
          | 'clocks'
          | 'services'
          | 'process-user'
          | 'log-level'
          | 'metrics'
          | 'alerts'
          | 'audit-log';
        status: 'OK' | 'UNKNOWN' | 'WARNING' | 'PROBLEM';
        message: string;
        where: string;
      }>;
    };
  };
  /** The master keys, and how many keys of identities each wraps */
  listMasterKeys: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: {
      /** Id of the key that wraps */
      current: string;
      since: string;
      keys: Array<{
        keyId: string;
        /** Keys it wraps: of identities, and the one of the gateway itself; a former key with 0 can be taken away */
        wraps: number;
      }>;
      /** Keys that a former key wraps still */
      remaining: number;
    };
  };
  /** Put the next master key in force; keys of identities are wrapped anew in the background */
  rotateMasterKey: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: {
      /** Id of the key that wraps */
      current: string;
      since: string;
      keys: Array<{
        keyId: string;
        /** Keys it wraps: of identities, and the one of the gateway itself; a former key with 0 can be taken away */
        wraps: number;
      }>;
      /** Keys that a former key wraps still */
      remaining: number;
      /** false: the first key of the list is in force already; add a further one */
      rotated: boolean;
    };
  };
  /** The keys that sign proofs, and which of them signs now */
  listSigningKeys: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: undefined;
    reply: {
      keys: Array<{
        /** Thumbprint (RFC 7638), as in the JWKS */
        kid: string;
        /** Whether it signs now */
        signs: boolean;
        /** UTC, yyyy-MM-ddTHH:mm:ss.SSS */
        createdAt?: string;
        /** UTC, yyyy-MM-ddTHH:mm:ss.SSS */
        signsFrom?: string;
      }>;
    };
  };
  /** Make the next signing key; after a leak it signs at once and the others never again */
  rotateSigningKey: {
    path: Record<string, never>;
    query: Record<string, never>;
    body?: {
      /** The new key signs at once and the private halves of all others are destroyed: after a leak. Otherwise it is published for SIGNING_KEY_OVERLAP_SECONDS before it signs */
      atOnce?: boolean;
    };
    reply: {
      keys: Array<{
        /** Thumbprint (RFC 7638), as in the JWKS */
        kid: string;
        /** Whether it signs now */
        signs: boolean;
        /** UTC, yyyy-MM-ddTHH:mm:ss.SSS */
        createdAt?: string;
        /** UTC, yyyy-MM-ddTHH:mm:ss.SSS */
        signsFrom?: string;
      }>;
    };
  };
}
