/*
 * Idempotency-Keys: the service carries out a request once, however often it arrives under one key.
 */

/** A key for a new request. A page over plain HTTP has no randomUUID. */
export const newKey = (): string => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;

export interface Repeats {
  /** The key of a request: a new one, unless the same request was sent and not answered. */
  keyOf(request: string): string;
  /** The request was answered: the next one like it is another. */
  answered(request: string): void;
}

/** Remembers the keys of requests whose outcome is unknown: a person may send them again. */
export const createRepeats = (): Repeats => {
  const unanswered = new Map<string, string>();
  return {
    keyOf: (request) => {
      const key = unanswered.get(request) ?? newKey();
      unanswered.set(request, key);
      return key;
    },
    answered: (request) => void unanswered.delete(request),
  };
};
