/**
 * A claim on an adjudication case lapses after this long without an action. It is a door of its
 * own, so that the console imports it without the schemas.
 */
export const CLAIM_SECONDS = 15 * 60;
