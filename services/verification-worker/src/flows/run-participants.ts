import {
  type CaptureDetails,
  type ChipSubmission,
  type DocumentText,
  type HealthCard,
  type MediaReference,
  present,
  todayAt,
} from '@assay/contracts';
import type { EvidenceKind } from '@assay/policy';
import { newId } from '@assay/runtime';
import type { CaseEvidence, SealedParts } from '../domain/case.ts';
import { unconfirmed, withoutIssuer } from '../domain/confirmed-data.ts';
import { questionOf } from '../domain/document-view.ts';
import {
  dataOfAddress,
  dataOfAttributes,
  dataOfHealthCard,
  dataOfText,
  type EvidenceData,
  operatorFields,
  shownOf,
} from '../domain/evidence-data.ts';
import { kindOf } from '../domain/evidence-kind.ts';
import { expiryIndicators } from '../domain/expiry.ts';
import { planIssuerCheck } from '../domain/issuer-plan.ts';
import { type DocumentFound, readDocumentImages } from './image-ocr.ts';
import { detailsOf, type ParticipantResult } from './participant-details.ts';
import { checkPortrait } from './portrait-quality.ts';
import type { Sealer } from './sealer.ts';
import type { SubmissionContent, Submitted, VerificationInput } from './verification-input.ts';
import { verifyChipFiles } from './verify-chip.ts';

/** What replies show with the evidence VERIFIED and not, and what the proof shows, each sealed. */
export const sealedViews = (sealer: Sealer, data: EvidenceData): SealedParts => {
  const shown = shownOf(data);
  const seal = (value: unknown) => sealer.seal('evidence-data', value);
  return {
    data: seal(data),
    ifVerified: seal(shown),
    otherwise: seal(unconfirmed(shown)),
    ...(data.confirmedWithoutIssuer && { withoutIssuer: { ifVerified: seal(shownOf(withoutIssuer(data))) } }),
    ...present({ details: data.proof && sealer.seal('evidence-details', data.proof) }),
  };
};

/** The media of a submission that are examined. */
export const picturesOf = (media: readonly MediaReference[]): MediaReference[] =>
  media.filter(({ role }) => role === 'FRONT' || role === 'BACK' || role === 'PORTRAIT');

/** An evidence of which only the submission is known. */
export const withoutFindings = ({ data }: Submitted, kind: EvidenceKind): CaseEvidence => ({
  evidenceId: data.evidenceId,
  type: data.type,
  kind,
  submitDateTime: data.submitDateTime,
  settings: data.settings,
  consents: data.consents,
  participants: [],
  sealed: {},
  crops: [],
  media: picturesOf(data.media).map(({ mediaId, role }) => ({ mediaId, label: role })),
  ...present({ submittedBy: data.submittedBy }),
  ...(kind === 'portrait' && data.awaitedDocumentIds ? { awaits: data.awaitedDocumentIds } : {}),
});

/** An evidence that could not or may not be examined: it ends with the error `endedBy`. */
export const endedEvidence = (event: Submitted, endedBy: NonNullable<CaseEvidence['endedBy']>): CaseEvidence => {
  const kind = kindOf(event.data) ?? 'documentImage';
  return { ...withoutFindings(event, kind), endedBy };
};

const timed = (input: VerificationInput, startedAt: Date, results: readonly ParticipantResult[], blocking: boolean) =>
  results.map((result, at) =>
    detailsOf(result, {
      evidenceId: input.event.data.evidenceId,
      startedAt,
      endedAt: input.now(),
      blocking: blocking && at === 0,
      sessionId: input.event.data.sessionId,
    }),
  );

/**
 * The evidence as it waits for its issuing source, with the sealed question; or, if the source may
 * not be asked, with the reason as GOV_VERIFICATION.
 */
const withIssuer = (
  input: VerificationInput,
  evidence: CaseEvidence,
  question: DocumentText | HealthCard | undefined,
): CaseEvidence => {
  const { event, sealer, now } = input;
  const plan = planIssuerCheck({
    kind: evidence.kind,
    type: evidence.type,
    consents: event.data.consents,
    settings: event.data.settings,
    askable: question !== undefined,
    today: todayAt(now()),
  });
  if (!plan.ask) {
    const result: ParticipantResult = {
      participantType: 'GOV_VERIFICATION',
      accepted: false,
      raised: plan.raised,
      services: [],
    };
    const participants = [...evidence.participants, ...timed(input, now(), [result], false)];
    return { ...evidence, participants };
  }
  const sealed = { ...evidence.sealed, question: sealer.seal('document', question) };
  return { ...evidence, awaitingIssuer: true, checkId: newId(), sealed };
};

/** The members of an evidence that hold what was found in a document's images or chip. */
const findingsOf = ({ sealer }: VerificationInput, { type, data, extracted, face, crop }: DocumentFound) => ({
  type,
  extracted,
  sealed: {
    ...sealedViews(sealer, data),
    fields: sealer.seal('fields', operatorFields(data)),
    ...present({ face: face?.template && sealer.seal('template', face.template) }),
  },
  ...(face ? { face: { width: face.width } } : {}),
  ...present({ undescribed: face && !face.template ? crop?.mediaId : undefined }),
  crops: crop ? [{ mediaId: crop.mediaId, originalMediaId: crop.originalMediaId }] : [],
});

const verifyImages = async (input: VerificationInput, details: CaptureDetails): Promise<CaseEvidence> => {
  const { event, now } = input;
  const startedAt = now();
  const found = await readDocumentImages(input, details);
  const { type, result, data, crop } = found;
  const evidence: CaseEvidence = {
    ...withoutFindings(event, 'documentImage'),
    ...findingsOf(input, found),
    participants: timed(input, startedAt, [result], true),
  };
  if (crop) evidence.media.push({ mediaId: crop.mediaId, label: 'CROP' });
  if (!result.accepted) return evidence;
  const expired = result.raised.includes('DOC_EXPIRATION_DATE_FAILED');
  return withIssuer(input, evidence, expired ? undefined : questionOf(data, type));
};

/** No issuing source is asked about a chip: its issuer has signed it. */
const verifyChip = async (input: VerificationInput, chip: ChipSubmission): Promise<CaseEvidence> => {
  const { event, now } = input;
  const startedAt = now();
  const found = await verifyChipFiles(input, chip, input.chips);
  const { result, crop } = found;
  return {
    ...withoutFindings(event, 'documentChip'),
    ...findingsOf(input, found),
    participants: timed(input, startedAt, [result], true),
    ...present({ imageEvidenceId: chip.imageEvidenceId }),
    media: crop ? [{ mediaId: crop.mediaId, label: 'CROP' }] : [],
  };
};

const verifyPortrait = async (
  input: VerificationInput,
  kind: 'portrait' | 'portraitReference',
  details: CaptureDetails,
): Promise<CaseEvidence> => {
  const { event, sealer, now } = input;
  const startedAt = now();
  const { results, usable, face } = await checkPortrait(input);
  // What is not reported is OTHER, as in the proof's captureImages.
  const { source = 'OTHER', channel } = details;
  return {
    ...withoutFindings(event, kind),
    participants: timed(input, startedAt, results, true),
    ...(kind === 'portrait' && { portraitQuality: usable, portraitData: present({ source, channel }) }),
    ...(face && { face: { width: face.width }, sealed: { face: sealer.seal('template', face.template) } }),
  };
};

/** A document without images: its stated values, its expiry, and its issuer. */
const verifyStated = (
  input: VerificationInput,
  kind: 'documentText' | 'healthCard',
  data: EvidenceData,
  question: DocumentText | HealthCard,
): CaseEvidence => {
  const { event, sealer, now } = input;
  const raised = expiryIndicators(question, todayAt(now()));
  const result: ParticipantResult = { participantType: 'CLAIM_VERIFICATION', accepted: true, raised, services: [] };
  const evidence: CaseEvidence = {
    ...withoutFindings(event, kind),
    participants: raised.length > 0 ? timed(input, now(), [result], false) : [],
    sealed: { ...sealedViews(sealer, data), fields: sealer.seal('fields', operatorFields(data)) },
  };
  const isExpired = raised.includes('DOC_EXPIRATION_DATE_FAILED');
  return withIssuer(input, evidence, isExpired ? undefined : question);
};

/** A statement has no participant: it is compared with documents when the case is evaluated. */
const recordStatement = (
  { event, sealer }: VerificationInput,
  kind: 'attributes' | 'address',
  data: EvidenceData,
): CaseEvidence => ({ ...withoutFindings(event, kind), sealed: sealedViews(sealer, data) });

/**
 * Runs the participants of a submission. Gives the evidence with their findings; undefined if this
 * kind is never evaluated.
 */
export const runParticipants = async (input: VerificationInput): Promise<CaseEvidence | undefined> => {
  const { event, sealer, onParticipantStarted } = input;
  const kind = kindOf(event.data);
  const { sealedSubmission } = event.data;
  const submission: SubmissionContent = sealedSubmission
    ? sealer.open<SubmissionContent>('submission', sealedSubmission)
    : {};
  const { captureDetails = {}, documentText, healthCard, attributes, address, chip } = submission;
  switch (kind) {
    case 'documentImage':
      onParticipantStarted(event.identityId, event.data.evidenceId, 'IMAGE_OCR');
      return verifyImages(input, captureDetails);
    case 'portrait':
    case 'portraitReference':
      onParticipantStarted(event.identityId, event.data.evidenceId, 'BIOMETRIC_QUALITY_CHECK');
      return verifyPortrait(input, kind, captureDetails);
    case 'documentChip':
      onParticipantStarted(event.identityId, event.data.evidenceId, 'NFC_CHIP_VERIFICATION');
      return chip && verifyChip(input, chip);
    case 'documentText':
      return documentText && verifyStated(input, kind, dataOfText(documentText), documentText);
    case 'healthCard':
      return healthCard && verifyStated(input, kind, dataOfHealthCard(healthCard), healthCard);
    case 'attributes':
      return attributes && recordStatement(input, kind, dataOfAttributes(attributes));
    case 'address':
      return address && recordStatement(input, kind, dataOfAddress(address));
    default:
      return undefined;
  }
};
