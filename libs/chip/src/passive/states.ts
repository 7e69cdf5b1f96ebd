/**
 * What a check came to. UNVERIFIED: it could not be made. WARNING: it could have been made, and
 * what it needs was not given.
 */
export type CheckState = 'OK' | 'FAILED' | 'UNVERIFIED' | 'WARNING';
