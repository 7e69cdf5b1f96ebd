import { setTimeout as pause } from 'node:timers/promises';
import type { Child } from './child.ts';
import type { Say } from './engine.ts';

export interface Patience {
  readonly everyMs: number;
  readonly answerMs: number;
  /** So many questions in a row without an answer. */
  readonly unanswered: number;
}

/**
 * Two minutes, with the time for the answers: a process that is suspended for a while goes on with
 * its work, and a busy machine answers late. A machine that was asleep missed one question at most.
 */
const PATIENCE: Patience = { everyMs: 10_000, answerMs: 5_000, unanswered: 8 };

/** Any answer counts: what is ready and what is not says the process itself. */
const isAnswered = async (url: string, answerMs: number): Promise<boolean> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(answerMs) });
    await response.arrayBuffer();
    return true;
  } catch {
    return false;
  }
};

/**
 * Ends a child that answers nothing at `url` any more (stopped, or busy without end), so that it is
 * started again. Resolves once the child has ended, however it did.
 */
export const endWhenSilent = async (
  name: string,
  child: Pick<Child, 'ended' | 'stop'>,
  url: string,
  say: Say,
  { everyMs, answerMs, unanswered }: Patience = PATIENCE,
): Promise<void> => {
  const over = new AbortController();
  void child.ended.then(() => over.abort());
  let silent = 0;
  while (!over.signal.aborted) {
    await pause(everyMs, undefined, { signal: over.signal }).catch(() => undefined);
    silent = (await isAnswered(url, answerMs)) ? 0 : silent + 1;
    if (over.signal.aborted || silent < unanswered) continue;
    say(`${name} has not answered ${silent} times in a row: ending it`);
    await child.stop(0);
  }
};
