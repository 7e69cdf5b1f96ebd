/** A claim on an adjudication case that nobody acts on lapses after this long; a file of its own, as the console's page takes it in as well. */
export const CLAIM_SECONDS = 15 * 60;
