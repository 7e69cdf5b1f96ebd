import { base64Key, COMMON_CONFIG, integer, list, optional, readConfig, text, url, withDefault } from '@assay/runtime';

/** Everything the gateway takes from its environment. */
export const loadConfig = () =>
  readConfig({
    /** local or production; local admits what only a development machine may. */
    ASSAY_ENV: withDefault(text, 'production'),
    ...COMMON_CONFIG,
    /** Port that the other services call. */
    INTERNAL_PORT: integer,
    /** Address of that port; HTTP_HOST where it is absent. */
    INTERNAL_HOST: optional(text),
    /** 32 bytes; wraps the identities' keys. */
    MASTER_KEY: base64Key(32),
    /** First path segments the API is served under. */
    API_PREFIX: withDefault(list, ['svc']),
    /** Address of the gateway as its clients see it, for the addresses it gives out; that of each request where it is absent. */
    PUBLIC_URL: optional(url),
    /** Tenants and keys to begin with. */
    SEED_FILE: optional(text),
    /** Proxies whose X-Forwarded-For is believed, as express' `trust proxy` takes them. */
    TRUSTED_PROXIES: withDefault(list, []),
    /** Uploads taken in at the same time, beyond which 503 is answered. */
    MAX_UPLOADS: withDefault(integer, 128),
    /** Internal address of evidence-intake. */
    EVIDENCE_INTAKE_URL: url,
    /** Internal address of proof-builder. */
    PROOF_BUILDER_URL: url,
    /** Internal address of verification-worker. */
    VERIFICATION_WORKER_URL: url,
    /** Internal address of issuing-source-adapter. */
    ISSUING_SOURCE_ADAPTER_URL: url,
    /** Internal address of the notifier. */
    NOTIFIER_URL: url,
    /** What a development stack says of itself, for its start page; read only where ASSAY_ENV is local. */
    STACK_FILE: optional(text),
  });
export type Config = ReturnType<typeof loadConfig>;
