import {
  type CaptureDetails,
  type CaptureImage,
  type EvidenceDetails,
  type EvidenceType,
  FAMILY_OF_TYPE,
  type MediaReference,
} from '@assay/contracts';
import type { EvaluatedOnce, Submission, Submitted } from './history.ts';
import { submittedData } from './submitted-data.ts';
import { withoutEmpty, withoutEmptyThroughout } from './without-empty.ts';

const LIVE_OPERATIONS = ['LIVENESS_VIDEO', 'ID_DOCUMENT_LIVE_CAPTURE'];

const captureImage = (
  { mediaId, role }: MediaReference,
  { captureDetails: details }: Submission,
  live: boolean,
): CaptureImage =>
  withoutEmpty({
    channel: details?.channel,
    deviceModel: details?.deviceModel,
    id: mediaId,
    osType: details?.osType,
    osVersion: details?.osVersion,
    side: role === 'FRONT' || role === 'BACK' ? role : undefined,
    source: details?.source ?? (live ? 'LIVE_CAPTURE_IMAGE' : 'OTHER'),
  });

const mediaFields = (media: readonly MediaReference[], submitted: Submitted | undefined) => {
  const submission = submitted?.submission ?? {};
  const live = LIVE_OPERATIONS.includes(submitted?.operation ?? '');
  const images = media.filter(({ role }) => ['FRONT', 'BACK', 'PORTRAIT', 'FRAME'].includes(role));
  const crops = media.filter(({ role }) => role === 'CROP');
  return {
    captureImages: images.map((image) => captureImage(image, submission, live)),
    photoCrops: crops.map(({ mediaId, originalMediaId }) =>
      withoutEmpty({ id: mediaId, originalCaptureId: originalMediaId }),
    ),
    video: media.find(({ role }) => role === 'VIDEO')?.mediaId,
  };
};

/** What a capture says of its device and SDK, by the names that the proof has. */
const deviceFields = ({ deviceInfo = {}, sdkInfo = {} }: CaptureDetails) => {
  const { browserName, browserVersion, deviceManufacturer, deviceModel, osType, osVersion } = deviceInfo;
  const { sdkInfo: sdk = {} } = deviceInfo;
  const { sdkVersion } = typeof sdk === 'string' ? { sdkVersion: sdk } : sdk;
  const ofDevice = { browserName, browserVersion, deviceManufacturer, deviceModel, osType, osVersion };
  return {
    deviceInfo: withoutEmpty({ ...ofDevice, sdkInfo: withoutEmpty({ sdkVersion }) }),
    sdkInfo: withoutEmpty({ sdkVersion: sdkInfo.sdkVersion }),
  };
};

export interface EvidenceInput {
  evidenceId: string;
  type: EvidenceType;
  submitted: Submitted | undefined;
  evaluation: EvaluatedOnce | undefined;
  /** Media in the archive; none for a deleted or replaced evidence. */
  media: readonly MediaReference[];
}

/**
 * What was stated about additional files is with the first of them, as long as there is one; their
 * deletion leaves it here.
 */
const statedOfFiles = ({ metadata = [] }: Submission, media: readonly MediaReference[]) =>
  metadata.length > 0 && media.length === 0 ? { metadata } : {};

/**
 * evidenceDetails of an addition: the evidence, what was read from it, and the names of its images
 * in the archive.
 */
export const evidenceDetails = ({ evidenceId, type, submitted, evaluation, media }: EvidenceInput): EvidenceDetails => {
  const { attributesReferenceId, addressReferenceId } = evaluation?.evidence.proof ?? {};
  const { submission = {} } = submitted ?? {};
  const stated = { ...submittedData(submission), ...statedOfFiles(submission, media) };
  return {
    id: evidenceId,
    family: FAMILY_OF_TYPE[type],
    type,
    ...withoutEmpty({
      addressReferenceId,
      attributesReferenceId,
      ...mediaFields(media, submitted),
      // Values that were read precede those that were submitted; submitted values that cannot be
      // read (state, card, address) stay.
      data: withoutEmptyThroughout({ ...stated, ...evaluation?.read.data }),
      originLanguageData: withoutEmptyThroughout(evaluation?.read.originLanguageData),
      ...deviceFields(submission.captureDetails ?? {}),
    }),
  };
};

/** evidenceDetails of a deletion: id, type and family only. */
export const deletedDetails = (evidenceId: string, type: EvidenceType): EvidenceDetails => ({
  id: evidenceId,
  family: FAMILY_OF_TYPE[type],
  type,
});
