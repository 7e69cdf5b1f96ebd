/**
 * Why bytes were refused: not what they should be, larger or deeper than we read, of a kind we do
 * not know, or not signed as they claim.
 */
export type ChipErrorCode = 'MALFORMED' | 'LIMIT_EXCEEDED' | 'UNSUPPORTED' | 'SIGNATURE_WRONG';

/**
 * The only error this library throws for what it is given. Its message says which structure is
 * wrong, never a value of it.
 */
export class ChipError extends Error {
  readonly code: ChipErrorCode;

  constructor(code: ChipErrorCode, message: string) {
    super(message);
    this.name = 'ChipError';
    this.code = code;
  }
}

/** The error of bytes that are not what they should be. */
export const malformed = (message: string): ChipError => new ChipError('MALFORMED', message);

/** The error of bytes larger, deeper or more than we read. */
export const beyondLimit = (message: string): ChipError => new ChipError('LIMIT_EXCEEDED', message);

/** The error of a kind of key, algorithm or protocol that we do not know. */
export const unsupported = (message: string): ChipError => new ChipError('UNSUPPORTED', message);

/**
 * What `read` gives, or the ChipError it threw; every other error is a defect of ours and goes on.
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
