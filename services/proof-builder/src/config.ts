import { base64Key, COMMON_CONFIG, integer, optional, readConfig, text, url, withDefault } from '@assay/runtime';
import manifest from '../package.json' with { type: 'json' };

const DAY = 24 * 3600;

export const config = {
  ...readConfig({
    ASSAY_ENV: withDefault(text, 'production'),
    ...COMMON_CONFIG,
    MASTER_KEY: base64Key(32),
    GATEWAY_INTERNAL_URL: url,
    EVIDENCE_INTAKE_URL: url,
    /** 2048 or 3072. */
    SIGNING_KEY_BITS: withDefault(integer, 3072),
    SIGNING_KEY_MAX_AGE_SECONDS: withDefault(integer, 365 * DAY),
    SIGNING_KEY_OVERLAP_SECONDS: withDefault(integer, DAY),
    /** Set where the signing keys live outside (docs/proof.md). */
    SIGNER_URL: optional(url),
    SIGNER_TOKEN: optional(text),
  }),
  componentVersion: manifest.version,
};
