import { integer, optional, readConfig, text, url, withDefault } from '@assay/runtime';

/** Everything evidence-intake takes from its environment. */
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
    /** Seconds an evidence may stand without a stable status before its work is issued again. */
    RECONCILE_AFTER: withDefault(integer, 60),
    /** Uploads taken at once. */
    MAX_UPLOADS: withDefault(integer, 64),
  });
export type Config = ReturnType<typeof loadConfig>;
