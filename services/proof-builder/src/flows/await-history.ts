import { setTimeout as pause } from 'node:timers/promises';
import type { ProofRequest } from '@assay/contracts';
import { ApiError, type CallClaims } from '@assay/http';
import { type Log, pauseAfter } from '@assay/runtime';
import { gather, type History } from '../domain/history.ts';
import { gapsOf, shownIn } from '../domain/readiness.ts';
import type { Histories } from '../store/histories.ts';
import { openHistory } from './open-history.ts';

export interface Deps {
  histories: Histories;
  log: Log;
  /** How long a request waits for events that are on their way, in milliseconds. */
  historyPatienceMs?: number;
  /** Stores the events that have arrived and wait for their batch. */
  storeArriving?: () => Promise<void>;
}

const PATIENCE_MS = 3000;
/** Usually one event is missing and arrives at once; after that the pauses grow. */
const POLL = { firstMs: 40, longestMs: 320, factor: 1.5 };

/** The proof needs an event that has not arrived. */
export const notReady = (): ApiError => new ApiError('PROOF_NOT_READY', { headers: { 'Retry-After': '1' } });

/** The opened history, once it has every event that the gateway knows of. */
export const awaitHistory = async (
  { histories, log, historyPatienceMs = PATIENCE_MS, storeArriving }: Deps,
  request: ProofRequest,
  claims: CallClaims,
): Promise<History> => {
  const { tenantId, identityId } = claims;
  const shown = shownIn(request);
  const deadline = performance.now() + historyPatienceMs;
  for (let looks = 1; ; looks += 1) {
    await storeArriving?.();
    const records = await histories.find(tenantId, identityId);
    const gaps = gapsOf(request, gather(records, shown));
    if (gaps.length === 0) {
      return gather(openHistory(records, { key: claims.key!, tenantId, identityId }), shown);
    }
    if (performance.now() >= deadline) {
      log.warn({ msg: 'proof.not-ready', proofId: request.proofId, identityId, gaps });
      throw notReady();
    }
    await pause(pauseAfter(looks, POLL));
  }
};
