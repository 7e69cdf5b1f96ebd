import { createHash } from 'node:crypto';
import {
  type CaptureDetails,
  type ErrorObject,
  type EvidenceType,
  errorObject,
  present,
  todayAt,
  type VerificationService,
} from '@assay/contracts';
import { type DocumentSeen, type FaceTemplate, isUnreadable, type PortraitCut } from '@assay/engine';
import type { Crop } from '../clients/intake.ts';
import { dataOfReading } from '../domain/document-view.ts';
import type { EvidenceData } from '../domain/evidence-data.ts';
import { legible } from '../domain/legible.ts';
import { lookAtDocument } from './engine-calls.ts';
import type { ParticipantResult } from './participant-details.ts';
import type { VerificationInput } from './verification-input.ts';

/** What was found in the images of a document, or on its chip. */
export interface DocumentFound {
  type: EvidenceType;
  result: ParticipantResult;
  data: EvidenceData;
  extracted: boolean;
  /**
   * The face that a portrait can be compared with; if it has no template, it is found in the crop.
   */
  face?: { template?: FaceTemplate; width: number };
  /** The portrait's crop; absent also when the evidence was deleted. */
  crop?: Omit<Crop, 'jpeg'>;
}

/**
 * Failed checks after which nothing else can be verified: the participant is rejected
 * (specification, VerificationDetails).
 */
const STOPS = [
  'AUTHORIZED_DOCUMENT_TYPE_FAILED',
  'REQUIRED_SIDES_CHECK_FAILED',
  'IMAGE_WITHOUT_DOCUMENT_CHECK_FAILED',
  'DOCUMENT_ISSUER_WHITE_LIST_FAILED',
];

type Reader = VerificationInput['engine']['reader'];

const service = (
  reader: Reader,
  responseTimeMS: number,
  raised: readonly string[],
  isTechnicalError = false,
): VerificationService => ({
  serviceName: reader.name,
  serviceVersion: reader.version,
  isTechnicalError,
  responseTimeMS: Math.round(responseTimeMS),
  raisedIndicators: [...raised],
});

const mainOcrService = ({ name, version }: Reader): string => `${name} ${version}`;

interface Rejection {
  errors: ErrorObject[];
  /** How long the engine took; 0 where it was not asked. */
  ms?: number;
  isTechnicalError?: boolean;
}

const rejected = (
  reader: Reader,
  type: EvidenceType,
  { errors, ms = 0, isTechnicalError = false }: Rejection,
): DocumentFound => ({
  type,
  result: {
    participantType: 'IMAGE_OCR',
    accepted: false,
    raised: [],
    errors,
    services: [service(reader, ms, [], isTechnicalError)],
    mainOcrService: mainOcrService(reader),
  },
  data: { idDocumentData: {} },
  extracted: false,
});

/** A tenant may accept documents of some issuers only. */
export const issuerIndicators = (accepted: readonly string[] | undefined, country: string | undefined): string[] => {
  if (!accepted) return [];
  if (!country) return ['DOCUMENT_ISSUER_WHITE_LIST_UNVERIFIED'];
  return [`DOCUMENT_ISSUER_WHITE_LIST_${accepted.includes(country) ? 'OK' : 'FAILED'}`];
};

/** The same crop of the same image has the same id, so a repeated job stores it once. */
const cropId = (evidenceId: string, originalMediaId: string): string =>
  createHash('sha256').update(`${evidenceId} ${originalMediaId} portrait`).digest('base64url').slice(0, 32);

/**
 * Stores the crop of a portrait once, whether the engine reports it during its work or in its
 * result.
 */
const createCropStore = ({ event, intake }: VerificationInput) => {
  const { evidenceId, media } = event.data;
  let storing: Promise<DocumentFound['crop']> | undefined;
  return (portrait: PortraitCut): Promise<DocumentFound['crop']> => {
    const original = media.find(({ role }) => role === portrait.side);
    if (!original) return Promise.resolve(undefined);
    const crop = { evidenceId, mediaId: cropId(evidenceId, original.mediaId), originalMediaId: original.mediaId };
    storing ??= intake
      .storeCrop(event, { ...crop, jpeg: Buffer.from(portrait.crop) })
      .then((isThere) => (isThere ? crop : undefined));
    return storing;
  };
};

const typeOf = (declared: EvidenceType, { reading }: DocumentSeen): EvidenceType =>
  declared === 'TAX_CARD' || declared === 'VOTER_CARD' ? declared : (reading.recognition?.type ?? declared);

const found = (
  input: VerificationInput,
  seen: DocumentSeen,
  crop: DocumentFound['crop'],
  ms: number,
): DocumentFound => {
  const { data: submitted } = input.event;
  const { reader } = input.engine;
  const type = typeOf(submitted.type, seen);
  const data = legible(dataOfReading(seen.reading, type));
  const country = data.idDocumentData?.issuingCountry;
  const raised = [...new Set([...seen.indicators, ...issuerIndicators(submitted.settings.acceptedIssuers, country)])];
  const stops = raised.some((indicator) => STOPS.includes(indicator));
  const unexpected = raised.includes('DOCUMENT_ISSUER_WHITE_LIST_FAILED') ? [errorObject('UNEXPECTED_ISSUER')] : [];
  const template = seen.portrait?.template;
  return {
    type,
    result: {
      participantType: 'IMAGE_OCR',
      accepted: !stops,
      raised,
      errors: [...seen.errors, ...unexpected],
      services: [service(reader, seen.timings.total ?? ms, raised)],
      mainOcrService: mainOcrService(reader),
    },
    data,
    extracted: Object.keys(data.idDocumentData ?? {}).length > 0,
    ...(template ? { face: { template, width: template.faceWidth } } : {}),
    ...present({ crop }),
  };
};

/** IMAGE_OCR: reads and authenticates a document from its images. */
export const readDocumentImages = async (input: VerificationInput, details: CaptureDetails): Promise<DocumentFound> => {
  const { event, engine, intake, now } = input;
  const { media, type } = event.data;
  const front = media.find(({ role }) => role === 'FRONT');
  const back = media.find(({ role }) => role === 'BACK');
  if (!front) return rejected(engine.reader, type, { errors: [errorObject('SIDE_MISSING', 'DocumentFront')] });
  const [frontBytes, backBytes] = await Promise.all([
    intake.medium(event, front.mediaId),
    back ? intake.medium(event, back.mediaId) : undefined,
  ]);
  const started = performance.now();
  const storeCrop = createCropStore(input);
  const job = {
    front: frontBytes,
    ...present({ back: backBytes }),
    details: {
      ...(type === 'ID_DOCUMENT' ? {} : { documentType: type }),
      ...present({ jurisdiction: details.jurisdiction, source: details.source }),
    },
    today: todayAt(now()),
  };
  // The code below that waits for the crop gets the error.
  const seen = await lookAtDocument(engine, job, (portrait) => void storeCrop(portrait).catch(() => undefined));
  const ms = performance.now() - started;
  if ('failed' in seen) return rejected(engine.reader, type, { errors: [seen.failed], ms, isTechnicalError: true });
  if (isUnreadable(seen)) return rejected(engine.reader, type, { errors: [seen.error], ms });
  return found(input, seen, seen.portrait && (await storeCrop(seen.portrait)), ms);
};
