import { createHash } from 'node:crypto';
import { RetryLater } from '@assay/bus';
import type { ChipAuthenticationState, ChipEvidence, ChipFileError } from '@assay/chip';
import {
  type ChipSubmission,
  consentInForce,
  type ErrorObject,
  type EvidenceType,
  errorObject,
  present,
  todayAt,
} from '@assay/contracts';
import { alpha3, isUnreadable, type PortraitResult } from '@assay/engine';
import type { CheckedChip, ChipPortrait, ChipProcess, Decoding } from '../clients/chip-process.ts';
import { dataOfChip, typeIndicator, typeOfChip } from '../domain/chip-data.ts';
import { legible } from '../domain/legible.ts';
import { type Failed, failedWork, lookAtPortrait } from './engine-calls.ts';
import { type DocumentFound, issuerIndicators } from './image-ocr.ts';
import type { Chips, VerificationInput } from './verification-input.ts';

const SERVICE = 'assay-chip';
const SPECIMEN_STATE = 'UTO';

const resultOf = (raised: readonly string[], errors: ErrorObject[], ms: number, isTechnicalError = false) => ({
  participantType: 'NFC_CHIP_VERIFICATION' as const,
  accepted: errors.length === 0,
  raised,
  errors,
  services: [{ serviceName: SERVICE, isTechnicalError, responseTimeMS: Math.round(ms), raisedIndicators: [...raised] }],
});

const nothing = (type: EvidenceType, error: ErrorObject, ms = 0, technical = false): DocumentFound => ({
  type,
  result: resultOf([], [error], ms, technical),
  data: { idDocumentData: {} },
  extracted: false,
});

const portraitAllowed = ({ event, now }: VerificationInput): boolean =>
  consentInForce(event.data.consents, 'PORTRAIT', todayAt(now()));

/** The files of a chip as they were stored, by name. */
const filesOf = async ({ event, intake }: VerificationInput, files: Readonly<Record<string, string>>) => {
  const stored = await intake.chipFiles(event, event.data.evidenceId);
  return Object.fromEntries(
    Object.entries(files).map(([name, mediaId]) => {
      const bytes = stored.get(mediaId);
      if (!bytes) throw new RetryLater('a file of the chip is not there', 500);
      return [name, bytes] as const;
    }),
  );
};

const evidenceOf = (
  submission: ChipSubmission,
  files: Readonly<Record<string, Uint8Array>>,
  now: Date,
): Omit<ChipEvidence, 'trust'> => {
  const bytes = (base64: string): Uint8Array => Buffer.from(base64, 'base64');
  const { challenge, activeAuthenticationResponse: answer, chipAuthentication } = submission;
  const groups = Object.entries(files).filter(([name]) => name.startsWith('dg'));
  return {
    files: {
      documentSecurityObject: files.sod ?? new Uint8Array(),
      ...present({ comFile: files.com, cardAccess: files['card-access'], cardSecurity: files['card-security'] }),
    },
    dataGroups: Object.fromEntries(groups.map(([name, file]) => [name.slice(2), file])),
    challenge: bytes(challenge),
    ...(answer ? { activeAuthenticationResponse: bytes(answer) } : {}),
    ...(chipAuthentication
      ? {
          chipAuthentication: {
            state: chipAuthentication.state as ChipAuthenticationState,
            response: bytes(chipAuthentication.response),
            ...(chipAuthentication.command ? { command: bytes(chipAuthentication.command) } : {}),
          },
        }
      : {}),
    now,
  };
};

const NOT_SENT = 'The chip has a portrait that the reader did not send';

/**
 * A portrait that the reader left out is as bad as a damaged one: the face in the chip may be
 * another than the one on the page. Neither counts if the portrait may not be looked at.
 */
const errorsOf = (
  { errors, findings }: CheckedChip['verification'],
  isAllowed: boolean,
  portrait: PortraitOutcome,
): ErrorObject[] => {
  const isWithheld = findings.some((one) => one.code === 'DATA_GROUP_WITHHELD' && one.dataGroup === 2);
  const isPortrait = ({ code }: ChipFileError) => code === 'PORTRAIT_UNREADABLE';
  const malformed = errors.filter((error) => !isPortrait(error));
  const noPortrait = isAllowed && (portrait.kind === 'UNREADABLE' || errors.some(isPortrait));
  return [
    ...malformed.map(({ file }) => errorObject('CHIP_MALFORMED', file)),
    ...(noPortrait ? [errorObject('CHIP_PORTRAIT', 'dataGroups.2')] : []),
    ...(isAllowed && isWithheld ? [errorObject('CHIP_PORTRAIT', 'dataGroups.2', NOT_SENT)] : []),
  ];
};

/** The checks of the chip, and what its zone says of expiry, issuer and type. */
const indicatorsOf = (
  { indicators, mrz, expired }: CheckedChip['verification'],
  submission: ChipSubmission,
  input: VerificationInput,
): string[] => {
  const { settings, type: declared } = input.event.data;
  const raised = indicators.map(({ name, state }) => `${name}_${state}`);
  if (!mrz) return raised;
  const country = alpha3(mrz.issuingState);
  const expiry = mrz.dateOfExpiry === undefined ? 'UNVERIFIED' : expired ? 'FAILED' : 'OK';
  const { issuingCountry } = submission;
  return [
    ...raised,
    `DOC_EXPIRATION_DATE_${expiry}`,
    ...(mrz.issuingState === SPECIMEN_STATE ? ['DOC_SPECIMEN_FAILED'] : []),
    ...(issuingCountry ? [`DOC_ISSUING_COUNTRY_${issuingCountry === country ? 'OK' : 'WARNING'}`] : []),
    ...typeIndicator(mrz, declared),
    ...issuerIndicators(settings.acceptedIssuers, country),
  ];
};

/** The same crop of the same file has the same id: a repeated job stores it once. */
const cropId = (evidenceId: string, originalMediaId: string): string =>
  createHash('sha256').update(`${evidenceId} ${originalMediaId} chip portrait`).digest('base64url').slice(0, 32);

/**
 * The face on the portrait, and where its template is left out how wide it is. An engine that does
 * not know that it may leave the template out describes it at once.
 */
const faceOf = (seen: PortraitResult | Failed): DocumentFound['face'] => {
  if ('failed' in seen || isUnreadable(seen)) return undefined;
  if (seen.template) return { template: seen.template, width: seen.template.faceWidth };
  const width = seen.usable ? seen.measures?.faceWidth : undefined;
  return typeof width === 'number' ? { width } : undefined;
};

/** What came of the portrait in data group 2. */
type PortraitOutcome =
  /** The chip has none, or it may not be looked at. */
  | { kind: 'NONE' }
  | { kind: 'UNREADABLE' }
  /** The work failed twice with this portrait. */
  | { kind: 'FAILED'; error: ErrorObject }
  /** `face`: absent if none was found on it. */
  | { kind: 'READ'; jpeg: Uint8Array; face: DocumentFound['face'] };

/**
 * Looks for the face on the portrait. The face is described at once only if a portrait waits for
 * it. An engine that reads the JPEG has decoded it. If the engine cannot, that may be its own
 * fault: then the chip process decodes the portrait, and decides whether it is readable.
 */
const readPortrait = async (
  { engine, isAwaited }: VerificationInput,
  portrait: ChipPortrait,
  { decode }: Pick<ChipProcess, 'decode'>,
): Promise<PortraitOutcome> => {
  const job = { image: Buffer.from(portrait.bytes), of: 'DOCUMENT' as const, describe: isAwaited };
  const seen = await lookAtPortrait(engine, job);
  const isRead = portrait.isDecoded || !('failed' in seen || isUnreadable(seen));
  const decoded = isRead ? portrait : await decode(portrait.bytes).catch(failedWork);
  if (typeof decoded === 'string') return withoutPicture(decoded);
  return 'failed' in decoded
    ? { kind: 'FAILED', error: decoded.failed }
    : { kind: 'READ', jpeg: decoded.bytes, face: faceOf(seen) };
};

/** A decoder that failed says nothing about the chip: the message is retried. */
const withoutPicture = (decoding: Exclude<Decoding, ChipPortrait>): PortraitOutcome => {
  if (decoding === 'FAILED') throw new Error('the decoder of portraits failed');
  return { kind: decoding };
};

const portraitOf = async (
  input: VerificationInput,
  { portrait }: CheckedChip,
  process: ChipProcess,
): Promise<PortraitOutcome> => {
  if (portrait === undefined) return { kind: 'NONE' };
  return typeof portrait === 'string' ? withoutPicture(portrait) : readPortrait(input, portrait, process);
};

/** The portrait as JPEG, a crop of data group 2; stored, unless it came with the files. */
const storePortrait = async (
  { event, intake }: VerificationInput,
  submission: ChipSubmission,
  portrait: PortraitOutcome,
  dataGroup2: Uint8Array | undefined,
): Promise<Pick<DocumentFound, 'face' | 'crop'>> => {
  const originalMediaId = submission.files?.dg2;
  if (portrait.kind !== 'READ' || !originalMediaId) return {};
  const { evidenceId } = event.data;
  const stored = submission.portrait;
  if (stored && dataGroup2 && Buffer.compare(dataGroup2.subarray(stored.at), portrait.jpeg) === 0)
    return { ...present({ face: portrait.face }), crop: { evidenceId, mediaId: stored.mediaId, originalMediaId } };
  const crop = { evidenceId, mediaId: cropId(evidenceId, originalMediaId), originalMediaId };
  const isStored = await intake.storeCrop(event, { ...crop, jpeg: Buffer.from(portrait.jpeg) });
  // Without its crop the evidence was deleted meanwhile, and so is what was found of it.
  return isStored ? { ...present({ face: portrait.face }), crop } : {};
};

/**
 * NFC_CHIP_VERIFICATION: checks what a reader sent of a chip, in a process that holds no secret.
 */
export const verifyChipFiles = async (
  input: VerificationInput,
  submission: ChipSubmission,
  { process, trust }: Chips,
): Promise<DocumentFound> => {
  const { type: declared } = input.event.data;
  if (!submission.files) return nothing(declared, errorObject('CHIP_NOT_READ'));
  const isAllowed = portraitAllowed(input);
  const files = await filesOf(input, submission.files);
  const started = performance.now();
  const checked = await process
    .check(evidenceOf(submission, files, input.now()), await trust.current(), isAllowed)
    .catch(failedWork);
  const ms = performance.now() - started;
  if ('failed' in checked) return nothing(declared, checked.failed, ms, true);
  const portrait = await portraitOf(input, checked, process);
  if (portrait.kind === 'FAILED') return nothing(declared, portrait.error, ms, true);
  const { verification } = checked;
  const { mrz, holder, document } = verification;
  const type = mrz ? typeOfChip(mrz, declared) : declared;
  const errors = errorsOf(verification, isAllowed, portrait);
  const bound = verification.dataGroups['1'] === 'OK';
  return {
    type,
    result: resultOf(indicatorsOf(verification, submission, input), errors, ms),
    data: mrz ? legible(dataOfChip({ mrz, bound, holder, document }, type, alpha3)) : { idDocumentData: {} },
    extracted: mrz !== undefined,
    ...(await storePortrait(input, submission, portrait, files.dg2)),
  };
};
