import { availableParallelism } from 'node:os';
import { COMMON_CONFIG, integer, optional, readConfig, text, url, withDefault } from '@assay/runtime';

/** Everything verification-worker takes from its environment. */
export const loadConfig = () =>
  readConfig({
    ...COMMON_CONFIG,
    GATEWAY_INTERNAL_URL: url,
    EVIDENCE_INTAKE_URL: url,
    /** Engine processes of this worker, one a core; with ENGINE_URL, jobs asked of it at once. */
    ENGINE_PROCESSES: withDefault(integer, availableParallelism()),
    /** Another engine, spoken to over HTTP (docs/engines.md). */
    ENGINE_URL: optional(url),
    ENGINE_TOKEN: optional(text),
    /** What that engine is, and its version: proofs name it as mainOcrService. */
    ENGINE_NAME: withDefault(text, 'another-engine'),
    ENGINE_VERSION: withDefault(text, 'unknown'),
  });
export type Config = ReturnType<typeof loadConfig>;
