import { counter, gauge } from '@assay/runtime';
import { BulkheadRejectedError, bulkhead, type IPolicy, wrap } from 'cockatiel';
import { type Bucket, takeToken } from '../domain/rate.ts';
import type { Limits } from '../domain/source.ts';
import { type Circuit, createCircuit } from './circuit.ts';
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

/** Questions that may wait in the process for each one in flight; more wait at the broker. */
const WAITING_A_PLACE = 4;

const questions = counter('assay_issuer_questions_total', 'Questions put to issuing sources', ['source', 'outcome']);
const openCircuits = gauge(
  'assay_issuer_circuits_open',
  'Jurisdictions whose source is not asked because it keeps failing',
  ['source'],
);

interface JurisdictionLimiter {
  circuit: Circuit;
  bucket?: Bucket;
}

/** What one of so many replicas may do of it: at least one question at a time. */
const partOf = ({ concurrent, concurrentTotal, perSecond }: Limits, replicas: number): Limits => ({
  concurrent: Math.max(1, Math.floor(concurrent / replicas)),
  concurrentTotal: Math.max(1, Math.floor(concurrentTotal / replicas)),
  perSecond: perSecond / replicas,
});

const createPlaces = (count: number): IPolicy => bulkhead(count, count * WAITING_A_PLACE);

/** Places by name; those of a name are made anew where their number changed. */
const createPlacesByName = () => {
  const byName = new Map<string, { count: number; places: IPolicy }>();
  return (name: string, count: number): IPolicy => {
    const known = byName.get(name);
    if (known?.count === count) return known.places;
    const places = createPlaces(count);
    byName.set(name, { count, places });
    return places;
  };
};

export interface SourceLimiterOptions {
  /** Milliseconds that have gone by since any moment. */
  elapsedMs?: () => number;
  /** How many processes share the limits of the sources (decision 35). */
  replicas?: () => number;
}

/**
 * A limiter for each source and jurisdiction: so many questions at once and a second, and none
 * while the source keeps failing. One that is slow or down fills its own limiter and no other. Each
 * replica has its part of the limits; each finds out by itself that a source fails.
 */
export const createSourceLimiter = ({
  elapsedMs = () => performance.now(),
  replicas = () => 1,
}: SourceLimiterOptions = {}): SourceLimiter => {
  const placesOf = createPlacesByName();
  const limiters = new Map<string, JurisdictionLimiter>();

  const limiterOf = (source: string, jurisdiction: string): JurisdictionLimiter => {
    const key = `${source}/${jurisdiction}`;
    const onChange = (isOpen: boolean): void => openCircuits.inc({ source }, isOpen ? 1 : -1);
    // cockatiel's breaker goes by the machine's clock: it stays open while that is set back.
    const known = limiters.get(key) ?? { circuit: createCircuit({ elapsedMs, onChange }) };
    limiters.set(key, known);
    return known;
  };

  return {
    run: async ({ source, jurisdiction = '', limits, mayAsk, ask }) => {
      const limiter = limiterOf(source, jurisdiction);
      const { concurrent, concurrentTotal, perSecond } = partOf(limits, replicas());
      const { bucket, waitMs } = takeToken(limiter.bucket, perSecond, elapsedMs());
      limiter.bucket = bucket;
      if (waitMs > 0) return { kind: 'BUSY' };
      const places = wrap(placesOf(`${source}/${jurisdiction}`, concurrent), placesOf(source, concurrentTotal));
      try {
        return await places.execute(async (): Promise<LimitedReply> => {
          if (!(await mayAsk())) return { kind: 'BUSY' };
          const refusal = limiter.circuit.refusal();
          if (refusal) return { kind: refusal };
          const reply = await limiter.circuit.run(ask);
          questions.inc({ source, outcome: reply.kind === 'OUTAGE' ? reply.outage : reply.answer.result });
          return { kind: 'REPLY', reply };
        });
      } catch (error) {
        if (error instanceof BulkheadRejectedError) return { kind: 'BUSY' };
        throw error;
      }
    },
  };
};
