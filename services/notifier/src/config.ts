import { base64Key, integer, list, optional, readConfig, text, url, withDefault } from '@assay/runtime';

/** Everything the notifier takes from its environment. */
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
    MASTER_KEY: base64Key(32),
    GATEWAY_INTERNAL_URL: url,
    /** CIDR ranges notifications may go to although they are private. */
    ALLOW_PRIVATE_TARGETS: withDefault(list, []),
    /** Mail server for one-time codes, smtp:// or smtps://; without it none goes out by mail. */
    SMTP_URL: optional(text),
    MAIL_FROM: withDefault(text, 'Assay <no-reply@localhost>'),
    /** SMS provider for one-time codes: POST JSON {to, text}; without it none goes out by SMS. */
    SMS_URL: optional(url),
    /** Credential of the SMS provider, sent as a bearer token. */
    SMS_TOKEN: optional(text),
  });
export type Config = ReturnType<typeof loadConfig>;
