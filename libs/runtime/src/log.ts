import { pino } from 'pino';
import { currentTraceparent, isTracing } from './trace.ts';

/**
 * A logger: one wide line per unit of work, with ids, codes and outcomes; never personal data
 * (invariant 8).
 */
export type Log = Pick<ReturnType<typeof pino>, 'info' | 'warn' | 'error' | 'debug' | 'fatal'>;

// Errors from clients and drivers can carry requests, bodies and documents: only their name, code,
// message and place are kept.
const plainError = (error: unknown) =>
  error instanceof Error
    ? { name: error.name, message: error.message, code: (error as { code?: unknown }).code, stack: error.stack }
    : { name: typeof error };

// `00-<trace id>-<span id>-<flags>`.
const traceId = () => ({ traceId: currentTraceparent()?.split('-')[1] });

/**
 * The service's logger. `level` is pino's. With tracing on, a line carries the trace it belongs to.
 */
export const createLog = (service: string, level = 'info'): Log =>
  pino({
    level,
    base: { service },
    messageKey: 'msg',
    ...(isTracing() && { mixin: traceId }),
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { error: plainError, err: plainError },
    redact: { paths: ['apikey', '*.apikey', 'secret', '*.secret', '*.otp'], censor: '-' },
  });
