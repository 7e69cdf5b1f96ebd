import { RetryLater } from '@assay/bus';
import type { Envelope, MediaReference } from '@assay/contracts';
import { ApiError, type InternalClient } from '@assay/http';

type Caller = Pick<Envelope<unknown>, 'id' | 'tenantId' | 'identityId' | 'key'>;

/** What the worker asks of evidence-intake, on behalf of the identity whose key the message carries. */
export interface Intake {
  /** The bytes of a medium, as uploaded. */
  medium(caller: Caller, mediaId: string): Promise<Buffer>;
  /** Keeps a crop of one of the evidence's images; repeating it changes nothing. False when the evidence is gone. */
  keepCrop(caller: Caller, crop: Crop): Promise<boolean>;
}

export interface Crop {
  evidenceId: string;
  mediaId: string;
  originalMediaId: string;
  jpeg: Buffer;
}

/** The same, with the submission's pictures on their way already: whoever asks for one gets it sooner. */
export const readAhead = (intake: Intake, caller: Caller, pictures: readonly MediaReference[]): Intake => {
  const onTheirWay = new Map(pictures.map(({ mediaId }) => [mediaId, intake.medium(caller, mediaId)]));
  // One that nobody asks for in the end may fail unheard.
  for (const picture of onTheirWay.values()) picture.catch(() => undefined);
  return { ...intake, medium: (by, mediaId) => onTheirWay.get(mediaId) ?? intake.medium(by, mediaId) };
};

const claimsOf = ({ id, tenantId, identityId, key }: Caller) => ({
  requestId: id,
  tenantId,
  identityId,
  ...(key ? { key } : {}),
});

const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

export const createIntakeClient = (client: InternalClient): Intake => ({
  medium: async (caller, mediaId) => {
    const { bytes } = await client
      .getBytes(`/internal/v1/media/${mediaId}`, claimsOf(caller))
      .catch((error: unknown) => {
        // Deleted while the message waited, most likely: news of the deletion is on its way.
        throw isGone(error) ? new RetryLater('the medium is not there', 500) : error;
      });
    return bytes;
  },
  keepCrop: async (caller, { evidenceId, mediaId, originalMediaId, jpeg }) => {
    const path = `/internal/v1/evidences/${evidenceId}/crops/${mediaId}?original=${originalMediaId}`;
    try {
      await client.putBytes(path, claimsOf(caller), jpeg, 'image/jpeg');
      return true;
    } catch (error) {
      if (isGone(error)) return false;
      throw error;
    }
  },
});
