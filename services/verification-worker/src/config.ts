import { availableParallelism } from 'node:os';
import { integer, optional, readConfig, text, url, withDefault } from '@assay/runtime';

/** Everything verification-worker takes from its environment. */
export const loadConfig = () =>
  readConfig({
    HTTP_PORT: integer,
    HTTP_HOST: withDefault(text, '127.0.0.1'),
    ADMIN_PORT: integer,
    ADMIN_HOST: withDefault(text, '127.0.0.1'),
    LOG_LEVEL: withDefault(text, 'info'),
    MONGO_URL: text,
    DB_PREFIX: withDefault(text, 'assay_'),
    AMQP_URL: text,
    /** Put before the names of exchange and queues: several suites on one broker. */
    BUS_NAMESPACE: optional(text),
    INTERNAL_SECRET: text,
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
