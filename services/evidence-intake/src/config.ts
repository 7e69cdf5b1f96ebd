import { COMMON_CONFIG, integer, readConfig, url, withDefault } from '@assay/runtime';

/** Everything evidence-intake takes from its environment. */
export const loadConfig = () =>
  readConfig({
    ...COMMON_CONFIG,
    /** Internal address of the gateway. */
    GATEWAY_INTERNAL_URL: url,
    /** Milliseconds an evidence may stand without a stable status before its work is issued again. */
    RECONCILE_AFTER_MS: withDefault(integer, 60_000),
    /** Uploads taken at once. */
    MAX_UPLOADS: withDefault(integer, 64),
  });
export type Config = ReturnType<typeof loadConfig>;
