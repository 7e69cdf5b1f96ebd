import {
  nameOfIndicator,
  statusOfIndicator,
  type VerificationAndEvaluationDetails,
  type VerificationDetails,
} from '@assay/contracts';
import { indicatorWords, plainWords } from '@assay/contracts/words';

const STATUS_WORDS: Readonly<Record<string, string>> = {
  OK: 'passed',
  VERIFIED: 'confirmed by the issuer',
  WARNING: 'gave a warning',
  FAILED: 'failed',
  UNVERIFIED: 'was not decided',
};

/** An indicator and what it says, in words: "Machine-readable zone checksums passed". */
export const findingWords = (indicator: string): string =>
  `${indicatorWords(nameOfIndicator(indicator))} ${STATUS_WORDS[statusOfIndicator(indicator) ?? ''] ?? ''}`.trim();

/** LEVEL2 and LOA2 as people say them: "level 2". */
export const levelWords = (level: string): string => level.replace(/^(LEVEL|LOA)(?=\d)/, 'level ');

/** What an element is about: "Passport", "Consents". */
export const kindWords = ({ evidenceDetails, identityOperation }: VerificationAndEvaluationDetails): string =>
  plainWords(evidenceDetails?.type ?? identityOperation.name);

const CONSENT_WORDS: Readonly<Record<string, string>> = { GIV: 'Asking the issuing source' };
/** What a consent is to. */
export const consentWords = (type: string): string => CONSENT_WORDS[type] ?? plainWords(type);

const PARTICIPANT_WORDS: Readonly<Record<string, string>> = {
  IMAGE_OCR: 'Reading of the document',
  BIOMETRIC_QUALITY_CHECK: 'Quality of the portrait',
  BIOMETRIC_MATCHING: 'Comparison of faces',
  BIOMETRIC_LIVENESS: 'Liveness',
  GOV_VERIFICATION: 'Question to the issuing source',
  NFC_CHIP_VERIFICATION: 'Verification of the chip',
};
const OUTCOME_WORDS: Readonly<Record<string, string>> = {
  ACCEPTED: 'made',
  REJECTED: 'failed',
  PROCESSING: 'not finished',
};

/**
 * A participant's work in words. One that raised nothing but undecided indicators made no check,
 * and rejected nothing.
 */
export const stepWords = (details: VerificationDetails): string => {
  const { participantType = 'check', participantState = '' } = details;
  const raised = [
    ...(details.raisedIndicators ?? []),
    ...(details.verificationServices ?? []).flatMap(({ raisedIndicators }) => raisedIndicators ?? []),
  ];
  const isMade = raised.length === 0 || raised.some((one) => statusOfIndicator(one) !== 'UNVERIFIED');
  const outcome = OUTCOME_WORDS[participantState] ?? plainWords(participantState).toLowerCase();
  return `${PARTICIPANT_WORDS[participantType] ?? plainWords(participantType)}: ${isMade ? outcome : 'not made'}`;
};
