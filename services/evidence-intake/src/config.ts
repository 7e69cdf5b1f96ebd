import { atLeast, COMMON_CONFIG, milliseconds, optional, readConfig, text, url, withDefault } from '@assay/runtime';

/** Everything evidence-intake takes from its environment. */
export const loadConfig = () =>
  readConfig({
    ...COMMON_CONFIG,
    /** Internal address of the gateway. */
    GATEWAY_INTERNAL_URL: url,
    /**
     * Milliseconds an evidence may stand without a stable status before its work is issued again.
     */
    RECONCILE_AFTER_MS: withDefault(milliseconds, 60_000),
    /** Uploads taken at once. */
    MAX_UPLOADS: withDefault(atLeast(1), 64),
    /** Bucket of an S3-compatible object store, where media go; without it they are in MongoDB. */
    MEDIA_BUCKET: optional(text),
    /** Address of that store; without it AWS's of the region. */
    MEDIA_ENDPOINT: optional(url),
    /** Region of the bucket. */
    MEDIA_REGION: withDefault(text, 'us-east-1'),
    /**
     * Access key for the bucket; without it and its secret, what AWS's SDK finds around it: its own
     * variables, or the role of the machine.
     */
    MEDIA_ACCESS_KEY: optional(text),
    /** Secret of that access key. */
    MEDIA_SECRET_KEY: optional(text),
  });
export type Config = ReturnType<typeof loadConfig>;
