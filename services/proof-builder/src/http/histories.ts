import { ApiError, claimsOf, ok, reply } from '@assay/http';
import { Router } from 'express';
import { exportedHistoryOf, mediaOf } from '../domain/history-export.ts';
import { timelineOf } from '../domain/timeline.ts';
import { openHistory } from '../flows/open-history.ts';
import type { Histories } from '../store/histories.ts';

export interface Deps {
  histories: Histories;
}

/**
 * GET /history: what happened to the identity of the token, without anything personal. GET
 * /history/opened: the same events as they are stored, opened with the key of the token, and which
 * media there are, for the person they are about.
 */
export const historyRoutes = ({ histories }: Deps): Router =>
  Router()
    .get(
      '/history',
      reply(async (request) => {
        const { tenantId, identityId } = claimsOf(request);
        return ok({ items: timelineOf(await histories.find(tenantId, identityId)) });
      }),
    )
    .get(
      '/history/opened',
      reply(async (request) => {
        const { tenantId, identityId, key } = claimsOf(request);
        if (!key) throw new ApiError('WRONG_ROLE');
        const records = await histories.find(tenantId, identityId);
        return ok({
          history: exportedHistoryOf(openHistory(records, { key, tenantId, identityId })),
          media: mediaOf(records),
        });
      }),
    );
