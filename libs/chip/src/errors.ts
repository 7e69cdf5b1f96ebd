/**
 * Why bytes were refused: they are malformed, beyond a limit, of a kind that we do not know, or not
 * signed as they claim.
 */
export type ChipErrorCode = 'MALFORMED' | 'LIMIT_EXCEEDED' | 'UNSUPPORTED' | 'SIGNATURE_WRONG';

/**
 * The only error this library throws for its input. Its message says which structure is wrong,
 * never a value from it.
 */
export class ChipError extends Error {
  readonly code: ChipErrorCode;

  constructor(code: ChipErrorCode, message: string) {
    super(message);
    this.name = 'ChipError';
    this.code = code;
  }
}

/** The error for malformed bytes. */
export const malformed = (message: string): ChipError => new ChipError('MALFORMED', message);

/** The error for bytes beyond a limit: too large, too deep or too many. */
export const beyondLimit = (message: string): ChipError => new ChipError('LIMIT_EXCEEDED', message);

/** The error for a kind of key, algorithm or protocol that we do not know. */
export const unsupported = (message: string): ChipError => new ChipError('UNSUPPORTED', message);

/**
 * The result of `read`, or the ChipError it threw. Every other error is a defect of ours and is
 * thrown again.
 */
export const attempt = <T>(
  read: () => T,
): { value: T; error?: undefined } | { value?: undefined; error: ChipError } => {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof ChipError) return { error };
    throw error;
  }
};
