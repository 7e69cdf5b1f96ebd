import { counter, gauge } from '@assay/runtime';
import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhenResult,
  type IPolicy,
  wrap,
} from 'cockatiel';
import { type Bucket, takeToken } from '../domain/rate.ts';
import type { Limits } from '../domain/source.ts';
import type { SourceReply } from './connector.ts';

/**
 * The reply to a question, or why it was not put now. BUSY costs the check no attempt; OPEN does,
 * because the source is failing.
 */
type LimitedReply = { kind: 'REPLY'; reply: SourceReply } | { kind: 'BUSY' } | { kind: 'OPEN' };

export interface LimitedCall {
  source: string;
  jurisdiction: string | undefined;
  limits: Limits;
  /**
   * Called when there is a place, after any waiting: false when the question is no longer to be
   * put.
   */
  mayAsk: () => Promise<boolean>;
  ask: () => Promise<SourceReply>;
}

export interface SourceLimiter {
  run(task: LimitedCall): Promise<LimitedReply>;
}

const FAILURES_TO_OPEN = 5;
const OPEN_MS = 5000;
/** Questions that may wait in the process for each one in flight; more wait at the broker. */
const WAITING_A_PLACE = 4;

const questions = counter('assay_issuer_questions_total', 'Questions put to issuing sources', ['source', 'outcome']);
const openCircuits = gauge(
  'assay_issuer_circuits_open',
  'Jurisdictions whose source is not asked because it keeps failing',
  ['source'],
);

// A refusal is ours to repair: it does not tell that the source is down.
const isFailing = (reply: unknown): boolean => {
  const { kind, outage } = reply as SourceReply & { outage?: string };
  return kind === 'OUTAGE' && outage !== 'REFUSED';
};

interface JurisdictionLimiter {
  places: IPolicy;
  breaker: IPolicy;
  bucket?: Bucket;
}

const createJurisdictionLimiter = (source: string, limits: Limits, whole: IPolicy): JurisdictionLimiter => {
  const breaker = circuitBreaker(handleWhenResult(isFailing), {
    halfOpenAfter: OPEN_MS,
    breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN),
  });
  let open = false;
  breaker.onStateChange((state) => {
    const now = state === CircuitState.Open || state === CircuitState.HalfOpen;
    if (now !== open) openCircuits.inc({ source }, now ? 1 : -1);
    open = now;
  });
  return { places: wrap(bulkhead(limits.concurrent, limits.concurrent * WAITING_A_PLACE), whole), breaker };
};

/**
 * A jurisdictionLimiter for each source and jurisdiction: so many questions at once and a second,
 * and none while the source keeps failing. One that is slow or down fills its own
 * jurisdictionLimiter and no other. Limits count for each process.
 */
export const createSourceLimiter = (now: () => number = () => Date.now()): SourceLimiter => {
  const wholes = new Map<string, IPolicy>();
  const limiters = new Map<string, JurisdictionLimiter>();

  const limiterOf = (source: string, jurisdiction: string, limits: Limits) => {
    const whole = wholes.get(source) ?? bulkhead(limits.concurrentTotal, limits.concurrentTotal * WAITING_A_PLACE);
    wholes.set(source, whole);
    const key = `${source}/${jurisdiction}`;
    const known = limiters.get(key) ?? createJurisdictionLimiter(source, limits, whole);
    limiters.set(key, known);
    return known;
  };

  return {
    run: async ({ source, jurisdiction, limits, mayAsk, ask }) => {
      const limiter = limiterOf(source, jurisdiction ?? '', limits);
      const { bucket, waitMs } = takeToken(limiter.bucket, limits.perSecond, now());
      limiter.bucket = bucket;
      if (waitMs > 0) return { kind: 'BUSY' };
      try {
        return await limiter.places.execute(async (): Promise<LimitedReply> => {
          if (!(await mayAsk())) return { kind: 'BUSY' };
          const reply = await limiter.breaker.execute(ask);
          questions.inc({ source, outcome: reply.kind === 'OUTAGE' ? reply.outage : reply.answer.result });
          return { kind: 'REPLY', reply };
        });
      } catch (error) {
        if (error instanceof BulkheadRejectedError) return { kind: 'BUSY' };
        if (error instanceof BrokenCircuitError) return { kind: 'OPEN' };
        throw error;
      }
    },
  };
};
