const nothing = (): void => undefined;

/** A log that drops every line, for tests of parts that need a log. */
export const quietLog = { info: nothing, warn: nothing, error: nothing, debug: nothing, fatal: nothing };
