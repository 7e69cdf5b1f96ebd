import {
  atLeast,
  base64Key,
  base64Keys,
  COMMON_CONFIG,
  environment,
  optional,
  readConfig,
  seconds,
  text,
  upTo,
  url,
  withDefault,
} from '@assay/runtime';
import manifest from '../package.json' with { type: 'json' };

const DAY = 24 * 3600;

/** Everything proof-builder takes from its environment. */
export const loadConfig = () =>
  readConfig({
    /** local or production; local admits what only a development machine may. */
    ASSAY_ENV: withDefault(environment, 'production'),
    ...COMMON_CONFIG,
    /** Seals the signing keys and the keys of archives. */
    MASTER_KEY: base64Key(32),
    /**
     * Keys of 32 bytes in base64 that open what they sealed, while MASTER_KEY is exchanged
     * (docs/runbooks/key-rotation.md).
     */
    FURTHER_MASTER_KEYS: withDefault(base64Keys(32), []),
    /** Internal address of evidence-intake. */
    EVIDENCE_INTAKE_URL: url,
    /** Bits of a new signing key, 2048 to 4096. */
    SIGNING_KEY_BITS: withDefault(atLeast(2048, upTo(4096, 'the longest that is made')), 3072),
    /** Seconds after which a new signing key is made. */
    SIGNING_KEY_MAX_AGE_SECONDS: withDefault(atLeast(1, seconds), 365 * DAY),
    /** Seconds a key is published before it signs. */
    SIGNING_KEY_OVERLAP_SECONDS: withDefault(seconds, DAY),
    /** Set where the signing keys live outside (docs/proof.md). */
    SIGNER_URL: optional(url),
    /** Credential at that signer. */
    SIGNER_TOKEN: optional(text),
  });
export type Config = ReturnType<typeof loadConfig>;

/** The version that proofs name. */
export const componentVersion = manifest.version;
