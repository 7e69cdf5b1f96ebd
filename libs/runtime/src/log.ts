import { pino } from 'pino';

/** A logger: one wide line per unit of work, with ids, codes and outcomes; never personal data (invariant 8). */
export type Log = Pick<ReturnType<typeof pino>, 'info' | 'warn' | 'error' | 'debug' | 'fatal'>;

// Errors from clients and drivers can carry requests, bodies and documents: only their name, code, message and place are kept.
const plainError = (error: unknown) =>
  error instanceof Error
    ? { name: error.name, message: error.message, code: (error as { code?: unknown }).code, stack: error.stack }
    : { name: typeof error };

/** The service's logger. `level` is pino's. */
export const createLog = (service: string, level = 'info'): Log =>
  pino({
    level,
    base: { service },
    messageKey: 'msg',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { error: plainError, err: plainError },
    redact: { paths: ['apikey', '*.apikey', 'secret', '*.secret', '*.otp'], censor: '-' },
  });
