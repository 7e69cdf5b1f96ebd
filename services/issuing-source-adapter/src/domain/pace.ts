/**
 * How long a check may take and how often it asks (specification, Issuing sources: 45 s with its
 * retries).
 */
export interface Pace {
  budgetMs: number;
  questionMs: number;
  attempts: number;
  firstPauseMs: number;
}

export const DEFAULT_PACE: Pace = { budgetMs: 45_000, questionMs: 5_000, attempts: 5, firstPauseMs: 1_000 };

/**
 * When to ask again after so many attempts; undefined when attempts or time are used up. The last
 * question must fit into the budget.
 */
export const nextAttemptAt = (pace: Pace, startedAt: Date, attempts: number, now: Date): Date | undefined => {
  if (attempts >= pace.attempts) return undefined;
  const at = now.getTime() + pace.firstPauseMs * 2 ** (attempts - 1);
  return at + pace.questionMs > startedAt.getTime() + pace.budgetMs ? undefined : new Date(at);
};

/** True when no further question fits into the budget. */
export const isSpent = (pace: Pace, startedAt: Date, now: Date): boolean =>
  now.getTime() + pace.questionMs > startedAt.getTime() + pace.budgetMs;
