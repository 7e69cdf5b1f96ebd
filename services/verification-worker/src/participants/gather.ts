import {
  type AddressRequest,
  type AttributesRequest,
  type CaptureDetails,
  type DocumentText,
  dateOf,
  type EvidenceType,
  type HealthCard,
  type MediaReference,
} from '@assay/contracts';
import type { EvidenceKind } from '@assay/policy';
import { newId } from '@assay/runtime';
import type { CaseEvidence, SealedParts } from '../domain/case.ts';
import { asAgreed, unconfirmed } from '../domain/confirmed-data.ts';
import { questionOf } from '../domain/document-view.ts';
import {
  dataOfAddress,
  dataOfAttributes,
  dataOfHealthCard,
  dataOfText,
  type EvidenceData,
} from '../domain/evidence-data.ts';
import { expiryIndicators } from '../domain/expiry.ts';
import { planIssuerCheck } from '../domain/issuer-plan.ts';
import type { Vault } from '../vault.ts';
import type { Gathered, Gathering, Submitted } from './gathering.ts';
import { readDocumentImages } from './image-ocr.ts';
import { checkPortrait } from './portrait-quality.ts';
import { detailsOf, type ParticipantResult } from './timing.ts';

/** What a submission holds, as evidence-intake seals it. */
interface Submission {
  captureDetails?: CaptureDetails;
  documentText?: DocumentText;
  healthCard?: HealthCard;
  attributes?: AttributesRequest;
  address?: AddressRequest;
}

/** The kind of an evidence, by the operation that submitted it. */
export const kindOf = ({ operation, type }: { operation: string; type: EvidenceType }): EvidenceKind | undefined => {
  if (type === 'MEDICARE') return 'healthCard';
  if (type === 'PORTRAIT') return 'portrait';
  if (type === 'PORTRAIT_REFERENCE') return 'portraitReference';
  if (type === 'ATTRIBUTES') return 'attributes';
  if (type === 'ADDRESS') return 'address';
  if (type === 'ADDITIONAL_FILE') return undefined;
  return operation === 'ID_DOCUMENT' ? 'documentText' : 'documentImage';
};

/** What replies show with the evidence VERIFIED and not, and what the proof shows, each sealed. */
export const sealedViews = (vault: Vault, data: EvidenceData): SealedParts => {
  const { idDocumentData, attributesData, addressData } = asAgreed(data);
  const shown = {
    ...(idDocumentData ? { idDocumentData } : {}),
    ...(attributesData ? { attributesData } : {}),
    ...(addressData ? { addressData } : {}),
  };
  return {
    data: vault.seal('evidence-data', data),
    ifVerified: vault.seal('evidence-data', shown),
    otherwise: vault.seal('evidence-data', unconfirmed(shown)),
    ...(data.proof ? { details: vault.seal('evidence-details', data.proof) } : {}),
  };
};

/** What of a submission's media is looked at. */
export const picturesOf = (media: readonly MediaReference[]): MediaReference[] =>
  media.filter(({ role }) => role === 'FRONT' || role === 'BACK' || role === 'PORTRAIT');

const bare = ({ data }: Submitted, kind: EvidenceKind): CaseEvidence => ({
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
});

/** An evidence that nobody could or may look at: it ends as `endedBy` says. */
export const endedEvidence = (event: Submitted, endedBy: NonNullable<CaseEvidence['endedBy']>): CaseEvidence => {
  const kind = kindOf(event.data) ?? 'documentImage';
  return { ...bare(event, kind), endedBy };
};

const timed = (gathering: Gathering, startedAt: Date, results: readonly ParticipantResult[], blocking: boolean) =>
  results.map((result, at) =>
    detailsOf(result, {
      evidenceId: gathering.event.data.evidenceId,
      startedAt,
      endedAt: gathering.now(),
      blocking: blocking && at === 0,
      sessionId: gathering.event.data.sessionId,
    }),
  );

/** Asks the issuing source, or says why not, as GOV_VERIFICATION. */
const withIssuer = (
  gathering: Gathering,
  evidence: CaseEvidence,
  question: DocumentText | HealthCard | undefined,
): Gathered => {
  const { event, vault, now } = gathering;
  const plan = planIssuerCheck({
    kind: evidence.kind,
    type: evidence.type,
    consents: event.data.consents,
    settings: event.data.settings,
    askable: question !== undefined,
    today: dateOf(now()),
  });
  if (!plan.ask) {
    const result: ParticipantResult = {
      participantType: 'GOV_VERIFICATION',
      accepted: false,
      raised: plan.raised,
      services: [],
    };
    const participants = [...evidence.participants, ...timed(gathering, now(), [result], false)];
    return { evidence: { ...evidence, participants } };
  }
  const checkId = newId();
  const sealedDocument = vault.seal('document', question);
  return {
    evidence: { ...evidence, awaitingIssuer: true, checkId, sealed: { ...evidence.sealed, question: sealedDocument } },
    askIssuer: { checkId, sealedDocument },
  };
};

const gatherImages = async (gathering: Gathering, details: CaptureDetails): Promise<Gathered> => {
  const { event, vault, now } = gathering;
  const startedAt = now();
  const { type, result, data, extracted, face, crop } = await readDocumentImages(gathering, details);
  const evidence: CaseEvidence = {
    ...bare(event, 'documentImage'),
    type,
    extracted,
    participants: timed(gathering, startedAt, [result], true),
    sealed: {
      ...sealedViews(vault, data),
      fields: vault.seal('fields', data.idDocumentData ?? {}),
      ...(face ? { face: vault.seal('template', face.template) } : {}),
    },
    ...(face ? { face: { width: face.width } } : {}),
    crops: crop ? [{ mediaId: crop.mediaId, originalMediaId: crop.originalMediaId }] : [],
  };
  if (crop) evidence.media.push({ mediaId: crop.mediaId, label: 'CROP' });
  if (!result.accepted) return { evidence };
  const expired = result.raised.includes('DOC_EXPIRATION_DATE_FAILED');
  return withIssuer(gathering, evidence, expired ? undefined : questionOf(data, type));
};

const gatherPortrait = async (gathering: Gathering, kind: EvidenceKind, details: CaptureDetails): Promise<Gathered> => {
  const { event, vault, now } = gathering;
  const startedAt = now();
  const { results, usable, face } = await checkPortrait(gathering);
  const { source, channel } = details;
  return {
    evidence: {
      ...bare(event, kind),
      participants: timed(gathering, startedAt, results, true),
      ...(kind === 'portrait'
        ? {
            portraitQuality: usable,
            portraitData: { ...(source ? { source } : {}), ...(channel ? { channel } : {}) },
          }
        : {}),
      ...(face ? { face: { width: face.width }, sealed: { face: vault.seal('template', face.template) } } : {}),
    },
  };
};

/** A document that was not seen: what is stated of it, its expiry, and its issuer. */
const gatherStated = (
  gathering: Gathering,
  kind: 'documentText' | 'healthCard',
  data: EvidenceData,
  question: DocumentText | HealthCard,
): Gathered => {
  const { event, vault, now } = gathering;
  const raised = expiryIndicators(question, dateOf(now()));
  const result: ParticipantResult = { participantType: 'CLAIM_VERIFICATION', accepted: true, raised, services: [] };
  const evidence: CaseEvidence = {
    ...bare(event, kind),
    participants: raised.length > 0 ? timed(gathering, now(), [result], false) : [],
    sealed: { ...sealedViews(vault, data), fields: vault.seal('fields', data.idDocumentData ?? {}) },
  };
  return raised.includes('DOC_EXPIRATION_DATE_FAILED')
    ? withIssuer(gathering, evidence, undefined)
    : withIssuer(gathering, evidence, question);
};

const gatherStatement = ({ event, vault }: Gathering, kind: EvidenceKind, data: EvidenceData): Gathered => ({
  evidence: { ...bare(event, kind), sealed: sealedViews(vault, data) },
});

/** Has the participants of a submission look at it; undefined when nothing of this kind is ever evaluated. */
export const gather = async (gathering: Gathering): Promise<Gathered | undefined> => {
  const { event, vault, begun } = gathering;
  const kind = kindOf(event.data);
  const { sealedSubmission } = event.data;
  const submission: Submission = sealedSubmission ? vault.open<Submission>('submission', sealedSubmission) : {};
  const { captureDetails = {}, documentText, healthCard, attributes, address } = submission;
  switch (kind) {
    case 'documentImage':
      begun(event.identityId, event.data.evidenceId, 'IMAGE_OCR');
      return gatherImages(gathering, captureDetails);
    case 'portrait':
    case 'portraitReference':
      begun(event.identityId, event.data.evidenceId, 'BIOMETRIC_QUALITY_CHECK');
      return gatherPortrait(gathering, kind, captureDetails);
    case 'documentText':
      return documentText && gatherStated(gathering, kind, dataOfText(documentText), documentText);
    case 'healthCard':
      return healthCard && gatherStated(gathering, kind, dataOfHealthCard(healthCard), healthCard);
    case 'attributes':
      return attributes && gatherStatement(gathering, kind, dataOfAttributes(attributes));
    case 'address':
      return address && gatherStatement(gathering, kind, dataOfAddress(address));
    default:
      return undefined;
  }
};
