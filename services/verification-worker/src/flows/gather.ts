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
import { verifyChipFiles } from './chip.ts';
import { type DocumentFound, readDocumentImages } from './image-ocr.ts';
import { detailsOf, type ParticipantResult } from './participant-details.ts';
import { checkPortrait } from './portrait-quality.ts';
import type { Sealer } from './sealer.ts';
import type { SubmissionContent, Submitted, VerificationInput, VerifiedSubmission } from './verification-input.ts';

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
export const bare = ({ data }: Submitted, kind: EvidenceKind): CaseEvidence => ({
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
  return { ...bare(event, kind), endedBy };
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

/** Requests a check at the issuing source, or says why not, as GOV_VERIFICATION. */
const withIssuer = (
  input: VerificationInput,
  evidence: CaseEvidence,
  question: DocumentText | HealthCard | undefined,
): VerifiedSubmission => {
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
    return { evidence: { ...evidence, participants } };
  }
  const checkId = newId();
  const sealedDocument = sealer.seal('document', question);
  return {
    evidence: { ...evidence, awaitingIssuer: true, checkId, sealed: { ...evidence.sealed, question: sealedDocument } },
    askIssuer: { checkId, sealedDocument },
  };
};

/** The findings about a document in its images or on its chip. */
const seenIn = ({ sealer }: VerificationInput, { type, data, extracted, face, crop }: DocumentFound) => ({
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

const gatherImages = async (input: VerificationInput, details: CaptureDetails): Promise<VerifiedSubmission> => {
  const { event, now } = input;
  const startedAt = now();
  const seen = await readDocumentImages(input, details);
  const { type, result, data, crop } = seen;
  const evidence: CaseEvidence = {
    ...bare(event, 'documentImage'),
    ...seenIn(input, seen),
    participants: timed(input, startedAt, [result], true),
  };
  if (crop) evidence.media.push({ mediaId: crop.mediaId, label: 'CROP' });
  if (!result.accepted) return { evidence };
  const expired = result.raised.includes('DOC_EXPIRATION_DATE_FAILED');
  return withIssuer(input, evidence, expired ? undefined : questionOf(data, type));
};

/** No issuing source is asked about a chip: its issuer has signed it. */
const gatherChip = async (input: VerificationInput, chip: ChipSubmission): Promise<VerifiedSubmission> => {
  const { event, now } = input;
  const startedAt = now();
  const seen = await verifyChipFiles(input, chip, input.chips);
  const { result, crop } = seen;
  return {
    evidence: {
      ...bare(event, 'documentChip'),
      ...seenIn(input, seen),
      participants: timed(input, startedAt, [result], true),
      ...(chip.imageEvidenceId ? { imageEvidenceId: chip.imageEvidenceId } : {}),
      media: crop ? [{ mediaId: crop.mediaId, label: 'CROP' }] : [],
    },
  };
};

const gatherPortrait = async (
  input: VerificationInput,
  kind: EvidenceKind,
  details: CaptureDetails,
): Promise<VerifiedSubmission> => {
  const { event, sealer, now } = input;
  const startedAt = now();
  const { results, usable, face } = await checkPortrait(input);
  // What is not reported is OTHER, as in the proof's captureImages.
  const { source = 'OTHER', channel } = details;
  return {
    evidence: {
      ...bare(event, kind),
      participants: timed(input, startedAt, results, true),
      ...(kind === 'portrait'
        ? {
            portraitQuality: usable,
            portraitData: { ...present({ source, channel }) },
          }
        : {}),
      ...(face ? { face: { width: face.width }, sealed: { face: sealer.seal('template', face.template) } } : {}),
    },
  };
};

/** A document without images: its stated values, its expiry, and its issuer. */
const gatherStated = (
  input: VerificationInput,
  kind: 'documentText' | 'healthCard',
  data: EvidenceData,
  question: DocumentText | HealthCard,
): VerifiedSubmission => {
  const { event, sealer, now } = input;
  const raised = expiryIndicators(question, todayAt(now()));
  const result: ParticipantResult = { participantType: 'CLAIM_VERIFICATION', accepted: true, raised, services: [] };
  const evidence: CaseEvidence = {
    ...bare(event, kind),
    participants: raised.length > 0 ? timed(input, now(), [result], false) : [],
    sealed: { ...sealedViews(sealer, data), fields: sealer.seal('fields', operatorFields(data)) },
  };
  return raised.includes('DOC_EXPIRATION_DATE_FAILED')
    ? withIssuer(input, evidence, undefined)
    : withIssuer(input, evidence, question);
};

const gatherStatement = (
  { event, sealer }: VerificationInput,
  kind: EvidenceKind,
  data: EvidenceData,
): VerifiedSubmission => ({
  evidence: { ...bare(event, kind), sealed: sealedViews(sealer, data) },
});

/** Runs the participants of a submission; undefined if this kind is never evaluated. */
export const gather = async (input: VerificationInput): Promise<VerifiedSubmission | undefined> => {
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
      return gatherImages(input, captureDetails);
    case 'portrait':
    case 'portraitReference':
      onParticipantStarted(event.identityId, event.data.evidenceId, 'BIOMETRIC_QUALITY_CHECK');
      return gatherPortrait(input, kind, captureDetails);
    case 'documentChip':
      onParticipantStarted(event.identityId, event.data.evidenceId, 'NFC_CHIP_VERIFICATION');
      return chip && gatherChip(input, chip);
    case 'documentText':
      return documentText && gatherStated(input, kind, dataOfText(documentText), documentText);
    case 'healthCard':
      return healthCard && gatherStated(input, kind, dataOfHealthCard(healthCard), healthCard);
    case 'attributes':
      return attributes && gatherStatement(input, kind, dataOfAttributes(attributes));
    case 'address':
      return address && gatherStatement(input, kind, dataOfAddress(address));
    default:
      return undefined;
  }
};
