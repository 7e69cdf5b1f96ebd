import {
  atLeast,
  base64Key,
  COMMON_CONFIG,
  environment,
  list,
  optional,
  port,
  proxies,
  readConfig,
  seconds,
  text,
  url,
  withDefault,
} from '@assay/runtime';
import { segments } from './http/segments.ts';

/** Everything the gateway takes from its environment. */
export const loadConfig = () =>
  readConfig({
    /** local or production; local admits what only a development machine may. */
    ASSAY_ENV: withDefault(environment, 'production'),
    ...COMMON_CONFIG,
    /** Port that the other services call. */
    INTERNAL_PORT: port,
    /** Address of that port; HTTP_HOST where it is absent. */
    INTERNAL_HOST: optional(text),
    /**
     * 32 bytes; wraps the identities' keys and the gateway's own secret until another key does
     * (docs/runbooks/key-rotation.md).
     */
    MASTER_KEY: base64Key(32),
    /**
     * Keys of 32 bytes in base64 that can take its place there, the newest first; one that wraps
     * nothing any more can be left out.
     */
    WRAPPING_KEYS: withDefault(list, []),
    /** Vault or OpenBao, whose engine transit wraps the identities' keys instead. */
    VAULT_ADDR: optional(url),
    /** File with the token for Vault, read anew for each call: an agent may replace it. */
    VAULT_TOKEN_PATH: optional(text),
    /** Name of the key there, of type aes256-gcm96. */
    VAULT_TRANSIT_KEY: withDefault(text, 'assay'),
    /** Path of the engine transit. */
    VAULT_TRANSIT_MOUNT: withDefault(text, 'transit'),
    /** Namespace at Vault. */
    VAULT_NAMESPACE: optional(text),
    /**
     * Symmetric keys of AWS KMS that wrap the identities' keys instead: ids, ARNs or aliases, the
     * newest first.
     */
    KMS_KEY_IDS: withDefault(list, []),
    /** Address of KMS; that of the region where it is absent. */
    KMS_ENDPOINT: optional(url),
    /** Region of KMS. */
    AWS_REGION: optional(text),
    /** By what the gateway shows KMS who it is. */
    AWS_ACCESS_KEY_ID: optional(text),
    /** The secret of that access key. */
    AWS_SECRET_ACCESS_KEY: optional(text),
    /** The session token of temporary credentials. */
    AWS_SESSION_TOKEN: optional(text),
    /** First path segments the API is served under. */
    API_PREFIX: withDefault(segments, ['svc']),
    /**
     * Address of the gateway as its clients see it, for the addresses it gives out; that of each
     * request where it is absent.
     */
    PUBLIC_URL: optional(url),
    /**
     * Issuer of OpenID Connect by which operators and administrators can sign in beside keys, to
     * the letter as its description names it.
     */
    OIDC_ISSUER: optional(text),
    /** What the issuer calls this suite. */
    OIDC_CLIENT_ID: optional(text),
    /** The suite's secret at the issuer; without it PKCE alone. */
    OIDC_CLIENT_SECRET: optional(text),
    /** How the secret is sent: client_secret_basic or client_secret_post. */
    OIDC_CLIENT_AUTH: withDefault(text, 'client_secret_basic'),
    /** What the issuer is asked for. */
    OIDC_SCOPES: withDefault(text, 'openid profile'),
    /** The claim that names a person's groups; a path such as realm_access.roles is one too. */
    OIDC_GROUPS_CLAIM: withDefault(text, 'groups'),
    /**
     * What each group gives, as JSON: `{"desk": {"role": "OPERATOR", "tenantId": "..."}}`, or a
     * list of such for one group; roles OPERATOR, TENANT_ADMINISTRATOR, ADMINISTRATOR (without a
     * tenant).
     */
    OIDC_GROUPS: optional(text),
    /** What the button of the sign-in says. */
    OIDC_LABEL: withDefault(text, 'Sign in with your organisation'),
    /** Longest life of a session of a person. */
    SESSION_SECONDS: withDefault(atLeast(1, seconds), 28_800),
    /** After so long without an act of the person a session ends. */
    SESSION_IDLE_SECONDS: withDefault(atLeast(1, seconds), 900),
    /** Tenants and keys to begin with. */
    SEED_FILE: optional(text),
    /** Proxies whose X-Forwarded-For is believed, as express' `trust proxy` takes them. */
    TRUSTED_PROXIES: withDefault(proxies, []),
    /**
     * Uploads taken in at the same time, and bodies of JSON that may exceed 64 KiB, beyond which
     * 503 is answered.
     */
    MAX_UPLOADS: withDefault(atLeast(1), 128),
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
    /**
     * What a development stack says of itself, for its start page; read only where ASSAY_ENV is
     * local.
     */
    STACK_FILE: optional(text),
  });
export type Config = ReturnType<typeof loadConfig>;
