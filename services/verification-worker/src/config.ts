import { availableParallelism } from 'node:os';
import { atLeast, COMMON_CONFIG, optional, readConfig, text, url, withDefault } from '@assay/runtime';

/** Everything verification-worker takes from its environment. */
export const loadConfig = () =>
  readConfig({
    ...COMMON_CONFIG,
    /** Internal address of the gateway. */
    GATEWAY_INTERNAL_URL: url,
    /** Internal address of evidence-intake. */
    EVIDENCE_INTAKE_URL: url,
    /** Engine processes of this worker, one a core; with ENGINE_URL, jobs asked of it at once. */
    ENGINE_PROCESSES: withDefault(atLeast(1), availableParallelism()),
    /** Processes of this worker that check chips. */
    CHIP_PROCESSES: withDefault(atLeast(1), 1),
    /** Authorities a new suite trusts: the local stack's simulated one. */
    TRUST_SEED_FILE: optional(text),
    /** Another engine, spoken to over HTTP (docs/engines.md). */
    ENGINE_URL: optional(url),
    /** Credential at that engine. */
    ENGINE_TOKEN: optional(text),
    /** What that engine is, and its version: proofs name it as mainOcrService. */
    ENGINE_NAME: withDefault(text, 'another-engine'),
    /** Version of that engine. */
    ENGINE_VERSION: withDefault(text, 'unknown'),
  });
export type Config = ReturnType<typeof loadConfig>;
