export const deadLettersOf = (queue: string): string => `${queue}.dead`;

const shortly = (ms: number): string =>
  ms < 1000 || ms % 1000 ? `${ms}ms` : ms % 60_000 ? `${ms / 1000}s` : `${ms / 60_000}m`;

/**
 * A message waits here for `ms` before it is handed out again. The name says how long: another time
 * is another queue.
 */
export const waitingRoomOf = (queue: string, ms: number): string => `${queue}.later.${shortly(ms)}`;
