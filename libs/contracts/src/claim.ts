/**
 * A claim on an adjudication case that nobody acts on lapses after this long. A door of its own:
 * the console takes it in without the schemas.
 */
export const CLAIM_SECONDS = 15 * 60;
