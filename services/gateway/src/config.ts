import { join } from 'node:path';
import { base64Key, COMMON_CONFIG, integer, list, optional, readConfig, text, url, withDefault } from '@assay/runtime';
import manifest from '../package.json' with { type: 'json' };

/** The gateway's configuration: the only place that reads the environment. */
export const config = readConfig({
  ASSAY_ENV: withDefault(text, 'production'),
  ...COMMON_CONFIG,
  INTERNAL_PORT: integer,
  INTERNAL_HOST: optional(text),
  /** 32 bytes; wraps the identities' keys and the transport keys. */
  MASTER_KEY: base64Key(32),
  /** First path segments the API is served under. */
  API_PREFIX: withDefault(list, ['svc']),
  /** Tenants and keys to begin with. */
  SEED_FILE: optional(text),
  /** Proxies whose X-Forwarded-For is believed, as express' `trust proxy` takes them. */
  TRUSTED_PROXIES: withDefault(list, []),
  /** Uploads taken in at the same time, beyond which 503 is answered. */
  MAX_UPLOADS: withDefault(integer, 64),
  EVIDENCE_INTAKE_URL: url,
  PROOF_BUILDER_URL: url,
  VERIFICATION_WORKER_URL: url,
  ISSUING_SOURCE_ADAPTER_URL: url,
  NOTIFIER_URL: url,
});

/** What of it the gateway itself takes. `pages` is where the bundle puts the console; from sources it is beside them. */
export const gatewayOptions = {
  masterKey: config.MASTER_KEY,
  internalSecret: config.INTERNAL_SECRET,
  prefixes: config.API_PREFIX,
  trustedProxies: config.TRUSTED_PROXIES,
  maxUploads: config.MAX_UPLOADS,
  pages: join(import.meta.dirname, 'console'),
  version: manifest.version,
  // Specimens are what a development machine has to show.
  newTenant: config.ASSAY_ENV === 'local' ? { acceptSpecimens: true } : {},
};
