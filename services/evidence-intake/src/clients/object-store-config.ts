import type { ObjectStoreConfig } from './object-blobs.ts';

/** What the environment says of the object store. */
export interface ObjectStoreSettings {
  MEDIA_BUCKET: string | undefined;
  MEDIA_REGION: string;
  MEDIA_ENDPOINT: string | undefined;
  MEDIA_ACCESS_KEY: string | undefined;
  MEDIA_SECRET_KEY: string | undefined;
}

const wrong = (what: string): Error => new Error(`configuration: ${what}`);

/**
 * The object store, if one is named.
 * @throws if a variable would be without effect: media would go to MongoDB, or be stored with
 *   another key than the one that is named
 */
export const objectStoreIn = (settings: ObjectStoreSettings): ObjectStoreConfig | undefined => {
  const { MEDIA_BUCKET: bucket, MEDIA_REGION: region, MEDIA_ENDPOINT: endpoint } = settings;
  const { MEDIA_ACCESS_KEY: accessKey, MEDIA_SECRET_KEY: secretKey } = settings;
  if ((accessKey === undefined) !== (secretKey === undefined))
    throw wrong('MEDIA_ACCESS_KEY and MEDIA_SECRET_KEY are given together or not at all');
  if (bucket !== undefined) return { bucket, region, endpoint, accessKey, secretKey };
  if (endpoint !== undefined || accessKey !== undefined)
    throw wrong('MEDIA_BUCKET is missing, without which the other variables of the object store have no effect');
  return undefined;
};
