import type { SourceReply } from './connector.ts';

const FAILURES_TO_OPEN = 5;
const OPEN_MS = 5000;

// A refusal is ours to repair: it does not tell that the source is down.
const isFailing = (reply: SourceReply): boolean => reply.kind === 'OUTAGE' && reply.outage !== 'REFUSED';

export interface Circuit {
  /**
   * Why the source is not asked now: it keeps failing (OPEN), or another question finds out whether
   * it still does (BUSY).
   */
  refusal(): 'OPEN' | 'BUSY' | undefined;
  /** Asks the source, and notes whether it failed. To be called right after no refusal. */
  run(ask: () => Promise<SourceReply>): Promise<SourceReply>;
}

interface CircuitOptions {
  /** Milliseconds that have gone by since any moment. */
  elapsedMs(): number;
  /** Called when the circuit opens and when it closes. */
  onChange(isOpen: boolean): void;
}

/**
 * A circuit breaker: open once a source has failed several times in a row. After a pause one
 * question is tried, and its reply closes the circuit or begins the next pause.
 */
export const createCircuit = ({ elapsedMs, onChange }: CircuitOptions): Circuit => {
  let failures = 0;
  let openedAt: number | undefined;
  let isTried = false;

  const failed = (): void => {
    failures += 1;
    if (failures < FAILURES_TO_OPEN) return;
    if (openedAt === undefined) onChange(true);
    openedAt = elapsedMs();
  };
  const succeeded = (): void => {
    failures = 0;
    if (openedAt !== undefined) onChange(false);
    openedAt = undefined;
  };

  return {
    refusal: () => {
      if (openedAt === undefined) return undefined;
      if (isTried) return 'BUSY';
      return elapsedMs() - openedAt < OPEN_MS ? 'OPEN' : undefined;
    },
    run: async (ask) => {
      const isTrial = openedAt !== undefined;
      if (isTrial) isTried = true;
      try {
        const reply = await ask();
        if (isFailing(reply)) failed();
        else succeeded();
        return reply;
      } catch (error) {
        failed();
        throw error;
      } finally {
        if (isTrial) isTried = false;
      }
    },
  };
};
