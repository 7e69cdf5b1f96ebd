const nothing = (): void => undefined;

/** A log that keeps quiet, for tests of parts that need one. */
export const quietLog = { info: nothing, warn: nothing, error: nothing, debug: nothing, fatal: nothing };
