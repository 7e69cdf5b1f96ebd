import { logLevel, optional, port, readConfig, text, withDefault } from '@assay/runtime';

/**
 * What a simulator reads from its environment. Without DATA_DIR its records live as long as its
 * process.
 */
export const readSimulatorConfig = () =>
  readConfig({
    HTTP_PORT: port,
    HTTP_HOST: withDefault(text, '127.0.0.1'),
    ADMIN_PORT: withDefault(port, 0),
    SMTP_PORT: withDefault(port, 0),
    LOG_LEVEL: withDefault(logLevel, 'info'),
    DATA_DIR: optional(text),
    /**
     * The client's public key (PEM), when the motor vehicle administrations' first token step must
     * be signed.
     */
    CLIENT_KEY: optional(text),
  });
