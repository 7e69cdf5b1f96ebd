import { RetryLater } from '@assay/bus';
import { ChipFilesReplySchema, type Envelope, type MediaReference } from '@assay/contracts';
import { ApiError, type CallClaims, type InternalClient } from '@assay/http';
import type { Keyring } from '@assay/sealing';

type Caller = Pick<Envelope<unknown>, 'id' | 'tenantId' | 'identityId'>;

/** The requests to evidence-intake, on behalf of the identity of a message. */
export interface Intake {
  /** The bytes of a medium, as uploaded. */
  medium(caller: Caller, mediaId: string): Promise<Buffer>;
  /** The files that were brought of a chip, by the ids of their media. */
  chipFiles(caller: Caller, evidenceId: string): Promise<ReadonlyMap<string, Buffer>>;
  /**
   * Stores a crop of one of the evidence's images; repeating it changes nothing. False when the
   * evidence was deleted.
   */
  storeCrop(caller: Caller, crop: Crop): Promise<boolean>;
}

export interface Crop {
  evidenceId: string;
  mediaId: string;
  originalMediaId: string;
  jpeg: Buffer;
}

/** The same, with the images of the submission requested in advance. */
export const readAhead = (intake: Intake, caller: Caller, pictures: readonly MediaReference[]): Intake => {
  const onTheirWay = new Map(pictures.map(({ mediaId }) => [mediaId, intake.medium(caller, mediaId)]));
  // An image that is not needed in the end may fail unnoticed.
  for (const picture of onTheirWay.values()) picture.catch(() => undefined);
  return { ...intake, medium: (by, mediaId) => onTheirWay.get(mediaId) ?? intake.medium(by, mediaId) };
};

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Probably deleted while the message waited: the event of the deletion arrives soon. */
const laterIfAbsent = (what: string) => (error: unknown) => {
  throw isNotFound(error) ? new RetryLater(what, 500) : error;
};

export const createIntakeClient = (client: InternalClient, keyring: Keyring): Intake => {
  const claimsOf = async ({ id, tenantId, identityId }: Caller): Promise<CallClaims> => {
    const key = await keyring.keyOf({ tenantId, identityId });
    // Closed while it was worked on: the message has no effect once the closing has arrived.
    if (!key) throw new RetryLater('the identity has no key', 500);
    return { requestId: id, tenantId, identityId, key };
  };
  return {
    medium: async (caller, mediaId) => {
      const { bytes } = await client
        .getBytes(`/internal/v1/media/${mediaId}`, await claimsOf(caller))
        .catch(laterIfAbsent('the medium is not there'));
      return bytes;
    },
    chipFiles: async (caller, evidenceId) => {
      const path = `/internal/v1/evidences/${evidenceId}/chip-files`;
      const files = await client
        .getJson(path, await claimsOf(caller), ChipFilesReplySchema)
        .catch(laterIfAbsent('the files of the chip are not there'));
      return new Map(Object.entries(files).map(([mediaId, base64]) => [mediaId, Buffer.from(base64, 'base64')]));
    },
    storeCrop: async (caller, { evidenceId, mediaId, originalMediaId, jpeg }) => {
      const path = `/internal/v1/evidences/${evidenceId}/crops/${mediaId}?original=${originalMediaId}`;
      try {
        await client.putBytes(path, await claimsOf(caller), jpeg, 'image/jpeg');
        return true;
      } catch (error) {
        if (isNotFound(error)) return false;
        throw error;
      }
    },
  };
};
