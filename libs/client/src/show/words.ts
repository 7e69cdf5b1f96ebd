import {
  CALL_KEYS,
  type Consent,
  nameOfIndicator,
  statusOfIndicator,
  type VerificationAndEvaluationDetails,
  type VerificationDetails,
} from '@assay/contracts';
import { table } from '@assay/contracts/table';
import { indicatorWords, plainWords } from '@assay/contracts/words';

const STATUS_WORDS = table<string>({
  OK: 'passed',
  VERIFIED: 'confirmed by the issuer',
  WARNING: 'gave a warning',
  FAILED: 'failed',
  UNVERIFIED: 'was not decided',
});

/** What is said as a sentence of its own. */
const SENTENCES = table<string>({
  DOC_SPECIMEN_FAILED: 'It is a specimen, no genuine document',
  GIV_ELIGIBILITY_FAILED: 'No issuing source can be asked about it',
});

/** An indicator and what it says, in words: "Machine-readable zone checksums passed". */
export const findingWords = (indicator: string): string =>
  SENTENCES[indicator] ??
  `${indicatorWords(nameOfIndicator(indicator))} ${STATUS_WORDS[statusOfIndicator(indicator) ?? ''] ?? ''}`.trim();

/** LEVEL2 and LOA2 as people say them: "level 2". */
export const levelWords = (level: string): string => level.replace(/^(LEVEL|LOA)(?=\d)/, 'level ');

/** What an element is about: "Passport", "Consents". */
export const kindWords = ({ evidenceDetails, identityOperation }: VerificationAndEvaluationDetails): string =>
  plainWords(evidenceDetails?.type ?? identityOperation.name);

const CONSENT_WORDS = table<string>({ GIV: 'Asking the issuing source' });
/** What a consent is to. */
export const consentWords = (type: string): string => CONSENT_WORDS[type] ?? plainWords(type);

/** What the person answered, and the days on which it holds: one that is over holds no more. */
export const answerWords = ({ approved, validityPeriod: { from, to } = {} }: Consent): string =>
  [approved ? 'the person agreed' : 'the person refused', from && `from ${from}`, to && `until ${to}`]
    .filter(Boolean)
    .join(', ');

const PARTICIPANT_WORDS = table<string>({
  IMAGE_OCR: 'Reading of the document',
  BIOMETRIC_QUALITY_CHECK: 'Quality of the portrait',
  BIOMETRIC_MATCHING: 'Comparison of faces',
  BIOMETRIC_LIVENESS: 'Liveness',
  GOV_VERIFICATION: 'Question to the issuing source',
  NFC_CHIP_VERIFICATION: 'Verification of the chip',
});
const OUTCOME_WORDS = table<string>({
  ACCEPTED: 'made',
  REJECTED: 'failed',
  PROCESSING: 'not finished',
});

/** That there is nobody to ask is no answer either. */
const isAnswer = (indicator: string): boolean =>
  statusOfIndicator(indicator) !== 'UNVERIFIED' && indicator !== 'GIV_ELIGIBILITY_FAILED';

/**
 * A participant's work in words. One that raised no answer made no check, and rejected nothing.
 */
export const stepWords = (details: VerificationDetails): string => {
  const { participantType = 'check', participantState = '' } = details;
  const raised = [
    ...(details.raisedIndicators ?? []),
    ...(details.verificationServices ?? []).flatMap(({ raisedIndicators }) => raisedIndicators ?? []),
  ];
  const isMade = raised.length === 0 || raised.some(isAnswer);
  const outcome = OUTCOME_WORDS[participantState] ?? plainWords(participantState).toLowerCase();
  return `${PARTICIPANT_WORDS[participantType] ?? plainWords(participantType)}: ${isMade ? outcome : 'not made'}`;
};

/** A time as people read it, to the second: "2030-01-02 03:04:05 UTC". */
export const timeWords = (time: string): string => `${time.slice(0, 19).replace('T', ' ')} UTC`;

const CALLS: ReadonlySet<string> = new Set(CALL_KEYS);

/** Whether a metadata of an evidence is a call, in JSON, that has no element of its own. */
export const isCall = (key: string): boolean => CALLS.has(key);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A call in words: "POST /svc/v1/identities, answered 200"; what is no call stays as it is. */
export const callWords = (value: string): string => {
  const call = parsed(value);
  if (typeof call !== 'object' || call === null || !('method' in call)) return value;
  const { method, uri, httpCode, startDateTime }: Record<string, unknown> = { ...call };
  const words = [`${method} ${uri ?? ''}`.trim()];
  if (httpCode !== undefined) words.push(`answered ${httpCode}`);
  if (typeof startDateTime === 'string') words.push(timeWords(startDateTime));
  return words.join(', ');
};
