import {
  address,
  base64Key,
  base64Keys,
  COMMON_CONFIG,
  optional,
  ranges,
  readConfig,
  text,
  url,
  withDefault,
} from '@assay/runtime';

/** Everything the notifier takes from its environment. */
export const loadConfig = () =>
  readConfig({
    ...COMMON_CONFIG,
    /** Seals secrets of webhooks. */
    MASTER_KEY: base64Key(32),
    /**
     * Keys of 32 bytes in base64 that open what they sealed, while MASTER_KEY is exchanged
     * (docs/runbooks/key-rotation.md).
     */
    FURTHER_MASTER_KEYS: withDefault(base64Keys(32), []),
    /** Internal address of the gateway. */
    GATEWAY_INTERNAL_URL: url,
    /** CIDR ranges notifications may go to although they are private. */
    ALLOW_PRIVATE_TARGETS: withDefault(ranges, []),
    /** Mail server for one-time codes and notices, smtp:// or smtps://; without it none goes out by mail. */
    SMTP_URL: optional(address('smtp', 'smtps')),
    /** Sender of the mails. */
    MAIL_FROM: withDefault(text, 'Assay <no-reply@localhost>'),
    /** SMS provider for one-time codes: POST JSON {to, text}; without it none goes out by SMS. */
    SMS_URL: optional(url),
    /** Credential of the SMS provider, sent as a bearer token. */
    SMS_TOKEN: optional(text),
  });
export type Config = ReturnType<typeof loadConfig>;
