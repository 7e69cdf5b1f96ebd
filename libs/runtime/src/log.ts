import { pino } from 'pino';
import { counter } from './metrics.ts';
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

/** Bytes of log that wait while they cannot be written. */
const MOST_WAITING = 1024 * 1024;

/**
 * Standard output. Where nothing can be written (a full disk, a reader that is gone), lines wait,
 * and beyond a megabyte they are lost and counted: an error without a listener would end the
 * service, and lines that wait without end its memory.
 */
const openOutput = () => {
  const lost = counter('assay_log_lines_lost_total', 'Log lines that were lost because they could not be written');
  const output = pino.destination({ dest: 1, sync: true, maxLength: MOST_WAITING });
  output.on('error', () => undefined);
  output.on('drop', () => lost.inc());
  return output;
};

/**
 * The service's logger. `level` is pino's. With tracing on, a line carries the trace it belongs to.
 */
export const createLog = (service: string, level = 'info'): Log =>
  pino(
    {
      level,
      base: { service },
      messageKey: 'msg',
      ...(isTracing() && { mixin: traceId }),
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: plainError, err: plainError },
      redact: { paths: ['apikey', '*.apikey', 'secret', '*.secret', '*.otp'], censor: '-' },
    },
    openOutput(),
  );
