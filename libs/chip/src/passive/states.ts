/**
 * The result of a check. UNVERIFIED: it could not be made. WARNING: the chip allows it, but what it
 * needs was not sent.
 */
export type CheckState = 'OK' | 'FAILED' | 'UNVERIFIED' | 'WARNING';
